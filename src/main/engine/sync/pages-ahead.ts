import { DeskError } from '../../lib/errors.ts';
import type { DataApi, PageReply } from '../service/data-api.ts';
import type { PackedPage } from '../store/record/prepare-page.ts';
import type { SyncState } from '../store/sync/sync-state.ts';
import type { Store } from '../store/threads/store.ts';

/** A page that was received. In a first read it is prepared immediately, while the previous page is written. */
export interface Arrived extends PageReply {
  readonly packed: Promise<PackedPage> | null;
}

/** Requests the pages of the current list ahead, as many as the service handles well, and holds them. */
export function askAhead(
  sync: SyncState,
  { store, api, signal }: { readonly store: Store; readonly api: DataApi; readonly signal: AbortSignal },
  isPrepared: boolean,
) {
  const ahead = new Map<number, Promise<Arrived>>();
  let asking = new AbortController();

  const fetchPage = async (page: number): Promise<Arrived> => {
    const until = AbortSignal.any([signal, asking.signal]);
    const reply =
      sync.kind === 'members'
        ? await api.readMemberPage(page, sync.perPage, until)
        : await api.readClaimPage(page, sync.perPage, until);
    const packed = isPrepared ? store.prepare(sync.kind, reply.body, reply.requestId) : null;
    packed?.catch(() => undefined);
    return { ...reply, packed };
  };

  return {
    /**
     * Takes one page; `pages` is their number where known. Null where there is no such page: the list became shorter,
     * or the service answers with an error after the last page.
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
    /** Cancels the requests that were sent ahead, because pages of another size have other rows. */
    drop(): void {
      asking.abort();
      asking = new AbortController();
      ahead.clear();
    },
  };
}
