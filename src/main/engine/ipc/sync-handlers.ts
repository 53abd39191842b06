import type { Handlers } from '../../../contract/procedures.ts';
import type { SyncProgress, SyncReceipt } from '../../../contract/sync.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { DataApi } from '../service/data-api.ts';
import { createPageSizes, type PageSizes } from '../service/page-sizes.ts';
import type { Store } from '../store/threads/store.ts';
import { isRefreshDue } from '../sync/auto-refresh.ts';
import { fetchNarrow } from '../sync/narrow-fetch.ts';
import { judgeQuickRefresh, runQuickRefresh } from '../sync/quick-refresh.ts';
import { answerLoss, createFailureList, type FailureList, newRunId, runSync } from '../sync/run-sync.ts';
import type { EngineState } from './engine-state.ts';

interface Running {
  progress: SyncProgress;
  readonly canceling: AbortController;
  readonly pausing: AbortController;
  finished: Promise<unknown>;
}

/** What an operation with the service receives. */
interface Work {
  readonly runId: string;
  readonly store: Store;
  readonly api: DataApi;
  readonly pageSizes: PageSizes;
  readonly failures: FailureList;
  readonly entry: Running;
  readonly tell: (progress: SyncProgress) => void;
  readonly onChanged: () => void;
}

type Names =
  | 'sync:start'
  | 'sync:cancel'
  | 'sync:pause'
  | 'sync:refresh'
  | 'sync:answerLoss'
  | 'sync:refreshRecord'
  | 'sync:listChanges'
  | 'sync:getStatus';

/** Changes of rows are reported at most this often. */
const changedGapMs = 1_000;

