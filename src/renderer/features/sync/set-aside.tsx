import { Table, Text } from '@mantine/core';
import { Section } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';

/** Entries of the service that could not be stored as records. */
export function SetAsideRecords({ workspaceId }: { workspaceId: string }) {
  const { data } = useDeskQuery('records:listSetAside', { workspaceId });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title={`Unreadable records: ${formatCount(data.items.length)}`}>
      <Text size="sm" c="dimmed">
        Claimdesk couldn’t read these records. Nothing else is affected. Report the IDs to the claims
        service’s support.
      </Text>
      <Table aria-label="Unreadable records">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Kind</Table.Th>
            <Table.Th>ID</Table.Th>
            <Table.Th>Reason</Table.Th>
            <Table.Th>Seen</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.items.slice(0, 200).map((item, index) => (
            <Table.Tr key={`${item.kind}-${item.recordId ?? index}-${item.seenAt}`}>
              <Table.Td>{item.kind}</Table.Td>
              <Table.Td>{item.recordId ?? '—'}</Table.Td>
              <Table.Td>{item.reason}</Table.Td>
              <Table.Td>{formatDateTime(item.seenAt)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {data.items.length > 200 && (
        <Text size="xs" c="dimmed">
          Showing the first 200.
        </Text>
      )}
    </Section>
  );
}
