import { createHash, randomUUID } from 'node:crypto';
import type { SyncProgress, SyncReceipt } from '../../../contract/sync.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { DataApi } from '../service/data-api.ts';
import type { Store } from '../store/store.ts';
import type { RunState } from '../store/sync-state.ts';
import { chooseNextPass, isSuddenLoss, judgeProof } from './pass-rules.ts';
import { createProgress } from './progress.ts';
import { readPass } from './read-pass.ts';

export interface SyncOptions {
  readonly workspaceId: string;
  readonly store: Store;
  readonly api: DataApi;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly runId: string;
  /** Requests of this run that failed and were tried again. */
  readonly countFailedRequests: () => number;
  readonly onProgress: (progress: SyncProgress) => void;
  readonly onChanged: () => void;
}

/** As many as the service is known to give in one page. */
const wantedPerPage = 1000;

/**
 * Reads members and claims until two successive full reads agree, or a limit is reached; resumes a run that
 * was interrupted. Resolves with the receipt in every case; `error` says why a run did not end well.
 */
export async function runSync(
  options: SyncOptions,
): Promise<{ receipt: SyncReceipt; error: DeskError | null }> {
  const { store, clock, signal } = options;
  const beganMs = clock.now();
  const run = (await store.read('readRun', null)) ?? beginRun(options.runId, clock);
  run.runId = options.runId;
  const progress = createProgress({ ...options, runId: options.runId });
  let error: DeskError | null = null;

  try {
    progress.tell(run, true);
    for (let isResumed = run.nextPage > 1; ; isResumed = false) {
      if (!isResumed) {
        const next = chooseNextPass(run.passes);
        if (next === null) break;
        Object.assign(run, { ...next, nextPage: 1, total: null, isSteady: true });
        await store.write('beginPass', run);
      }
      progress.beginPass(run);
      await readPass(run, {
        store,
        api: options.api,
        now: () => clock.now(),
        signal,
        onPage(now, outcome) {
          progress.addPage(now, outcome);
          if (outcome.added + outcome.changed + outcome.setAside > 0) options.onChanged();
        },
      });
      const seen = await store.write('digestPass', { kind: run.kind, pass: run.pass });
      run.passes.push({ kind: run.kind, pass: run.pass, ...seen, total: run.total, isSteady: run.isSteady });
      run.nextPage = 1;
      await store.write('writeRun', run);
    }
    await markGone(store, run, new Date(clock.now()).toISOString());
  } catch (thrown) {
    error = signal.aborted ? new DeskError('sync.canceled') : toDeskError(thrown);
  }

  run.failedRequests += options.countFailedRequests();
  const counts = await store.read('countRecords', null);
  const receipt = writeReceipt({ run, error, counts, beganMs, finishedMs: clock.now() });
  // A run that came to its end is over, proven or not; one that broke off goes on where it was.
  if (error === null || error.code === 'sync.suddenLoss') await store.write('writeRun', null);
  await store.write('writeReceipt', receipt);
  await store.write('optimize', null);
  if (error === null && receipt.proof !== 'complete') error = new DeskError('sync.notProven');
  return { receipt, error };
}

function beginRun(runId: string, clock: Clock): RunState {
  return {
    runId,
    startedAt: new Date(clock.now()).toISOString(),
    kind: 'members',
    pass: 1,
    nextPage: 1,
    perPage: wantedPerPage,
    passes: [],
    total: null,
    isSteady: true,
    pages: 0,
    failedRequests: 0,
  };
}

/** Marks what a proven read no longer returned, unless so much is missing that a person must look first. */
async function markGone(store: Store, run: RunState, at: string): Promise<void> {
  for (const kind of ['members', 'claims'] as const) {
    if (!judgeProof(run.passes, kind).isProven) continue;
    const pass = Math.max(...run.passes.filter((one) => one.kind === kind).map((one) => one.pass));
    const counts = await store.write('countUnseen', { kind, pass });
    if (isSuddenLoss(counts)) {
      throw new DeskError('sync.suddenLoss', { details: { here: counts.here, missing: counts.unseen } });
    }
    await store.write('markGone', { kind, pass, at });
  }
}

interface ReceiptParts {
  run: RunState;
  error: DeskError | null;
  counts: { members: number; dependents: number; claims: number; lines: number; setAside: number };
  beganMs: number;
  finishedMs: number;
}

function writeReceipt({ run, error, counts, beganMs, finishedMs }: ReceiptParts): SyncReceipt {
  const proofs = (['members', 'claims'] as const).map((kind) => judgeProof(run.passes, kind));
  const missing = proofs.find((proof) => !proof.isProven);
  const isComplete = error === null && missing === undefined;
  const digests = (['members', 'claims'] as const).map(
    (kind) => run.passes.findLast((pass) => pass.kind === kind)?.digest ?? '',
  );
  const failure = error?.code === 'sync.canceled' ? 'canceled' : 'failed';
  return {
    runId: run.runId,
    outcome: error !== null ? failure : isComplete ? 'complete' : 'notProven',
    proof: isComplete ? 'complete' : 'not-proven',
    reason: error?.message ?? (missing?.isProven === false ? missing.reason : null),
    errorCode: error?.code ?? null,
    requestId: error?.requestId ?? null,
    startedAt: run.startedAt,
    finishedAt: new Date(finishedMs).toISOString(),
    seconds: Math.max(0, finishedMs - beganMs) / 1000,
    passes: run.passes.length,
    pages: run.pages,
    failedRequests: run.failedRequests,
    members: counts.members,
    dependents: counts.dependents,
    claims: counts.claims,
    lines: counts.lines,
    setAside: counts.setAside,
    digest: createHash('sha256').update(digests.join('/')).digest('hex'),
  };
}

export const newRunId = (): string => randomUUID();
