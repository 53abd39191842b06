import { formatCode } from '../../../contract/code-labels.ts';
import type { ClaimRecord } from '../../../contract/records.ts';
import { daysOf } from '../../../rules/date-range.ts';
import { addDays } from '../../../rules/days.ts';
import type { Condition } from '../../../rules/query.ts';
import { AmountOfCell } from '../../components/amount.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDaysCell } from '../../lib/format-range.ts';
import styles from './nearby-claims.module.css';

/** How many days from a claim's own dates count as near. */
const nearDays = 30;
const maxShown = 5;

/** Conditions for the patient's claims near these days; null where the claim has no patient or no date. */
function nearbyConditions(claim: ClaimRecord): Condition[] | null {
  const days = claim.date_of_service == null ? null : daysOf(claim.date_of_service);
  const memberId = claim.members?.[0]?.id;
  const first = days?.first ?? days?.last;
  const last = days?.last ?? days?.first;
  if (!claim.patient_name || typeof memberId !== 'number' || first == null || last == null) return null;
  const [from, to] = [addDays(first, -nearDays), addDays(last, nearDays)];
  if (from === null || to === null) return null;
  return [
    { field: 'members.id', operator: 'is', values: [memberId] },
    { field: 'patient_name', operator: 'is', values: [claim.patient_name] },
    { field: 'date_of_service', operator: 'between', values: [from, to] },
  ];
}

/** Other claims of the patient near the same days: a duplicate, an adjustment, the other half of a visit. */
export function NearbyClaims({ claim }: { claim: ClaimRecord }) {
  const openList = useOpenList();
  const conditions = nearbyConditions(claim);
  const query = useWorkspaceQuery(
    'records:readFirst',
    {
      query: {
        entity: 'claims',
        conditions: conditions ?? [],
        sort: [{ field: 'date_of_service', direction: 'desc' }],
      },
      limit: maxShown + 2,
      isLookup: true,
      fields: ['id', 'date_of_service', 'service_provider', 'status', 'amount_billed'],
    },
    { enabled: conditions !== null },
  );
  const rows = (query.data?.rows ?? []).filter(({ id }) => id !== claim.id);
  return (
    <Section title="Patient’s claims within 30 days">
      {query.isError && <Hint>Couldn’t load other claims.</Hint>}
      {(conditions === null || (query.isSuccess && rows.length === 0)) && (
        <Hint>No other claims near these dates.</Hint>
      )}
      <ul className={styles.claims}>
        {rows.slice(0, maxShown).map((row) => (
          <li key={String(row.id)}>
            <div className={styles.first}>
              <AnchorLink to="/claims/$claimId" params={{ claimId: Number(row.id) }}>
                {formatDaysCell(row.date_of_service)}
              </AnchorLink>
              <AmountOfCell cell={row.amount_billed} />
            </div>
            <div className={styles.second}>
              {[row.service_provider, formatCode('status', row.status)].filter(Boolean).join(' · ')}
            </div>
          </li>
        ))}
      </ul>
      {rows.length > maxShown && conditions !== null && (
        <TextButton className={styles.all} onClick={() => openList('claims', conditions)}>
          Show all
        </TextButton>
      )}
    </Section>
  );
}
