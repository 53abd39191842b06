import type { QueryClient } from '@tanstack/react-query';
import type { DeskBridge } from '../../contract/bridge.ts';
import { type AnyEvent, type EventName, events } from '../../contract/events.ts';
import type { SyncStatus } from '../../contract/sync.ts';
import { keyPrefixes, prefixesMadeOldBy } from './query-keys.ts';

/** Keeps the query cache true to what the backend tells. Returns the function that ends it. */
export function keepCacheLive(bridge: DeskBridge, cache: QueryClient): () => void {
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
    // While a sync writes, an answer that is still being made is waited for: asking again each second would
    // pile up sums over all claims. The end of the sync asks for everything once more.
    const cancelRefetch = event.name !== 'records:changed';
    for (const queryKey of prefixesMadeOldBy(event)) {
      void cache.invalidateQueries({ queryKey }, { cancelRefetch });
    }
  };
  const ends = (Object.keys(events) as EventName[]).map((name) =>
    bridge.subscribe(name, (payload) => apply({ name, payload } as AnyEvent)),
  );
  return () => {
    for (const end of ends) end();
  };
}
