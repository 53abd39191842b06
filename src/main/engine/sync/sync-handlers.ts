import type { EngineProcedureName } from '../../../contract/procedures.ts';
import type { SyncProgress, SyncReceipt } from '../../../contract/sync.ts';
import { DeskError, toDeskError, toErrorReport } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { bindProcedures, type ProceduresOver } from '../ipc/bind-procedures.ts';
import type { DataApi } from '../service/data-api.ts';
import { createPageSizes, type PageSizes } from '../service/page-sizes.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { ListKind } from '../store/record/list-kind.ts';
import type { Store } from '../store/threads/store.ts';
import { fetchNarrow } from './narrow-fetch.ts';
import { describeQuickRefresh, runQuickRefresh } from './quick-refresh.ts';
import { isRefreshDue } from './refresh-due.ts';
import { answerLoss, createFailureList, type FailureList, newSyncId, runSync } from './run-sync.ts';

interface Running {
  progress: SyncProgress;
  readonly canceling: AbortController;
  readonly pausing: AbortController;
  finished: Promise<unknown>;
}

/** The syncs and refreshes in progress, one at a time in each workspace. */
interface Syncs {
  readonly state: EngineState;
  readonly running: Map<string, Running>;
  readonly starting: Set<string>;
  /** The failures after the last syncs, by workspace. */
  readonly unsettled: Map<string, DeskError>;
  /** Called after records were written; updates reviews and worklists. */
  wrote(workspaceId: string): Promise<void>;
  /** Called after that if all records were read and verified; `signal`: the sync was canceled or paused. */
  completed(workspaceId: string, signal?: AbortSignal): Promise<void>;
}

/** The input of an operation with the service. */
interface Work {
  readonly syncId: string;
  readonly store: Store;
  readonly api: DataApi;
  readonly pageSizes: PageSizes;
  readonly failures: FailureList;
  readonly entry: Running;
  /** The key that signs its requests. */
  readonly keyId: string | null;
  readonly report: (progress: SyncProgress) => void;
  readonly onChanged: (list: ListKind) => void;
}

type Names = Extract<EngineProcedureName, `sync:${string}`>;

/** Changes of a list's rows are reported at most this often, the first ones immediately. */
const changedGapMs = 1_000;

const isBusy = ({ running, starting }: Syncs, workspaceId: string): boolean =>
  running.has(workspaceId) || starting.has(workspaceId);

/** @throws DeskError `sync.running`, `profile.busy` */
async function prepare(syncs: Syncs, workspaceId: string): Promise<Work> {
  const { state, running, starting } = syncs;
  if (isBusy(syncs, workspaceId)) throw new DeskError('sync.running');
  if (state.isReadOnly) throw new DeskError('profile.busy');
  starting.add(workspaceId);
  try {
    const syncId = newSyncId();
    const failures = createFailureList(state.clock);
    const api = await state.createApi(workspaceId, { onRetry: (error) => failures.add(error) });
    const { workspace } = await state.main.findWorkspace(workspaceId);
    const pageSizes = createPageSizes({
      kept: workspace.pageSize,
      nowMs: state.clock.now(),
      keep: (perPage) => state.main.keepPageSize({ workspaceId, perPage }),
    });
    const store = await state.getStore(workspaceId);
    const unknown = { read: 0, total: null, recordsPerSecond: 0, secondsLeft: null };
    const entry: Running = {
      canceling: new AbortController(),
      pausing: new AbortController(),
      progress: { workspaceId, syncId, phase: 'connecting', pass: 1, ...unknown },
      finished: Promise.resolve(),
    };
    running.set(workspaceId, entry);
    const changedAtMs: Record<ListKind, number> = { members: 0, claims: 0 };
    return {
      syncId,
      store,
      keyId: workspace.keyId,
      api,
      pageSizes,
      failures,
      entry,
      report(progress) {
        entry.progress = progress;
        state.emit({ name: 'sync:progress', payload: progress });
      },
      onChanged(list) {
        if (state.clock.now() - changedAtMs[list] < changedGapMs) return;
        changedAtMs[list] = state.clock.now();
        state.emit({ name: 'records:changed', payload: { workspaceId } });
      },
    };
  } finally {
    starting.delete(workspaceId);
  }
}

