import { Button, Group, Stack, Switch, Text, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import type { LossQuestion, QuickRefresh } from '../../../contract/sync.ts';
import { formatCount } from '../../../rules/count.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice, NotLoaded, ReportNotice } from '../../components/error-notice.tsx';
import { SmallButtonLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { Columns, Page, Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { readFirstRows } from '../../domain/list/read-first-rows.ts';
import { describeNoSync } from '../../domain/sync/sync-messages.ts';
import { RunningSync } from '../../domain/sync/sync-progress.tsx';
import { useSync } from '../../domain/sync/use-sync.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, reportOfCode } from '../../lib/desk-error.ts';
import { useDeskMutation, useDeskQuery, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { Receipt } from './receipt.tsx';

/** The sync: the running one, the last receipt, and unreadable records. */
export function SyncPage() {
  const workspace = useWorkspace();
  const sync = useSync();
  const now = useNow();
  const summary = useWorkspaceQuery('records:getSummary');
  const { status } = sync;
  if (status === undefined) {
    return (
      <Page title="Sync" documentTitle="Sync">
        <NotLoaded query={sync} what="the sync status" />
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
          // The top bar shows that the service can't be reached; this shows what still works.
          <Text size="sm">You can still read, search, and export everything that was synced.</Text>
        )}
        <ErrorNotice error={sync.startError} title="Couldn’t start the sync" />
        <ErrorNotice error={sync.cancelError} title="Couldn’t cancel the sync" />
        {running !== null && (
          <Section title="In progress">
            <RunningSync
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
        {running === null && status.unsettled !== null && (
          <ReportNotice report={status.unsettled} title="Reviews weren’t updated after the last sync" />
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
        <SetAsideRecords />
        <Group>
          <SmallButtonLink to="/claims">Go to claims</SmallButtonLink>
        </Group>
      </Stack>
    </Page>
  );
}

/** Asks the user about a large sudden loss. Either answer keeps every record on this computer. */
function LossQuestionNotice(props: {
  question: LossQuestion;
  onAnswer: (answer: 'accept' | 'decline') => void;
  isAnswering: boolean;
}) {
  return (
    <Notice tone="bad" role="alert" title="Many records are missing from this sync">
      <Stack gap={8}>
        {props.question.losses.map((loss) => (
          <Text size="sm" key={loss.list}>
            {formatCount(loss.missing)} of {formatCount(loss.here)} {loss.list} are missing.
          </Text>
        ))}
        <Text size="sm">
          Ask the claims service whether this is right. If you mark them as no longer in the service, they are
          hidden from lists; nothing is deleted. If you keep them, the next sync reads everything again.
        </Text>
        <Group gap="xs">
          <SmallButton loading={props.isAnswering} onClick={() => props.onAnswer('decline')}>
            Keep records
          </SmallButton>
          <SmallButton loading={props.isAnswering} onClick={() => props.onAnswer('accept')}>
            Mark as no longer in the service
          </SmallButton>
        </Group>
      </Stack>
    </Notice>
  );
}

/** Fetches new records. If it would find none, it is disabled but can be focused, so that the reason can be read. */
function QuickRefreshButton(props: { offer: QuickRefresh; onRefresh: () => void; isStarting: boolean }) {
  const { offer } = props;
  const reasonId = useId();
  return (
    <>
      <Tooltip label={offer.reason} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
        <Button
          variant="default"
          {...(offer.isOffered ? {} : { 'data-disabled': true })}
          aria-disabled={!offer.isOffered}
          aria-describedby={reasonId}
          loading={props.isStarting}
          onClick={() => offer.isOffered && props.onRefresh()}
        >
          Quick refresh
        </Button>
      </Tooltip>
      <span id={reasonId} hidden>
        {offer.reason}
      </span>
    </>
  );
}

/** Stops the sample service, to show how Claimdesk works offline. */
function SampleService() {
  const { id: workspaceId } = useWorkspace();
  const state = useDeskQuery('sample:getState', {});
  const change = useDeskMutation('sample:setServiceRunning');
  const bridge = useBridge();
  // Some claims with a decision change, so that there is something to review again.
  const nextDay = useMutation({
    mutationFn: async () => {
      const decided = await readFirstRows(bridge, {
        workspaceId,
        query: {
          entity: 'claims',
          conditions: [{ field: 'review.state', operator: 'is', values: ['done'] }],
          sort: [{ field: 'review.last_event_at', direction: 'desc' }],
        },
        limit: 3,
        fields: ['id'],
        isLookup: true,
      });
      await ask(bridge, 'sample:nextDay', { claimIds: decided.map(({ id }) => Number(id)) });
    },
    onSettled: () => state.refetch(),
  });
  const hasDay = (state.data?.daysLeft ?? 0) > 0;
  return (
    <Section title="Sample service">
      <Stack gap={8}>
        <Switch
          label={`Sample service ${state.data?.isRunning === true ? 'on' : 'off'}`}
          checked={state.data?.isRunning ?? false}
          disabled={state.data === undefined || change.isPending}
          onChange={(event) => change.mutate({ isRunning: event.currentTarget.checked })}
        />
        <Hint>Turn off to try offline mode: lists, search, and export keep working.</Hint>
        <Group gap={10}>
          <SmallButton
            loading={nextDay.isPending}
            disabled={state.data?.isRunning !== true || !hasDay}
            onClick={() => nextDay.mutate()}
          >
            Next day
          </SmallButton>
          <Hint role="status">
            {nextDay.isSuccess
              ? 'A day has passed at the sample service. Sync to get the changes.'
              : hasDay
                ? 'New, changed, and removed claims for the next sync, some of those you decided among them.'
                : 'The sample has reached today.'}
          </Hint>
        </Group>
        <ErrorNotice error={change.error} />
        <ErrorNotice error={nextDay.error} />
      </Stack>
    </Section>
  );
}

/** Entries of the service that could not be stored as records. */
function SetAsideRecords() {
  const { data } = useWorkspaceQuery('records:listSetAside');
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
          ['ID', ({ recordId }) => recordId ?? '–'],
          ['Reason', ({ reason }) => reason],
          ['Seen', ({ seenAt }) => formatDateTime(seenAt)],
        ]}
      />
      {data.items.length > 200 && <SmallPrint>Showing the first 200.</SmallPrint>}
    </Section>
  );
}
