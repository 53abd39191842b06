import { randomUUID } from 'node:crypto';
import {
  type FailedRequest,
  type LossQuestion,
  maxFailuresKept,
  type SyncProgress,
  type SyncReceipt,
} from '../../../contract/sync.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { toServiceTime } from '../service/service-clock.ts';
import type { ListKind } from '../store/record/list-kind.ts';
import { hasRules } from '../store/sync/retention.ts';
import type { SyncState } from '../store/sync/sync-state.ts';
import type { Store } from '../store/threads/store.ts';
import type { NarrowOptions } from './narrow-fetch.ts';
import { checkProof, chooseNextPass, isSuddenLoss, isTooOld, listKinds } from './pass-rules.ts';
import { readPass } from './read-pass.ts';
import { writeReceipt } from './receipt.ts';
import { createProgress } from './sync-progress.ts';

/** Collects the failed requests of a sync, including those that were retried. */
export interface FailureList {
  readonly count: number;
  readonly newest: readonly FailedRequest[];
  add(error: DeskError): void;
}

export function createFailureList(clock: Clock): FailureList {
  const newest: FailedRequest[] = [];
  let count = 0;
  return {
    newest,
    get count() {
      return count;
    },
    add(error) {
      count += 1;
      const at = new Date(clock.now()).toISOString();
      newest.push({ at, code: error.code, requestId: error.requestId ?? null });
      if (newest.length > maxFailuresKept) newest.shift();
    },
  };
}

/** `signal` cancels the sync: it ends with a receipt and can be continued. */
interface SyncOptions extends NarrowOptions {
  readonly workspaceId: string;
  /** Pauses the sync: it stops at its position, without a receipt. */
  readonly pausing?: AbortSignal;
  readonly failures: FailureList;
  readonly onProgress: (progress: SyncProgress) => void;
  readonly onChanged: (list: ListKind) => void;
}

/** How a sync ended; `receipt` is null where it was paused. */
export type SyncEnd =
  | { readonly receipt: SyncReceipt; readonly error: DeskError | null }
  | { readonly receipt: null; readonly error: null };

/**
 * Reads members and claims until two successive full reads agree, or a limit is reached; resumes a sync that was
 * interrupted, unless its reads are too old. Resolves with the receipt, except after a pause; `error` says why a
 * sync failed. Rejects only where the store itself fails.
 */
export async function runSync(options: SyncOptions): Promise<SyncEnd> {
  const { store, clock, signal } = options;
  const beganMs = clock.now();
  const sync = await resumeOrBegin(options);
  const changes = { syncId: sync.runId, keepsNew: !sync.isFirst };
  const { members, claims } = await store.read('countRecords', null);
  const progress = createProgress({ ...options, expected: { members, claims } });
  const stopping = AbortSignal.any([signal, ...(options.pausing === undefined ? [] : [options.pausing])]);
  let error: DeskError | null = null;

  try {
    progress.report(sync, true);
    for (let isResumed = sync.nextPage > 1; ; isResumed = false) {
      if (!isResumed) {
        const next = chooseNextPass(sync.passes);
        if (next === null) break;
        const passStartedAt = new Date(clock.now()).toISOString();
        const { current: perPage } = options.pageSizes;
        Object.assign(sync, { ...next, nextPage: 1, perPage, total: null, isSteady: true, passStartedAt });
        await store.write('beginPass', sync);
      }
      progress.beginPass(sync);
      await readPass(sync, {
        store,
        api: options.api,
        pageSizes: options.pageSizes,
        changes,
        now: () => clock.now(),
        signal: stopping,
        onBadPage: (failure) => options.failures.add(failure),
        onPage(now, outcome) {
          progress.addPage(now, outcome);
          if (outcome.added + outcome.changed + outcome.setAside > 0) options.onChanged(now.kind);
        },
      });
      await finishPass(sync, options);
    }
    await finishReads(sync, options);
  } catch (thrown) {
    if (!signal.aborted && options.pausing?.aborted === true) return pause(sync, options);
    error = signal.aborted ? new DeskError('sync.canceled') : toDeskError(thrown);
    if (error.code.startsWith('service.')) options.failures.add(error);
  }

  countFailures(sync, options.failures);
  const receipt = writeReceipt({
    sync,
    error,
    counts: await store.read('countRecords', null),
    changes: await store.read('readChangeCounts', { syncId: sync.runId }),
    beganMs,
    finishedMs: clock.now(),
    leavesOut: hasRules(await store.read('readLeavingRules', null)),
  });
  // The state of a sync that reached its end is removed, verified or not. A sync that was interrupted, or that waits for
  // an answer, is continued later.
  await store.write('writeSyncState', error === null ? null : sync);
  await store.write('writeReceipt', receipt);
  await store.write('optimize', null);
  if (error === null && receipt.proof !== 'complete') error = new DeskError('sync.notProven');
  return { receipt, error };
}

