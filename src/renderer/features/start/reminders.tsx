import { useQuery } from '@tanstack/react-query';
import { formatPersonName } from '../../../contract/person-names.ts';
import type { Condition } from '../../../contract/query.ts';
import { Figure } from '../../components/figure.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { readFirstRows } from '../../domain/list/read-first-rows.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { formatValue } from '../../lib/format-value.ts';
import styles from './start-page.module.css';

const shownCount = 6;

/** Claims whose reminder is due on a day (`YYYY-MM-DD`) or was due before. A later decision removes a reminder. */
const dueConditions = (today: string): Condition[] => [
  { field: 'review.reminder', operator: 'atMost', values: [today] },
];

/** The reminders of today and of days before, earliest first. */
export function Reminders({ workspaceId, today }: { workspaceId: string; today: string }) {
  const bridge = useBridge();
  const open = useOpenList(workspaceId);
  const { data } = useQuery({
    queryKey: ['worklists', workspaceId, 'reminders', today],
    queryFn: () =>
      readFirstRows(bridge, {
        workspaceId,
        query: {
          entity: 'claims',
          conditions: dueConditions(today),
          sort: [{ field: 'review.reminder', direction: 'asc' }],
          includesMissing: true,
        },
        limit: shownCount + 1,
        fields: ['id', 'patient_name', 'service_provider', 'review.reminder', 'review.on_whom'],
        isLookup: true,
      }),
  });
  const rows = data ?? [];
  if (rows.length === 0) return data === undefined ? null : <SmallPrint>No reminders due.</SmallPrint>;
  return (
    <section aria-label="Reminders due">
      <h3 className={styles.dueTitle}>Reminders due</h3>
      <ul className={styles.reminders}>
        {rows.slice(0, shownCount).map((row) => (
          <li key={String(row.id)}>
            <AnchorLink to="/claims/$claimId" params={{ claimId: Number(row.id) }}>
              Claim {row.id}
            </AnchorLink>
            <Figure>{formatValue(row['review.reminder'], 'date')}</Figure>
            <SmallPrint>
              {[
                typeof row.patient_name === 'string' ? formatPersonName(row.patient_name) : null,
                row.service_provider,
                row['review.on_whom'] === null ? null : `waiting on ${row['review.on_whom']}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </SmallPrint>
          </li>
        ))}
      </ul>
      {rows.length > shownCount && (
        <SmallButton variant="subtle" onClick={() => open('claims', dueConditions(today))}>
          Show all
        </SmallButton>
      )}
    </section>
  );
}