/** Starts and stops syncs and reports on them; one at a time in each workspace. */
export function createSyncHandlers(
  state: EngineState,
  ports: {
    /** Records were written: what follows from them is brought up to date. */
    readonly wrote: (workspaceId: string) => Promise<void>;
  },
) {
  const running = new Map<string, Running>();
  const starting = new Set<string>();

  const prepare = async (workspaceId: string): Promise<Work> => {
    if (running.has(workspaceId) || starting.has(workspaceId)) throw new DeskError('sync.running');
    if (state.isReadOnly) throw new DeskError('profile.busy');
    starting.add(workspaceId);
    try {
      const runId = newRunId();
      const failures = createFailureList(state.clock);
      const api = await state.createApi(workspaceId, { onRetry: (error) => failures.add(error) });
      const { workspace } = await state.host.findWorkspace(workspaceId);
      const pageSizes = createPageSizes({
        kept: workspace.pageSize,
        nowMs: state.clock.now(),
        keep: (perPage) => state.host.keepPageSize({ workspaceId, perPage }),
      });
      const store = await state.getStore(workspaceId);
      let changedAtMs = 0;
      const entry: Running = {
        canceling: new AbortController(),
        pausing: new AbortController(),
        progress: {
          workspaceId,
          runId,
          phase: 'connecting',
          pass: 1,
          read: 0,
          total: null,
          recordsPerSecond: 0,
          secondsLeft: null,
        },
        finished: Promise.resolve(),
      };
      running.set(workspaceId, entry);
      return {
        runId,
        store,
        api,
        pageSizes,
        failures,
        entry,
        tell(progress) {
          entry.progress = progress;
          state.emit({ name: 'sync:progress', payload: progress });
        },
        onChanged() {
          if (state.clock.now() - changedAtMs < changedGapMs) return;
          changedAtMs = state.clock.now();
          state.emit({ name: 'records:changed', payload: { workspaceId } });
        },
      };
    } finally {
      starting.delete(workspaceId);
    }
  };

  const settle = (workspaceId: string): Promise<void> =>
    ports.wrote(workspaceId).catch((thrown) => logFailure(state.log, 'sync.unsettled', thrown));

  const finish = (workspaceId: string, receipt: SyncReceipt, error: DeskError | null): void => {
    state.log.write('sync.finished', { durationMs: Math.round(receipt.seconds * 1000) });
    if (error !== null) logFailure(state.log, 'sync.failed', error);
    state.emit({ name: 'records:changed', payload: { workspaceId } });
    state.emit({
      name: 'sync:finished',
      payload: { workspaceId, receipt, error: error === null ? null : toErrorReport(error) },
    });
  };

  /** Runs in the background, and reports how it ended. */
  const launch = (
    workspaceId: string,
    work: Work,
    run: () => Promise<{ receipt: SyncReceipt | null; error: DeskError | null }>,
  ): { runId: string } => {
    work.entry.finished = run().then(
      async ({ receipt, error }) => {
        await settle(workspaceId);
        running.delete(workspaceId);
        if (receipt !== null) finish(workspaceId, receipt, error);
        else state.emit({ name: 'sync:paused', payload: { workspaceId } });
      },
      (thrown) => {
        // The store itself failed: there is no receipt to keep.
        running.delete(workspaceId);
        logFailure(state.log, 'sync.broken', thrown);
        state.emit({ name: 'sync:broken', payload: { workspaceId, error: toErrorReport(thrown) } });
      },
    );
    return { runId: work.runId };
  };

  const start = async (workspaceId: string): Promise<{ runId: string }> => {
    const work = await prepare(workspaceId);
    return launch(workspaceId, work, () =>
      runSync({
        workspaceId,
        ...work,
        clock: state.clock,
        signal: work.entry.canceling.signal,
        pausing: work.entry.pausing.signal,
        onProgress: work.tell,
      }),
    );
  };

  /**
   * A proof in progress must not include records from elsewhere: it begins again. An open question about a loss
   * stays: refreshing one member is how a person checks whether the loss is real.
   */
  const dropProof = async (store: Store): Promise<void> => {
    const run = await store.read('readRun', null);
    if (run !== null && run.lossQuestion === null && run.passes.length > 0)
      await store.write('writeRun', null);
  };

  const offerQuickRefresh = async (store: Store) => {
    const { lastComplete } = await store.read('readReceipts', null);
    const run = await store.read('readRun', null);
    return judgeQuickRefresh(await store.read('readOrders', null), {
      hasComplete: lastComplete !== null,
      isAsking: (run?.lossQuestion ?? null) !== null,
    });
  };

  const refresh = async (workspaceId: string): Promise<{ runId: string }> => {
    const offer = await offerQuickRefresh(await state.getStore(workspaceId));
    if (!offer.isOffered) throw new DeskError('sync.quickUnavailable');
    const work = await prepare(workspaceId);
    return launch(workspaceId, work, async () => {
      await dropProof(work.store);
      return runQuickRefresh({
        ...work,
        clock: state.clock,
        signal: work.entry.canceling.signal,
        onPage(list, read, total) {
          work.tell({ ...work.entry.progress, phase: list, read, total });
          work.onChanged();
        },
      });
    });
  };

  const stop = async (workspaceId: string): Promise<void> => {
    const entry = running.get(workspaceId);
    entry?.canceling.abort();
    await entry?.finished;
  };

  const handlers: Handlers<Names> = {
    'sync:start': ({ workspaceId }) => start(workspaceId),
    'sync:refresh': ({ workspaceId }) => refresh(workspaceId),
    'sync:cancel': async ({ workspaceId }) => {
      await stop(workspaceId);
      return { isDone: true };
    },
    'sync:pause': async ({ workspaceId }) => {
      const entry = running.get(workspaceId);
      entry?.pausing.abort();
      await entry?.finished;
      return { isDone: true };
    },
    'sync:answerLoss': async ({ workspaceId, answer }) => {
      if (running.has(workspaceId) || starting.has(workspaceId)) throw new DeskError('sync.running');
      const store = await state.getStore(workspaceId);
      const losses = (await store.read('readRun', null))?.lossQuestion?.losses ?? [];
      const receipt = await answerLoss({ store, clock: state.clock }, answer);
      await state.auditAction(
        workspaceId,
        answer === 'accept' ? 'sync.lossAccepted' : 'sync.lossDeclined',
        Object.fromEntries(losses.map(({ list, missing }) => [list, missing])),
      );
      await settle(workspaceId);
      if (receipt !== null) finish(workspaceId, receipt, null);
      return { isDone: true };
    },
    'sync:refreshRecord': async ({ workspaceId, what }) => {
      const work = await prepare(workspaceId);
      const fetching = dropProof(work.store).then(() =>
        fetchNarrow(what, { ...work, clock: state.clock, signal: work.entry.canceling.signal }),
      );
      work.entry.finished = fetching.catch(() => undefined);
      try {
        const fetched = await fetching;
        await settle(workspaceId);
        return fetched;
      } finally {
        running.delete(workspaceId);
        state.emit({ name: 'records:changed', payload: { workspaceId } });
      }
    },
    'sync:listChanges': async ({ workspaceId, runId, change, offset, limit }) =>
      (await state.getStore(workspaceId)).read('listChanges', {
        runId: runId ?? null,
        change,
        offset,
        limit,
      }),
    'sync:getStatus': async ({ workspaceId }) => {
      const store = await state.getStore(workspaceId);
      const { last, lastComplete } = await store.read('readReceipts', null);
      const entry = running.get(workspaceId);
      const run = entry === undefined ? await store.read('readRun', null) : null;
      return {
        running: entry?.progress ?? null,
        lastReceipt: last,
        lastComplete,
        isResumable: run !== null && run.lossQuestion === null,
        isPaused: run?.isPaused ?? false,
        lossQuestion: run?.lossQuestion ?? null,
        quickRefresh: await offerQuickRefresh(store),
        isServiceReachable: state.isServiceReachable(workspaceId),
      };
    },
  };

  return {
    handlers,
    stop,
    stopAll: async () => {
      await Promise.all([...running.keys()].map(stop));
    },
    /** Refreshes where the last sync is older than this; quick where that is possible. */
    async refreshIfDue(workspaceId: string, minutes: number): Promise<boolean> {
      if (state.isReadOnly || running.has(workspaceId) || starting.has(workspaceId)) return false;
      const store = await state.getStore(workspaceId);
      const wanted = isRefreshDue({
        ...(await store.read('readReceipts', null)),
        run: await store.read('readRun', null),
        isQuickOffered: (await offerQuickRefresh(store)).isOffered,
        minutes,
        nowMs: state.clock.now(),
      });
      if (wanted === 'no') return false;
      await (wanted === 'quick' ? refresh(workspaceId) : start(workspaceId));
      return true;
    },
  };
}