/** Updates what depends on records; a failure is shown until the same update succeeds. */
async function reportWrote(
  { state, unsettled, wrote, completed }: Syncs,
  workspaceId: string,
  receipt: SyncReceipt | null = null,
  entry: Running | null = null,
): Promise<void> {
  const signal = entry === null ? undefined : AbortSignal.any([entry.canceling.signal, entry.pausing.signal]);
  try {
    await wrote(workspaceId);
    if (receipt?.outcome !== 'complete') return;
    await completed(workspaceId, signal);
    unsettled.delete(workspaceId);
  } catch (thrown) {
    const error = toDeskError(thrown);
    const isFault = error.code === 'internal.fault';
    unsettled.set(workspaceId, isFault ? new DeskError('sync.unsettled', { cause: thrown }) : error);
    logFailure(state.log, 'sync.unsettled', thrown);
  }
}

function finish(
  { state, unsettled }: Syncs,
  workspaceId: string,
  receipt: SyncReceipt,
  failure: DeskError | null,
): void {
  state.log.write('sync.finished', { durationMs: Math.round(receipt.seconds * 1000) });
  if (failure !== null) logFailure(state.log, 'sync.failed', failure);
  state.emit({ name: 'records:changed', payload: { workspaceId } });
  const shown = failure ?? unsettled.get(workspaceId);
  const error = shown === undefined ? null : toErrorReport(shown);
  state.emit({ name: 'sync:finished', payload: { workspaceId, receipt, error } });
}

/** Runs a sync in the background, and reports how it ended. */
function launch(
  syncs: Syncs,
  workspaceId: string,
  { syncId, entry, keyId }: Work,
  run: () => Promise<{ receipt: SyncReceipt | null; error: DeskError | null }>,
): { syncId: string } {
  const { state, running } = syncs;
  entry.finished = run().then(
    async ({ receipt, error }) => {
      await reportWrote(syncs, workspaceId, receipt, entry);
      running.delete(workspaceId);
      if (receipt?.outcome === 'complete' && keyId !== null)
        await state.main
          .keepKeyAccepted({ workspaceId, keyId })
          .catch((thrown) => logFailure(state.log, 'sync.keyNotNoted', thrown));
      if (receipt !== null) finish(syncs, workspaceId, receipt, error);
      else state.emit({ name: 'sync:paused', payload: { workspaceId } });
    },
    (thrown) => {
      // The store itself failed, so there is no receipt to store.
      running.delete(workspaceId);
      logFailure(state.log, 'sync.broken', thrown);
      state.emit({ name: 'sync:broken', payload: { workspaceId, error: toErrorReport(thrown) } });
    },
  );
  return { syncId };
}

async function startSync(syncs: Syncs, workspaceId: string): Promise<{ syncId: string }> {
  const { clock } = syncs.state;
  const work = await prepare(syncs, workspaceId);
  const { canceling, pausing } = work.entry;
  const signals = { signal: canceling.signal, pausing: pausing.signal };
  return launch(syncs, workspaceId, work, () =>
    runSync({ workspaceId, ...work, ...signals, clock, onProgress: work.report }),
  );
}

/**
 * Restarts the verifying reads of a sync in progress, because records were written outside of them. An open
 * question about a loss is kept: by refreshing one member, the user checks whether the loss is real.
 */
async function dropProof(store: Store): Promise<void> {
  const sync = await store.read('readSyncState', null);
  if (sync !== null && sync.lossQuestion === null && sync.passes.length > 0)
    await store.write('writeSyncState', null);
}

async function offerQuickRefresh(store: Store) {
  const { lastComplete } = await store.read('readReceipts', null);
  const sync = await store.read('readSyncState', null);
  return describeQuickRefresh(await store.read('readOrders', null), {
    hasComplete: lastComplete !== null,
    isAsking: (sync?.lossQuestion ?? null) !== null,
  });
}

async function startQuickRefresh(syncs: Syncs, workspaceId: string): Promise<{ syncId: string }> {
  const { state } = syncs;
  const offer = await offerQuickRefresh(await state.getStore(workspaceId));
  if (!offer.isOffered) throw new DeskError('sync.quickUnavailable');
  const work = await prepare(syncs, workspaceId);
  return launch(syncs, workspaceId, work, async () => {
    await dropProof(work.store);
    return runQuickRefresh({
      ...work,
      clock: state.clock,
      signal: work.entry.canceling.signal,
      onPage(list, read, total) {
        work.report({ ...work.entry.progress, phase: list, read, total });
        work.onChanged(list);
      },
    });
  });
}

async function stopSync(
  { running }: Syncs,
  workspaceId: string,
  how: 'canceling' | 'pausing',
): Promise<void> {
  const entry = running.get(workspaceId);
  entry?.[how].abort();
  await entry?.finished;
}

