import { Badge, Code, Group, Stack, Table, Text } from '@mantine/core';
import type { SyncReceipt } from '../../../contract/sync.ts';
import { FieldList } from '../../components/page.tsx';
import { formatDateTime, formatWhen } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';
import { describeReceipt } from '../../lib/sync-words.ts';

const outcomeLabels = {
  complete: 'Proven complete',
  notProven: 'Not proven complete',
  refreshed: 'Refreshed, no proof',
  canceled: 'Canceled',
  failed: 'Failed',
} as const satisfies Record<SyncReceipt['outcome'], string>;

/** What a sync ended with, in plain words and in figures. */
export function Receipt({ receipt, now }: { receipt: SyncReceipt; now: Date }) {
  return (
    <Stack gap={8}>
      <Group gap="xs">
        <Badge variant="default">{outcomeLabels[receipt.outcome]}</Badge>
        <Text size="sm" c="dimmed">
          Finished {formatWhen(receipt.finishedAt, now)}
        </Text>
      </Group>
      <Text size="sm">{describeReceipt(receipt).join(' ')}</Text>
      <FieldList
        fields={[
          ['Members', formatCount(receipt.members)],
          ['Dependents', formatCount(receipt.dependents)],
          ['Claims', formatCount(receipt.claims)],
          ['Claim lines', formatCount(receipt.lines)],
          ['Set aside', formatCount(receipt.setAside)],
          ['Changed here', describeChanges(receipt)],
          ['Fingerprint', <Code key="digest">{receipt.digest}</Code>],
        ]}
      />
      <Failures receipt={receipt} />
    </Stack>
  );
}

function describeChanges({ changes }: SyncReceipt): string {
  const parts = [
    [changes.new, 'new'],
    [changes.changed, 'changed'],
    [changes.missing, 'no longer returned'],
    [changes.confirmed, 'confirmed as no longer returned'],
    [changes.returned, 'returned again'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return said.length === 0 ? 'nothing' : said.join(', ');
}

/** Requests that failed, by the ids that the service's support can look up. */
function Failures({ receipt }: { receipt: SyncReceipt }) {
  const { failures, failedRequests } = receipt;
  if (failures.length === 0) return null;
  return (
    <details>
      <summary>{`Failed requests: ${formatCount(failedRequests)}`}</summary>
      <Table aria-label="Failed requests">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Code</Table.Th>
            <Table.Th>Request id</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {failures.map((failure, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two can fail at one moment without an id, and none moves
            <Table.Tr key={index}>
              <Table.Td>{formatDateTime(failure.at)}</Table.Td>
              <Table.Td>
                <Code>{failure.code}</Code>
              </Table.Td>
              <Table.Td>{failure.requestId === null ? '—' : <Code>{failure.requestId}</Code>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {failedRequests > failures.length && (
        <Text size="xs" c="dimmed">
          The newest {formatCount(failures.length)} are shown.
        </Text>
      )}
    </details>
  );
}
