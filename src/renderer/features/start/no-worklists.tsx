import { Stack } from '@mantine/core';
import type { SyncStatus } from '../../../contract/sync.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { describePhase, describeProgress, percentOf } from '../../domain/sync/sync-messages.ts';

/** Whether a sync has read everything once; claims that come before are in no worklist until then. */
const hasReadAll = ({ lastComplete, lastReceipt }: SyncStatus): boolean =>
  lastComplete !== null || lastReceipt?.outcome === 'notProven';

/** Why no worklist has a claim. `isCurrent`: all claims that were here when they were counted had been looked at. */
export function describeNoWorklists(isCurrent: boolean, status: SyncStatus | undefined): string {
  if (status !== undefined && !(isCurrent && hasReadAll(status))) {
    if (status.running !== null) return 'Worklists follow when the sync is done.';
    if (status.isResumable) return 'The sync is not done. Worklists follow when it is.';
  }
  return isCurrent ? 'Nothing to do: every worklist is empty.' : 'Sorting claims into worklists…';
}

/** In place of the worklists where none has a claim: why, and how far the sync is that they wait for. */
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
