import type { StatusTone } from '../lib/claim-status.ts';
import styles from './status-chip.module.css';

/** A status as a word after a dot of its color (`claim-status.ts`). */
export const StatusChip = ({ label, tone }: { label: string; tone: StatusTone | null }) => (
  <span className={styles.chip} data-tone={tone ?? undefined}>
    {label}
  </span>
);
