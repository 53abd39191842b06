import { localDayOf } from '../../../contract/days.ts';
import { findWorklist } from '../../../contract/worklist-table.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { sayClaimReason } from '../worklist/say-claim-reason.ts';
import styles from './review-panel.module.css';

/** The worklists that a claim is in, and why. */
export function ClaimWorklists({ workspaceId, claimId }: { workspaceId: string; claimId: number }) {
  const reasons = useDeskQuery('worklists:why', { workspaceId, claimId }).data?.worklists ?? [];
  const today = localDayOf(useNow());
  if (reasons.length === 0) return null;
  return (
    <Section title="Why it is here">
      <ul className={styles.history}>
        {reasons.map(({ id, values }) => (
          <li key={id}>
            <AnchorLink size="sm" to="/worklists/$worklistId" params={{ worklistId: id }}>
              {findWorklist(id).name}
            </AnchorLink>
            <div className={styles.aside}>{sayClaimReason(id, values, today)}</div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
