import type { DoctorCheck } from '../../../contract/doctor.ts';
import styles from './doctor.module.css';
import { listShown } from './doctor-labels.ts';

/** Things to check if the service hides the cause, most likely first. */
export function DoctorChecks({ checks }: { checks: readonly DoctorCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ol className={styles.checks} aria-label="What to check, most likely first">
      {checks.map((check) => (
        <li key={check.code}>
          {check.sentence}
          {listShown(check.shown).map(([label, value]) => (
            <span key={label} className={styles.shown}>
              {label}: <code>{value}</code>
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}
