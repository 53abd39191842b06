import { Button, Group, Stack, Text } from '@mantine/core';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { SmallButtonLink } from '../../components/links.tsx';
import { Columns, Page, Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { describeNoSync } from '../../domain/sync/sync-messages.ts';
import { SyncProgressView } from '../../domain/sync/sync-progress.tsx';
import { useSync } from '../../domain/sync/use-sync.ts';
import { reportOfCode } from '../../lib/desk-error.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { LossQuestionNotice } from './loss-question.tsx';
import { QuickRefreshButton } from './quick-refresh-button.tsx';
import { Receipt } from './receipt.tsx';
import { SampleService } from './sample-service.tsx';
import { SetAsideRecords } from './set-aside.tsx';

/** The sync: the running one, the last receipt, and unreadable records. */
export function SyncPage() {
  const workspace = useWorkspace();
  const sync = useSync(workspace);
  const now = useNow();
  const summary = useDeskQuery('records:getSummary', { workspaceId: workspace.id });
  const { status } = sync;
  if (status === undefined) {
    return (
      <Page title="Sync" documentTitle="Sync">
        {sync.error === null ? (
          <LoadingState what="the sync status" />
        ) : (
          <ErrorNotice error={sync.error} title="Couldn’t read the sync status" />
        )}
      </Page>
    );
  }
  const { running, lastReceipt, lastComplete, lossQuestion } = status;
  const isReadOffline =
    running === null &&
    sync.isOffline &&
    ((summary.data?.members ?? 0) > 0 || (summary.data?.claims ?? 0) > 0);
  const startButtons = (
    <>
      <QuickRefreshButton
        offer={status.quickRefresh}
        onRefresh={sync.quickRefresh}
        isStarting={sync.isStarting}
      />
      <Button onClick={sync.start} loading={sync.isStarting}>
        {status.isResumable ? 'Resume sync' : 'Sync now'}
      </Button>
    </>
  );
  return (
    <Page title="Sync" documentTitle="Sync" actions={running === null && startButtons}>
      <Stack gap="sm">
        {isReadOffline && (
          // The top bar says that the service can't be reached; here only what that means.
          <Text size="sm">You can still read, search, and export everything that was synced.</Text>
        )}
        <ErrorNotice error={sync.startError} title="Couldn’t start the sync" />
        <ErrorNotice error={sync.cancelError} title="Couldn’t cancel the sync" />
        {running !== null && (
          <Section title="In progress">
            <SyncProgressView
              progress={running}
              onCancel={sync.cancel}
              isCanceling={sync.isCanceling}
              onPause={sync.pause}
              isPausing={sync.isPausing}
            />
          </Section>
        )}
        {running === null && lossQuestion !== null && (
          <LossQuestionNotice
            question={lossQuestion}
            onAnswer={sync.answerLoss}
            isAnswering={sync.isAnswering}
          />
        )}
        {running === null && lossQuestion === null && lastReceipt?.outcome === 'failed' && (
          <ReportNotice
            report={reportOfCode(lastReceipt.errorCode, lastReceipt.requestId)}
            title="The last sync did not finish"
          />
        )}
        {running === null && status.isResumable && (
          <Text size="sm">
            {status.isPaused ? 'The sync is paused.' : 'A sync was interrupted.'} Resume to pick up where it
            stopped. After 12 hours it starts over.
          </Text>
        )}
        <Columns>
          <Section title="Last sync">
            {lastReceipt === null ? (
              <Hint>{describeNoSync(status)}</Hint>
            ) : (
              <Receipt receipt={lastReceipt} now={now} summary={summary.data ?? null} />
            )}
          </Section>
          {lastComplete !== null && lastComplete.runId !== lastReceipt?.runId && (
            <Section title="Last full sync">
              <Receipt receipt={lastComplete} now={now} summary={null} />
            </Section>
          )}
          {workspace.isSample && <SampleService />}
        </Columns>
        <SetAsideRecords workspaceId={workspace.id} />
        <Group>
          <SmallButtonLink to="/claims">Go to claims</SmallButtonLink>
        </Group>
      </Stack>
    </Page>
  );
}
