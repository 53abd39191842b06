import type { WorklistReason } from '../../../contract/worklist-counts.ts';
import { findWorklist } from '../../../contract/worklist-table.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatCode, formatValue } from '../../lib/format-value.ts';
import { findFilterField } from '../list/describe-filter.ts';
import styles from './review-panel.module.css';

/** "Open amount: $30.00": the claim's value for one condition of its worklist. */
export function describeTerm({ condition, label, value }: WorklistReason['terms'][number]): string {
  const kind = findFilterField('claims', condition.field)?.kind ?? 'text';
  return `${label}: ${formatValue(formatCode(condition.field, value), kind)}`;
}

/** The worklists that a claim is in, and why. */
export function ClaimWorklists({ workspaceId, claimId }: { workspaceId: string; claimId: number }) {
  const reasons = useDeskQuery('worklists:why', { workspaceId, claimId }).data?.worklists ?? [];
  if (reasons.length === 0) return null;
  return (
    <Section title="Why it is in worklists">
      <ul className={styles.history}>
        {reasons.map(({ id, terms }) => (
          <li key={id}>
            <AnchorLink size="sm" to="/worklists/$worklistId" params={{ worklistId: id }}>
              {findWorklist(id).name}
            </AnchorLink>
            <div className={styles.aside}>{terms.map(describeTerm).join(' · ')}</div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
