import { Button, Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { localDayOf } from '../../../contract/days.ts';
import { formatPersonName } from '../../../contract/person-names.ts';
import { reviewStartOf } from '../../../contract/plan-year.ts';
import type { SyncStatus } from '../../../contract/sync.ts';
import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { Columns, Page, Section, Wide } from '../../components/page.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { listRouteOf } from '../../domain/list/list-ref.ts';
import { useRowsById } from '../../domain/list/use-rows-by-id.ts';
import {
  describeEnd,
  describeNoSync,
  describePhase,
  describeProgress,
  describeReceipt,
  percentOf,
} from '../../domain/sync/sync-messages.ts';
import { useSync } from '../../domain/sync/use-sync.ts';
import { CountsDiffer } from '../../domain/team/counts-differ.tsx';
import { FeedWarningNotice } from '../../domain/worklist/feed-warning.tsx';
import { claimsIn, useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';
import { nextSteps } from '../../domain/workspace/connect-steps.ts';
import { useUnfinishedStep } from '../../domain/workspace/use-unfinished-step.ts';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDay } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { StartReviewing } from './start-reviewing.tsx';
import { Today } from './today.tsx';
import { largestWorklists, Watch, Work } from './work.tsx';

/** What is to be done today, the largest worklists, what is watched, and the claim that was read last. */
export function StartPage() {
  const workspace = useWorkspace();
  const sync = useSync(workspace);
  const now = useNow();
  const { settings } = useWorkspaceSettings(workspace);
  const counts = useWorklistCounts(workspace.id);
  const lastReceipt = sync.status?.lastReceipt ?? null;
  const today = localDayOf(now);
  if (sync.status !== undefined && lastReceipt === null && sync.status.running === null) {
    return (
      <Page title="Start" documentTitle="Start">
        <NotSynced workspace={workspace} isResumable={sync.status.isResumable} />
      </Page>
    );
  }
  const rows = counts === undefined ? [] : largestWorklists(counts, today);
  const isSorted = counts !== undefined && sync.status !== undefined && hasSorted(counts, sync.status);
  return (
    <Page
      title="Start"
      documentTitle="Start"
      actions={claimsIn(counts, 'ready') > 0 && <StartReviewing workspaceId={workspace.id} />}
    >
      <FeedWarningNotice warning={counts?.feedWarning ?? null} />
      <Columns>
        <Wide>
          {isSorted && <Today workspace={workspace} counts={counts} today={today} />}
          <Section
            title="Work"
            beside={
              <SmallPrint>
                Open claims from {formatDay(reviewStartOf(settings, workspace.id, today))}.{' '}
                <AnchorLink size="xs" to="/settings/$section" params={{ section: 'reviews' }}>
                  Change
                </AnchorLink>
              </SmallPrint>
            }
          >
            {counts === undefined ? (
              <Hint>Counting claims…</Hint>
            ) : counts.worklists.every(({ claims }) => claims === 0) ? (
              <NoWorklists isCurrent={counts.isCurrent} status={sync.status} />
            ) : (
              <Work workspaceId={workspace.id} rows={rows} today={today} />
            )}
            <CountsDiffer workspace={workspace} />
          </Section>
        </Wide>
        <Stack gap={10}>
          <Continue workspaceId={workspace.id} />
          {isSorted && <Watch counts={counts} />}
          <Section title="Last sync">
            {lastReceipt === null ? (
              <Hint>{sync.status !== undefined && describeNoSync(sync.status)}</Hint>
            ) : (
              <Stack gap={6}>
                <Text size="sm">
                  {describeReceipt(lastReceipt)[0]} {describeEnd(lastReceipt, now)}.
                </Text>
                <Text size="sm">
                  <AnchorLink to="/changes">What changed</AnchorLink> ·{' '}
                  <AnchorLink to="/sync">Sync details</AnchorLink>
                </Text>
              </Stack>
            )}
          </Section>
        </Stack>
      </Columns>
    </Page>
  );
}

/** Shown until a sync ended: what comes first, which is a sync only where the service knows the key. */
function NotSynced({ workspace, isResumable }: { workspace: Workspace; isResumable: boolean }) {
  const sync = useSync(workspace);
  const step = useUnfinishedStep(workspace);
  const isSetUp = isResumable || step === null || step === 'sync';
  return (
    <EmptyState
      icon={<IconInbox size={34} stroke={1.4} />}
      title={isResumable ? 'The first sync is not done' : 'No claims on this computer yet'}
      text={
        isResumable
          ? 'What was received so far is in the lists. Your worklists are here when the sync is done.'
          : `${isSetUp ? '' : `Next: ${nextSteps[step]}. `}After the first sync, your worklists are here.`
      }
      action={
        isSetUp ? (
          <Button onClick={sync.start} loading={sync.isStarting}>
            {isResumable ? 'Resume sync' : 'Sync now'}
          </Button>
        ) : (
          <ButtonLink to="/welcome/connect">Finish setup</ButtonLink>
        )
      }
    />
  );
}

/** The claim that was read last on this computer, and the row of its list. */
function Continue({ workspaceId }: { workspaceId: string }) {
  const memory = useListMemory();
  // Loaded together with the saved views.
  useDeskQuery('views:list', { workspaceId });
  const lastRead = memory.session.findLastRead(workspaceId);
  const row = useRowsById(workspaceId, 'claims', lastRead === null ? [] : [lastRead.claimId], [
    'patient_name',
    'service_provider',
  ]).get(lastRead?.claimId ?? 0);
  if (lastRead === null || row === undefined) return null;
  const { claimId, list, at } = lastRead;
  const ref = list === null ? {} : { list, ...(at === null ? {} : { at }) };
  const back = listRouteOf(list ?? undefined, 'claims');
  const patient = typeof row.patient_name === 'string' ? formatPersonName(row.patient_name) : null;
  return (
    <Section title="Continue where you were">
      <Text size="sm">
        <AnchorLink to="/claims/$claimId" params={{ claimId }} search={ref}>
          Claim {claimId}
        </AnchorLink>{' '}
        {[patient, row.service_provider].filter(Boolean).join(' · ')}
      </Text>
      {list !== null && at !== null && (
        <Text size="sm" onClick={() => memory.beginAt(workspaceId, list, at)}>
          <AnchorLink {...back.to}>
            {back.label.replace(/^Back to /, '').replace(/^./, (letter) => letter.toUpperCase())}
          </AnchorLink>
          , row {formatCount(at + 1)}
        </Text>
      )}
    </Section>
  );
}

/** Whether a sync has read everything once; claims that come before are in no worklist until then. */
const hasReadAll = ({ lastComplete, lastReceipt }: SyncStatus): boolean =>
  lastComplete !== null || lastReceipt?.outcome === 'notProven';

/** Whether all claims were evaluated, or some are in worklists already; before that, zeros are not shown. */
const hasSorted = (counts: WorklistCounts, status: SyncStatus): boolean =>
  counts.worklists.some(({ claims }) => claims > 0) || (counts.isCurrent && hasReadAll(status));

/** Why no worklist has a claim. `isCurrent`: the counts are of all claims on this computer. */
export function describeNoWorklists(isCurrent: boolean, status: SyncStatus | undefined): string {
  if (status !== undefined && !(isCurrent && hasReadAll(status))) {
    if (status.running !== null) return 'Worklists follow when the sync is done.';
    if (status.isResumable) return 'The sync is not done. Worklists follow when it is.';
  }
  return isCurrent ? 'Nothing to do: every worklist is empty.' : 'Sorting claims into worklists…';
}

/** Shown instead of the worklists where none has a claim: why, and the progress of the sync that they depend on. */
export function NoWorklists({ isCurrent, status }: { isCurrent: boolean; status: SyncStatus | undefined }) {
  const running = status === undefined || (isCurrent && hasReadAll(status)) ? null : status.running;
  const percent = running === null ? null : percentOf(running);
  return (
    <Stack gap={8}>
      <Hint>{describeNoWorklists(isCurrent, status)}</Hint>
      {running !== null && (
        <>
          <ProgressBar
            label="Sync progress"
            text={describeProgress(running)}
            share={percent === null ? null : percent / 100}
          />
          <SmallPrint>
            {describePhase(running)} · {describeProgress(running)}
          </SmallPrint>
        </>
      )}
    </Stack>
  );
}
