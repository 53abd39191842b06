import { DeskError } from '../../lib/errors.ts';
import type { DataApi, PageReply } from '../service/data-api.ts';
import type { PackedPage } from '../store/record/prepare-page.ts';
import type { RunState } from '../store/sync/sync-state.ts';
import type { Store } from '../store/threads/store.ts';

/** A page that has arrived. In a first read it is prepared at once, while the one before is written. */
export interface Arrived extends PageReply {
  readonly packed: Promise<PackedPage> | null;
}

/** Asks for the pages of a run's list, as many ahead as the service handles well; they wait until they are written. */
export function askAhead(
  run: RunState,
  { store, api, signal }: { readonly store: Store; readonly api: DataApi; readonly signal: AbortSignal },
  isPrepared: boolean,
) {
  const ahead = new Map<number, Promise<Arrived>>();
  let asking = new AbortController();

  const fetchPage = async (page: number): Promise<Arrived> => {
    const until = AbortSignal.any([signal, asking.signal]);
    const reply =
      run.kind === 'members'
        ? await api.readMemberPage(page, run.perPage, until)
        : await api.readClaimPage(page, run.perPage, until);
    const packed = isPrepared ? store.prepare(run.kind, reply.body, reply.requestId) : null;
    packed?.catch(() => undefined);
    return { ...reply, packed };
  };

  return {
    /**
     * The page, of `pages` where that is known. Null where there is no such page: a list that shrank, or a service that
     * answers so after the last one.
     */
    async take(page: number, pages: number | null): Promise<Arrived | null> {
      const last = pages === null ? page : page + api.requestsAtOnce - 1;
      for (let next = page; next <= Math.max(page, last); next += 1) {
        if (ahead.has(next) || (next > page && pages !== null && next > pages)) continue;
        const reply = fetchPage(next);
        reply.catch(() => undefined);
        ahead.set(next, reply);
      }
      const taken = ahead.get(page) as Promise<Arrived>;
      ahead.delete(page);
      try {
        return await taken;
      } catch (thrown) {
        if (page > 1 && thrown instanceof DeskError && thrown.code === 'service.notFound') return null;
        throw thrown;
      }
    },
    /** Ends what was asked for ahead: pages of another size have other rows. */
    drop(): void {
      asking.abort();
      asking = new AbortController();
      ahead.clear();
    },
  };
}