const syncProcedures: ProceduresOver<Names, Syncs> = {
  'sync:start': (syncs, { workspaceId }) => startSync(syncs, workspaceId),
  'sync:refresh': (syncs, { workspaceId }) => startQuickRefresh(syncs, workspaceId),
  'sync:cancel': async (syncs, { workspaceId }) => {
    await stopSync(syncs, workspaceId, 'canceling');
    return { isDone: true };
  },
  'sync:pause': async (syncs, { workspaceId }) => {
    await stopSync(syncs, workspaceId, 'pausing');
    return { isDone: true };
  },
  'sync:answerLoss': async (syncs, { workspaceId, answer }) => {
    const { state } = syncs;
    if (isBusy(syncs, workspaceId)) throw new DeskError('sync.running');
    const store = await state.getStore(workspaceId);
    const losses = (await store.read('readSyncState', null))?.lossQuestion?.losses ?? [];
    const receipt = await answerLoss({ store, clock: state.clock }, answer);
    await state.auditAction(
      workspaceId,
      answer === 'accept' ? 'sync.lossAccepted' : 'sync.lossDeclined',
      Object.fromEntries(losses.map(({ list, missing }) => [list, missing])),
    );
    await reportWrote(syncs, workspaceId, receipt);
    if (receipt !== null) finish(syncs, workspaceId, receipt, null);
    return { isDone: true };
  },
  'sync:refreshRecord': async (syncs, { workspaceId, what }) => {
    const { state, running } = syncs;
    const work = await prepare(syncs, workspaceId);
    const fetching = dropProof(work.store).then(() =>
      fetchNarrow(what, { ...work, clock: state.clock, signal: work.entry.canceling.signal }),
    );
    work.entry.finished = fetching.catch(() => undefined);
    try {
      const fetched = await fetching;
      await reportWrote(syncs, workspaceId);
      return fetched;
    } finally {
      running.delete(workspaceId);
      state.emit({ name: 'records:changed', payload: { workspaceId } });
    }
  },
  'sync:listChanges': async ({ state }, { workspaceId, syncId = null, ...page }) => {
    const person = (await state.main.findWorkspace(workspaceId)).workspace.email;
    return (await state.getStore(workspaceId)).read('listChanges', { syncId, person, ...page });
  },
  'sync:getStatus': async ({ state, running, unsettled }, { workspaceId }) => {
    const store = await state.getStore(workspaceId);
    const { last, lastComplete } = await store.read('readReceipts', null);
    const entry = running.get(workspaceId);
    const sync = entry === undefined ? await store.read('readSyncState', null) : null;
    const failure = unsettled.get(workspaceId);
    return {
      running: entry?.progress ?? null,
      lastReceipt: last,
      lastComplete,
      isResumable: sync !== null && sync.lossQuestion === null,
      isPaused: sync?.isPaused ?? false,
      lossQuestion: sync?.lossQuestion ?? null,
      unsettled: failure === undefined ? null : toErrorReport(failure),
      quickRefresh: await offerQuickRefresh(store),
      isServiceReachable: state.isServiceReachable(workspaceId),
    };
  },
};

/** Starts and stops syncs and reports their state; one at a time in each workspace. */
export function createSyncHandlers(state: EngineState, after: Pick<Syncs, 'wrote' | 'completed'>) {
  const syncs: Syncs = { state, ...after, running: new Map(), starting: new Set(), unsettled: new Map() };
  const stop = (workspaceId: string): Promise<void> => stopSync(syncs, workspaceId, 'canceling');
  return {
    handlers: bindProcedures(syncProcedures, () => syncs),
    stop,
    stopAll: async () => void (await Promise.all([...syncs.running.keys()].map(stop))),
    /** Refreshes if the last sync is older than this; a quick refresh where possible. */
    async refreshIfDue(workspaceId: string, minutes: number): Promise<boolean> {
      if (state.isReadOnly || isBusy(syncs, workspaceId)) return false;
      const store = await state.getStore(workspaceId);
      const due = isRefreshDue({
        ...(await store.read('readReceipts', null)),
        sync: await store.read('readSyncState', null),
        isQuickOffered: (await offerQuickRefresh(store)).isOffered,
        minutes,
        nowMs: state.clock.now(),
      });
      if (due === 'no') return false;
      await (due === 'quick' ? startQuickRefresh(syncs, workspaceId) : startSync(syncs, workspaceId));
      return true;
    },
  };
}
