import { Button, Group, Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { SyncProgressView } from '../../components/sync-progress.tsx';
import { reportOfCode } from '../../lib/desk-error.ts';
import { describeReceipt } from '../../lib/sync-words.ts';
import { useSync } from '../../lib/use-sync.ts';

/** The first reading of everything; the lists can be used while it runs. */
export function FirstSyncStep({ workspace }: { workspace: Workspace }) {
  const sync = useSync(workspace);
  const running = sync.status?.running ?? null;
  const receipt = sync.status?.lastReceipt ?? null;
  const isDone = receipt?.outcome === 'complete' || receipt?.outcome === 'notProven';
  return (
    <Stack gap="sm">
      {running === null && !isDone && (
        <Text size="sm">
          The service accepts your key. The first sync reads all members and claims into the encrypted store
          of this computer. You can look at what has come while it runs.
        </Text>
      )}
      {running !== null && (
        <SyncProgressView progress={running} onCancel={sync.cancel} isCanceling={sync.isCanceling} />
      )}
      {running === null && receipt !== null && <Text size="sm">{describeReceipt(receipt).join(' ')}</Text>}
      {running === null && receipt?.outcome === 'failed' && (
        <ReportNotice
          report={reportOfCode(receipt.errorCode, receipt.requestId)}
          title="The first sync did not finish"
        />
      )}
      {sync.startError !== null && (
        <ErrorNotice error={sync.startError} title="The sync could not be started" />
      )}
      <Group justify="flex-end">
        {running === null && !isDone && (
          <Button onClick={sync.start} loading={sync.isStarting}>
            {receipt === null ? 'Start the first sync' : 'Go on syncing'}
          </Button>
        )}
        {(running !== null || isDone) && (
          <ButtonLink to="/claims" variant={isDone ? 'filled' : 'default'}>
            Go to claims
          </ButtonLink>
        )}
      </Group>
    </Stack>
  );
}
