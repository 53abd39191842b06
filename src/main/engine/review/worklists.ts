import type { AnyEvent } from '../../../contract/events.ts';
import type { Output } from '../../../contract/procedures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store/threads/store.ts';

export interface WorklistPorts {
  readonly clock: Clock;
  readonly isReadOnly: boolean;
  readonly emit: (event: AnyEvent) => void;
  getStore(workspaceId: string): Promise<Store>;
  /** Failures of work that nobody waits for. */
  onFailed(thrown: unknown): void;
}

/**
 * Keeps duplicates and worklists current: after every change of the records, what changed is looked at again, one
 * workspace at a time.
 */
export function createWorklists(ports: WorklistPorts) {
  /** By workspace: the look that is running, and whether something changed since it began. */
  const running = new Map<string, { promise: Promise<void>; isAskedAgain: boolean }>();

  let isClosed = false;

  const lookOnce = async (workspaceId: string): Promise<boolean> => {
    const store = await ports.getStore(workspaceId);
    const findings = await store.read('lookForDuplicates', null);
    if (findings === null) return false;
    await store.write('writeDuplicates', { findings, at: new Date(ports.clock.now()).toISOString() });
    return true;
  };

  /** Brings a workspace up to date; a call during another one waits for a look that began after it. */
  const update = (workspaceId: string): Promise<void> => {
    if (ports.isReadOnly || isClosed) return Promise.resolve();
    const known = running.get(workspaceId);
    if (known !== undefined) {
      known.isAskedAgain = true;
      return known.promise;
    }
    const entry = { isAskedAgain: false, promise: Promise.resolve() };
    running.set(workspaceId, entry);
    entry.promise = (async () => {
      try {
        let isChanged = false;
        do {
          entry.isAskedAgain = false;
          isChanged = (await lookOnce(workspaceId)) || isChanged;
        } while (entry.isAskedAgain);
        if (isChanged) ports.emit({ name: 'worklists:changed', payload: { workspaceId } });
      } finally {
        running.delete(workspaceId);
      }
    })();
    return entry.promise;
  };

  return {
    update,
    /** Follows what the engine tells: changed records are looked at again behind it. */
    onEvent(event: AnyEvent): void {
      if (event.name === 'records:changed') update(event.payload.workspaceId).catch(ports.onFailed);
    },
    /** Waits for a running look, so that the records can be closed. */
    async stop(workspaceId: string): Promise<void> {
      await running.get(workspaceId)?.promise.catch(() => undefined);
    },
    async stopAll(): Promise<void> {
      isClosed = true;
      await Promise.allSettled([...running.values()].map(({ promise }) => promise));
    },
    async duplicatesOf(workspaceId: string, claimId: number): Promise<Output<'duplicates:of'>> {
      await update(workspaceId);
      const store = await ports.getStore(workspaceId);
      return { pairs: await store.read('describePairs', { claimId }) };
    },
  };
}

export type Worklists = ReturnType<typeof createWorklists>;
