import type { SyncProgress } from '../../../contract/sync.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PageOutcome } from '../store/ingest.ts';
import type { RunState } from '../store/sync-state.ts';

/** At most four times a second; a person cannot read more. */
const leastGapMs = 250;

/** Counts what was read in this run and says, seldom enough, how far it is and how long it may take. */
export function createProgress(options: {
  workspaceId: string;
  runId: string;
  clock: Clock;
  onProgress: (progress: SyncProgress) => void;
}) {
  const { clock } = options;
  const beganMs = clock.now();
  let readInRun = 0;
  let readInPass = 0;
  let toldMs = 0;

  const tell = (run: RunState, isForced: boolean): void => {
    const nowMs = clock.now();
    if (!isForced && nowMs - toldMs < leastGapMs) return;
    toldMs = nowMs;
    const seconds = (nowMs - beganMs) / 1000;
    const recordsPerSecond = seconds > 0 ? readInRun / seconds : 0;
    // The list under way, and once more for its proof after a first read.
    const left =
      run.total === null ? null : Math.max(0, run.total - readInPass) + (run.pass === 1 ? run.total : 0);
    const isStarting = readInRun === 0;
    options.onProgress({
      workspaceId: options.workspaceId,
      runId: options.runId,
      phase: isStarting ? 'connecting' : run.pass > 1 ? 'proving' : run.kind,
      pass: run.pass,
      read: readInPass,
      total: run.total,
      recordsPerSecond: Math.round(recordsPerSecond),
      secondsLeft: left === null || recordsPerSecond === 0 ? null : Math.ceil(left / recordsPerSecond),
    });
  };

  return {
    tell,
    beginPass(run: RunState): void {
      readInPass = (run.nextPage - 1) * run.perPage;
      tell(run, true);
    },
    addPage(run: RunState, outcome: PageOutcome): void {
      readInPass += outcome.records;
      readInRun += outcome.records;
      tell(run, false);
    },
  };
}
