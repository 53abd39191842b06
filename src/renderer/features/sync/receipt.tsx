import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { SyncReceipt } from '../../../contract/sync.ts';
import { FieldList } from '../../components/page.tsx';
import { formatWhen } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';
import { describeReceipt } from '../../lib/sync-words.ts';

const outcomeLabels = {
  complete: 'Proven complete',
  notProven: 'Not proven complete',
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
          ['Fingerprint', <Code key="digest">{receipt.digest}</Code>],
        ]}
      />
    </Stack>
  );
}
