import type { Handlers } from '../../../contract/procedures.ts';
import type { SyncProgress } from '../../../contract/sync.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import { newRunId, runSync } from '../sync/run-sync.ts';
import type { EngineState } from './engine-state.ts';

interface Running {
  progress: SyncProgress;
  controller: AbortController;
  finished: Promise<void>;
}

/** Rows changed: told at most this often. */
const changedGapMs = 1_000;

/** Starts, stops and tells of syncs; one at a time in each workspace. */
export function createSyncHandlers(state: EngineState) {
  const running = new Map<string, Running>();
  const starting = new Set<string>();

  const start = async (workspaceId: string): Promise<{ runId: string }> => {
    if (running.has(workspaceId) || starting.has(workspaceId)) throw new DeskError('sync.running');
    if (state.isReadOnly) throw new DeskError('profile.busy');
    starting.add(workspaceId);
    try {
      const runId = newRunId();
      let failedRequests = 0;
      const api = await state.createApi(workspaceId, {
        onRetry: () => {
          failedRequests += 1;
        },
      });
      const store = await state.getStore(workspaceId);
      const controller = new AbortController();
      let changedAtMs = 0;
      const entry: Running = {
        controller,
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
      entry.finished = runSync({
        workspaceId,
        store,
        api,
        clock: state.clock,
        signal: controller.signal,
        runId,
        countFailedRequests: () => failedRequests,
        onProgress(progress) {
          entry.progress = progress;
          state.emit({ name: 'sync:progress', payload: progress });
        },
        onChanged() {
          if (state.clock.now() - changedAtMs < changedGapMs) return;
          changedAtMs = state.clock.now();
          state.emit({ name: 'records:changed', payload: { workspaceId } });
        },
      }).then(
        ({ receipt, error }) => {
          running.delete(workspaceId);
          state.log.write('sync.finished', {
            ...(error === null ? {} : { code: error.code }),
            durationMs: Math.round(receipt.seconds * 1000),
          });
          state.emit({ name: 'records:changed', payload: { workspaceId } });
          state.emit({
            name: 'sync:finished',
            payload: { workspaceId, receipt, error: error === null ? null : toErrorReport(error) },
          });
        },
        (thrown) => {
          // The store itself gave way: there is no receipt to be kept.
          running.delete(workspaceId);
          const error = toErrorReport(thrown);
          state.log.write('sync.broken', { code: error.code });
          state.emit({ name: 'sync:broken', payload: { workspaceId, error } });
        },
      );
      return { runId };
    } finally {
      starting.delete(workspaceId);
    }
  };

  const stop = async (workspaceId: string): Promise<void> => {
    const entry = running.get(workspaceId);
    entry?.controller.abort();
    await entry?.finished;
  };

  return {
    handlers: {
      'sync:start': ({ workspaceId }) => start(workspaceId),
      'sync:cancel': async ({ workspaceId }) => {
        await stop(workspaceId);
        return { isDone: true as const };
      },
      'sync:getStatus': async ({ workspaceId }) => {
        const store = await state.getStore(workspaceId);
        const { last, lastComplete } = await store.read('readReceipts', null);
        const entry = running.get(workspaceId);
        return {
          running: entry?.progress ?? null,
          lastReceipt: last,
          lastComplete,
          isResumable: entry === undefined && (await store.read('readRun', null)) !== null,
        };
      },
    } satisfies Handlers<'sync:start' | 'sync:cancel' | 'sync:getStatus'>,
    stop,
    stopAll: async () => {
      await Promise.all([...running.keys()].map(stop));
    },
  };
}
