import { Button, Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { SyncStatus } from '../../../contract/sync.ts';
import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import { formatCount } from '../../../rules/count.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { ruleStateLabels } from '../../../rules/decide/say-act.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import { reviewPeriodOf } from '../../../rules/plans/review-period.ts';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { Columns, Page, Section, Wide } from '../../components/page.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { listRouteOf } from '../../domain/list/list-ref.ts';
import { useRowsById } from '../../domain/list/use-rows-by-id.ts';
import { describePhase, describeProgress, percentOf } from '../../domain/sync/sync-messages.ts';
import { useSync } from '../../domain/sync/use-sync.ts';
import { CountsDiffer } from '../../domain/team/counts-differ.tsx';
import { FeedWarningNotice } from '../../domain/worklist/feed-warning.tsx';
import { MovedNotice } from '../../domain/worklist/moved-notice.tsx';
import { areFinal, useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';
import { nextSteps } from '../../domain/workspace/connect-steps.ts';
import { useUnfinishedStep } from '../../domain/workspace/use-unfinished-step.ts';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { useDeskQuery, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { Money } from './money.tsx';
import { NextClaims, StartReviewing } from './next-claims.tsx';
import { Today } from './today.tsx';

/** The claims that are due first, the sums of worklists about money, what is new today, and the claim that was read last. */
export function StartPage() {
  const workspace = useWorkspace();
  const sync = useSync();
  const now = useNow();
  const { settings } = useWorkspaceSettings();
  const counts = useWorklistCounts();
  const lastReceipt = sync.status?.lastReceipt ?? null;
  const today = localDayOf(now);
  const period = reviewPeriodOf(settings, workspace.id, today);
  if (sync.status !== undefined && lastReceipt === null && sync.status.running === null) {
    return (
      <Page title="Start" documentTitle="Start">
        <NotSynced isResumable={sync.status.isResumable} />
      </Page>
    );
  }
  const isFinal = areFinal(counts);
  const isEmpty = counts?.worklists.every(({ claims }) => claims === 0) === true;
  const isSorted = counts !== undefined && (isFinal || !isEmpty);
  return (
    <Page
      title="Start"
      documentTitle="Start"
      actions={counts !== undefined && !isEmpty && <StartReviewing today={today} />}
    >
      <FeedWarningNotice warning={counts?.feedWarning ?? null} />
      <BackupNotice />
      <RulesNotice />
      <MovedNotice moved={isFinal ? (counts?.moved ?? null) : null} />
      <Columns>
        <Wide>
          <Section
            title="Next"
            beside={
              <SmallPrint>
                Open claims from {formatDay(period.from)}
                {period.on === null ? '' : ', and earlier ones in run-out or appeal time'}.{' '}
                <AnchorLink size="xs" to="/settings/$section" params={{ section: 'reviews' }}>
                  Change
                </AnchorLink>{' '}
                ·{' '}
                <AnchorLink size="xs" to="/worklists/$worklistId" params={{ worklistId: 'due' }}>
                  All deadlines
                </AnchorLink>
              </SmallPrint>
            }
          >
            {counts === undefined ? (
              <Hint>Counting claims…</Hint>
            ) : isEmpty ? (
              <NoWorklists counts={counts} status={sync.status} />
            ) : (
              <>
                {!isFinal && <Hint>Still counting: more claims follow.</Hint>}
                <NextClaims today={today} />
              </>
            )}
            <CountsDiffer />
          </Section>
        </Wide>
        <Stack gap={18}>
          {isSorted && <Money counts={counts} isFinal={isFinal} />}
          {isSorted && <Today counts={counts} today={today} />}
          <Continue />
        </Stack>
      </Columns>
    </Page>
  );
}

/** Shown until a sync has ended: the first step, which is a sync only if the service accepts the key. */
function NotSynced({ isResumable }: { isResumable: boolean }) {
  const sync = useSync();
  const step = useUnfinishedStep();
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
function Continue() {
  const { id: workspaceId } = useWorkspace();
  const memory = useListMemory();
  // Loaded together with the saved views.
  useWorkspaceQuery('views:list');
  const lastRead = memory.session.findLastRead(workspaceId);
  const row = useRowsById('claims', lastRead === null ? [] : [lastRead.claimId], [
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

type Progress = Pick<WorklistCounts, 'isCurrent' | 'hasReadAll'>;

/** Why no worklist has a claim, by the state of the counts: the sync's status may be newer than they are. */
export function describeNoWorklists(counts: Progress, status: SyncStatus | undefined): string {
  if (areFinal(counts)) return 'Nothing to do: every worklist is empty.';
  if (!counts.hasReadAll && status?.running) return 'Worklists follow when the sync is done.';
  if (!counts.hasReadAll && status?.isResumable) return 'The sync is not done. Worklists follow when it is.';
  return 'Sorting claims into worklists…';
}

/**
 * Shown in place of the worklists if none has a claim: the reason, and the progress of the sync that they depend on.
 */
function NoWorklists({ counts, status }: { counts: Progress; status: SyncStatus | undefined }) {
  const running = counts.hasReadAll ? null : (status?.running ?? null);
  const percent = running === null ? null : percentOf(running);
  return (
    <Stack gap={8}>
      <Hint>{describeNoWorklists(counts, status)}</Hint>
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

/** A warning where a backup folder is set, and nothing was backed up there for seven days. */
function BackupNotice() {
  const { data } = useDeskQuery('backup:getState', {});
  if (data?.isOverdue !== true) return null;
  return (
    <Notice tone="caution" title="No backup for seven days">
      {data.last === null ? 'None was made yet' : `The last one was made on ${formatDateTime(data.last.at)}`}.{' '}
      {data.sealedBy === null && 'Make a recovery code or set a backup passphrase first. '}
      <AnchorLink to="/settings/$section" params={{ section: 'data' }}>
        Open backups
      </AnchorLink>
    </Notice>
  );
}

/** The rules that do less than they were set to, each with the reason. */
function RulesNotice() {
  const { data } = useWorkspaceQuery('rules:list');
  return (data?.rules ?? []).flatMap(({ rule, acts, why }) =>
    acts === rule.state || why === null ? (
      []
    ) : (
      <Notice key={rule.id} tone="caution" title={`Rule ${rule.name}: ${ruleStateLabels[acts]} only`}>
        <Text size="sm">
          {why}{' '}
          <AnchorLink to="/settings/rules/$ruleId" params={{ ruleId: rule.id }}>
            Open rule
          </AnchorLink>
        </Text>
      </Notice>
    ),
  );
}
