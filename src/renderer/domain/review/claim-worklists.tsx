import { daysBetween, formatDay, localDayOf } from '../../../rules/days.ts';
import { sayDaysLeft, sayDeadlineRule } from '../../../rules/plans/deadlines.ts';
import { fullNameOf } from '../../../rules/worklists/worklist-table.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { sayClaimReason } from '../worklist/say-claim-reason.ts';
import styles from './review-panel.module.css';

/** The worklists that a claim is in, and why. */
export function ClaimWorklists({ claimId }: { claimId: number }) {
  const why = useWorkspaceQuery('worklists:why', { claimId }).data;
  const { worklists = [], deadline = null } = why ?? {};
  // The deadline has a separate row with its rule; an empty history shows that a claim is new.
  const reasons = worklists.filter(({ id }) => id !== 'due' && id !== 'deadlineNear' && id !== 'new');
  const today = localDayOf(useNow());
  if (reasons.length === 0 && deadline === null) return null;
  return (
    <Section title="Why it is here">
      <ul className={styles.history}>
        {reasons.map(({ id, values }) => (
          <li key={id}>
            <AnchorLink size="sm" to="/worklists/$worklistId" params={{ worklistId: id }}>
              {fullNameOf(id)}
            </AnchorLink>
            <div className={styles.aside}>{sayClaimReason(id, values, today)}</div>
          </li>
        ))}
        {deadline !== null && (
          <li>
            {deadline.kind} by {formatDay(deadline.day)}
            <div className={styles.aside}>
              {sayDaysLeft(deadline.kind, daysBetween(today, deadline.day) ?? 0)};{' '}
              {sayDeadlineRule(deadline.kind, deadline.days)}
            </div>
          </li>
        )}
      </ul>
    </Section>
  );
}
