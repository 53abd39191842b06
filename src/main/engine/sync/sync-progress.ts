import type { SyncProgress } from '../../../contract/sync.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ListKind } from '../store/record/list-kind.ts';
import type { PageOutcome } from '../store/sync/page-types.ts';
import type { SyncState } from '../store/sync/sync-state.ts';
import { countLeft } from './pass-rules.ts';

/** Reports progress at most four times a second. */
const minGapMs = 250;
/** The time over which speed is averaged, which makes it steady and still follows a service that becomes slower. */
const speedWindowMs = 15_000;

/** Counts what was read in this sync and reports, at limited intervals, the progress and the estimated time. */
export function createProgress(options: {
  workspaceId: string;
  syncId: string;
  clock: Clock;
  /** The length of the lists at the last sync. */
  expected: Readonly<Record<ListKind, number>>;
  onProgress: (progress: SyncProgress) => void;
}) {
  const { clock } = options;
  const samples = [{ atMs: clock.now(), read: 0 }];
  let readInRun = 0;
  let readInPass = 0;
  let reportedMs = 0;

  const report = (sync: SyncState, isForced: boolean): void => {
    const nowMs = clock.now();
    if (!isForced && nowMs - reportedMs < minGapMs) return;
    reportedMs = nowMs;
    while (samples.length > 1 && nowMs - (samples[0]?.atMs ?? 0) > speedWindowMs) samples.shift();
    const oldest = samples[0] as (typeof samples)[number];
    const seconds = (nowMs - oldest.atMs) / 1000;
    const recordsPerSecond = seconds > 0 ? (readInRun - oldest.read) / seconds : 0;
    samples.push({ atMs: nowMs, read: readInRun });
    const left = countLeft(sync, readInPass, options.expected);
    const isStarting = readInRun === 0;
    options.onProgress({
      workspaceId: options.workspaceId,
      syncId: options.syncId,
      phase: isStarting ? 'connecting' : sync.pass > 1 ? 'proving' : sync.kind,
      pass: sync.pass,
      read: readInPass,
      total: sync.total,
      recordsPerSecond: Math.round(recordsPerSecond),
      secondsLeft: left === null || recordsPerSecond === 0 ? null : Math.ceil(left / recordsPerSecond),
    });
  };

  return {
    report,
    beginPass(sync: SyncState): void {
      readInPass = (sync.nextPage - 1) * sync.perPage;
      report(sync, true);
    },
    addPage(sync: SyncState, outcome: PageOutcome): void {
      readInPass += outcome.records;
      readInRun += outcome.records;
      report(sync, false);
    },
  };
}
