import type { StatusTone } from '../lib/claim-status.ts';
import styles from './status-chip.module.css';

/** A carrier's status as a word with its color. */
export function StatusChip({ label, tone }: { label: string; tone: StatusTone | null }) {
  return (
    <span className={styles.chip} data-tone={tone ?? undefined}>
      {label}
    </span>
  );
}
