import { Button, Group, Stack, Text } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { describeReceipt } from '../../domain/sync/sync-messages.ts';
import { SyncProgressView } from '../../domain/sync/sync-progress.tsx';
import { useSync } from '../../domain/sync/use-sync.ts';
import { reportOfCode } from '../../lib/desk-error.ts';

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
          The service accepted your key. The first sync downloads all members and claims into encrypted
          storage on this computer. You can start working while it runs.
        </Text>
      )}
      {running !== null && (
        <SyncProgressView progress={running} onCancel={sync.cancel} isCanceling={sync.isCanceling} />
      )}
      {running === null && receipt !== null && <Text size="sm">{describeReceipt(receipt).join(' ')}</Text>}
      {running === null && receipt?.outcome === 'failed' && (
        <ReportNotice
          report={reportOfCode(receipt.errorCode, receipt.requestId)}
          title="The first sync didn’t finish"
        />
      )}
      <ErrorNotice error={sync.startError} title="Couldn’t start the sync" />
      <Group justify="flex-end">
        {running === null && !isDone && (
          <Button onClick={sync.start} loading={sync.isStarting}>
            {receipt === null ? 'Start first sync' : 'Resume sync'}
          </Button>
        )}
        {isDone && (
          <ButtonLink to="/settings/$section" params={{ section: 'integration' }} variant="default">
            Connect carriers (optional)
          </ButtonLink>
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
