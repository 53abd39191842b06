import { Code, Group, Stack, Text } from '@mantine/core';
import type { Output } from '../../../contract/procedures.ts';
import type { SyncReceipt } from '../../../contract/sync.ts';
import { formatCount } from '../../../rules/count.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Details } from '../../components/details.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { FieldList } from '../../components/page.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import {
  describeCounts,
  describeEnd,
  describeMembers,
  describeReceipt,
  describeReceiptDetails,
} from '../../domain/sync/sync-messages.ts';
import type { StatusTone } from '../../lib/claim-status.ts';
import { formatDateTime } from '../../lib/format-date.ts';

const outcomeLabels = {
  complete: 'Verified complete',
  notProven: 'Not verified',
  refreshed: 'Refreshed, not verified complete',
  canceled: 'Canceled',
  failed: 'Failed',
} as const satisfies Record<SyncReceipt['outcome'], string>;

const outcomeTones = {
  complete: 'good',
  notProven: 'caution',
  refreshed: 'caution',
  canceled: 'caution',
  failed: 'bad',
} as const satisfies Record<SyncReceipt['outcome'], StatusTone>;

/** The result of a sync, in sentences and in figures. */
export function Receipt(props: {
  receipt: SyncReceipt;
  now: Date;
  /** The numbers of records in lists now, for the latest receipt only. */
  summary: Output<'records:getSummary'> | null;
}) {
  const { receipt, now, summary } = props;
  return (
    <Stack gap={8}>
      <Group gap="xs">
        <StatusChip label={outcomeLabels[receipt.outcome]} tone={outcomeTones[receipt.outcome]} />
        <Hint>{describeEnd(receipt, now)}</Hint>
      </Group>
      <Text size="sm">{describeReceipt(receipt).join(' ')}</Text>
      <FieldList
        fields={[
          ['Members', describeMembers(receipt, summary)],
          ['Dependents', formatCount(receipt.dependents)],
          ['Claims', formatCount(receipt.claims)],
          ['Claim lines', formatCount(receipt.lines)],
          ['Unreadable records', formatCount(receipt.setAside)],
          ['Changes since last sync', <ChangesLink key="changes" receipt={receipt} />],
        ]}
      />
      <Details>
        <Stack gap={8}>
          <Text size="sm">{describeReceiptDetails(receipt).join(' ')}</Text>
          <FieldList fields={[['Fingerprint', <Code key="digest">{receipt.digest}</Code>]]} />
        </Stack>
      </Details>
      <Failures receipt={receipt} />
    </Stack>
  );
}

function ChangesLink({ receipt }: { receipt: SyncReceipt }) {
  const text = describeCounts(receipt.changes);
  return text === null ? 'None' : <AnchorLink to="/changes">{text}</AnchorLink>;
}

/** Failed requests, with the IDs that the service's support can look up. */
function Failures({ receipt }: { receipt: SyncReceipt }) {
  const { failures, failedRequests } = receipt;
  if (failures.length === 0) return null;
  return (
    <Details summary={`Failed requests: ${formatCount(failedRequests)}`}>
      <DataTable
        label="Failed requests"
        rows={failures}
        columns={[
          ['When', ({ at }) => formatDateTime(at)],
          ['Code', ({ code }) => <Code>{code}</Code>],
          ['Request ID', ({ requestId }) => (requestId === null ? '–' : <Code>{requestId}</Code>)],
        ]}
      />
      {failedRequests > failures.length && (
        <SmallPrint>Showing the latest {formatCount(failures.length)}.</SmallPrint>
      )}
    </Details>
  );
}