/** Continues the interrupted sync under a new ID; begins a new sync if there is none or it is too old. */
async function resumeOrBegin({ store, clock, syncId, pageSizes }: SyncOptions): Promise<SyncState> {
  const stored = await store.read('readSyncState', null);
  if (stored !== null) await store.write('renameChanges', { from: stored.runId, to: syncId });
  if (stored !== null && stored.lossQuestion === null && !isTooOld(stored, clock.now()))
    return { ...stored, runId: syncId, isPaused: false };
  if (stored !== null) await store.write('writeSyncState', null);
  const { members, claims } = await store.read('countRecords', null);
  const startedAt = new Date(clock.now()).toISOString();
  return {
    runId: syncId,
    startedAt,
    kind: 'members',
    pass: 1,
    nextPage: 1,
    perPage: pageSizes.current,
    passes: [],
    passStartedAt: startedAt,
    total: null,
    isSteady: true,
    pages: 0,
    failedRequests: 0,
    failures: [],
    isFirst: stored?.isFirst ?? members + claims === 0,
    isPaused: false,
    lossQuestion: null,
  };
}

async function finishPass(sync: SyncState, { store, clock }: SyncOptions): Promise<void> {
  const { kind, pass, total, isSteady, passStartedAt: startedAt } = sync;
  const seen = await store.write('digestPass', { kind, pass });
  const finishedAt = new Date(clock.now()).toISOString();
  sync.passes.push({ kind, pass, ...seen, total, isSteady, startedAt, finishedAt });
  sync.nextPage = 1;
  await store.write('writeSyncState', sync);
}

/**
 * Marks records that a verified read no longer returned, unless so much is missing that the user must be
 * asked first; and stores the order of the lists.
 *
 * @throws DeskError `sync.suddenLoss`
 */
async function finishReads(sync: SyncState, { store, api, clock }: SyncOptions): Promise<void> {
  await store.write('markClaimsRead', toServiceTime(api.serviceClock, clock.now()));
  const losses: LossQuestion['losses'] = [];
  const at = new Date(clock.now()).toISOString();
  for (const { kind, pass, isProven } of lastPassesOf(sync)) {
    await store.write('learnOrder', { kind, pass });
    if (!isProven) continue;
    const { here, unseen } = await store.write('countUnseen', { kind, pass });
    if (isSuddenLoss({ here, unseen })) losses.push({ list: kind, here, missing: unseen });
  }
  const [worst] = losses;
  if (worst !== undefined) {
    sync.lossQuestion = { askedAt: at, losses };
    throw new DeskError('sync.suddenLoss', { details: { ...worst } });
  }
  await markMissing(sync, store, at);
}

const lastPassesOf = (sync: SyncState) =>
  listKinds.flatMap((kind) => {
    const pass = sync.passes.findLast((entry) => entry.kind === kind)?.pass;
    return pass === undefined ? [] : [{ kind, pass, isProven: checkProof(sync.passes, kind).isProven }];
  });

async function markMissing(sync: SyncState, store: Store, at: string): Promise<void> {
  for (const { kind, pass, isProven } of lastPassesOf(sync)) {
    if (!isProven) continue;
    await store.write('markMissing', { kind, pass, at, changes: { syncId: sync.runId, keepsNew: true } });
  }
}

async function pause(sync: SyncState, { store, failures }: SyncOptions): Promise<SyncEnd> {
  countFailures(sync, failures);
  sync.isPaused = true;
  await store.write('writeSyncState', sync);
  return { receipt: null, error: null };
}

function countFailures(sync: SyncState, failures: FailureList): void {
  sync.failedRequests += failures.count;
  sync.failures = [...sync.failures, ...failures.newest].slice(-maxFailuresKept);
}

/**
 * Answers the question of a sudden loss. `accept` marks the records that the verified reads no longer returned and
 * returns the receipt of a complete sync; `decline` marks nothing, and the next sync reads everything again.
 *
 * @throws DeskError `sync.noLossQuestion` where there is no question, or its reads are too old
 */
export async function answerLoss(
  options: { store: Store; clock: Clock },
  answer: 'accept' | 'decline',
): Promise<SyncReceipt | null> {
  const { store, clock } = options;
  const sync = await store.read('readSyncState', null);
  if (sync === null || sync.lossQuestion === null) throw new DeskError('sync.noLossQuestion');
  if (answer === 'decline' || isTooOld(sync, clock.now())) {
    await store.write('writeSyncState', null);
    if (answer === 'accept') throw new DeskError('sync.noLossQuestion');
    return null;
  }
  const nowMs = clock.now();
  // The sync's time excludes how long the user took to answer.
  const tookMs = Date.parse(sync.lossQuestion.askedAt) - Date.parse(sync.startedAt);
  await markMissing(sync, store, sync.lossQuestion.askedAt);
  const receipt = writeReceipt({
    sync,
    error: null,
    counts: await store.read('countRecords', null),
    changes: await store.read('readChangeCounts', { syncId: sync.runId }),
    beganMs: nowMs - tookMs,
    finishedMs: nowMs,
    accepted: sync.lossQuestion,
    leavesOut: hasRules(await store.read('readLeavingRules', null)),
  });
  await store.write('writeSyncState', null);
  await store.write('writeReceipt', receipt);
  return receipt;
}

export const newSyncId = (): string => randomUUID();
