import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';

/** Entries of the service that could not be stored as records. */
export function SetAsideRecords({ workspaceId }: { workspaceId: string }) {
  const { data } = useDeskQuery('records:listSetAside', { workspaceId });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title={`Unreadable records: ${formatCount(data.items.length)}`}>
      <Hint>
        Claimdesk couldn’t read these records. Nothing else is affected. Report the IDs to the claims
        service’s support.
      </Hint>
      <DataTable
        label="Unreadable records"
        rows={data.items.slice(0, 200)}
        keyOf={(item, index) => `${item.kind}-${item.recordId ?? index}-${item.seenAt}`}
        columns={[
          ['Kind', ({ kind }) => kind],
          ['ID', ({ recordId }) => recordId ?? '—'],
          ['Reason', ({ reason }) => reason],
          ['Seen', ({ seenAt }) => formatDateTime(seenAt)],
        ]}
      />
      {data.items.length > 200 && <SmallPrint>Showing the first 200.</SmallPrint>}
    </Section>
  );
}
