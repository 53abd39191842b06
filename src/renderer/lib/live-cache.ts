import type { QueryClient } from '@tanstack/react-query';
import type { DeskBridge } from '../../contract/bridge.ts';
import { type AnyEvent, type EventName, events } from '../../contract/events.ts';
import type { SyncStatus } from '../../contract/sync.ts';
import { keyPrefixes, prefixesMadeOldBy } from './query-keys.ts';

/** Keeps the query cache current by the backend's events. Returns the function that ends it. */
export function keepCacheLive(bridge: DeskBridge, cache: QueryClient): () => void {
  /** Running queries that an event made outdated. */
  const overtaken = new Set<string>();
  /**
   * Refetches what is outdated. A query in progress is awaited and then repeated once: its answer may be from before
   * the event, and restarting it on each event of a sync would start sums over all claims again and again.
   */
  const renew = (queryKey: readonly unknown[]): void => {
    for (const query of cache.getQueryCache().findAll({ queryKey })) {
      if (query.state.fetchStatus !== 'fetching' || overtaken.has(query.queryHash)) continue;
      overtaken.add(query.queryHash);
      const again = () => {
        overtaken.delete(query.queryHash);
        void cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
      };
      void query.promise?.then(again, again);
    }
    void cache.invalidateQueries({ queryKey }, { cancelRefetch: false });
  };
  const apply = (event: AnyEvent) => {
    if (event.name === 'sync:progress') {
      const running = event.payload;
      cache.setQueryData<SyncStatus>(keyPrefixes.syncStatus(running.workspaceId), (status) =>
        status === undefined ? status : { ...status, running },
      );
      return;
    }
    if (event.name === 'sync:paused' || event.name === 'sync:broken') {
      cache.setQueryData<SyncStatus>(keyPrefixes.syncStatus(event.payload.workspaceId), (status) =>
        status === undefined ? status : { ...status, running: null },
      );
    }
    if (event.name === 'sync:finished') {
      const { workspaceId, receipt } = event.payload;
      cache.setQueryData<SyncStatus>(keyPrefixes.syncStatus(workspaceId), (status) =>
        status === undefined ? status : { ...status, running: null, lastReceipt: receipt },
      );
    }
    for (const queryKey of prefixesMadeOldBy(event)) renew(queryKey);
  };
  const ends = (Object.keys(events) as EventName[]).map((name) =>
    bridge.subscribe(name, (payload) => apply({ name, payload } as AnyEvent)),
  );
  bridge.onReconnected?.(() => renew([]));
  return () => {
    for (const end of ends) end();
  };
}
