import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import type { ListRef } from '../../domain/list/list-ref.ts';
import type { Walk } from '../../domain/list/list-walk.tsx';
import { sayEndOfList } from '../../domain/list/say-end-of-list.ts';
import { type Stop, stopsFound, walkToFree } from '../../domain/list/walk-free.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { deskQuery, useDeskQuery } from '../../lib/desk-query.ts';

/**
 * The pairs of a claim, and stepping through the pairs of its list, each once. `page`: in a worklist of a team, this page's
 * name, for which claims are taken that nobody else has open.
 */
export function usePairWalk(workspaceId: string, claimId: number, from: ListRef, page: string | null) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const memory = useListMemory();
  const { list, at } = from;
  const source = list === undefined ? null : (memory.find(workspaceId, list)?.source ?? null);
  const snapshotId = source?.getState().snapshot?.snapshotId;
  const wantedOf = useCallback(
    (id: number, row: number | undefined) => ({
      workspaceId,
      claimId: id,
      ...(snapshotId === undefined || row === undefined ? {} : { place: { snapshotId, at: row } }),
    }),
    [workspaceId, snapshotId],
  );
  const query = useDeskQuery('duplicates:of', wantedOf(claimId, at));
  const walk = useRef<Walk | null>(null);
  /** The claim on the page: a judgment that is saved after the page was left opens no other page. */
  const shown = useRef(claimId);
  useEffect(() => {
    shown.current = claimId;
  });
  const prefetch = useCallback(
    (id: number, row: number) =>
      void cache.prefetchQuery(deskQuery(bridge, 'duplicates:of', wantedOf(id, row))),
    [cache, bridge, wantedOf],
  );
  const find = async (place: { snapshotId: string; at: number }, step: 1 | -1, isOpen: boolean) => {
    const { stop } = await ask(bridge, 'duplicates:findStop', { workspaceId, place, step, isOpen });
    return stop === null ? null : { id: stop.claimId, at: stop.at };
  };
  return {
    query,
    walk,
    prefetch,
    /** For previous and next; also stops at judged pairs, so that one can return to them. */
    findStop: (inSnapshot: string, row: number, step: 1 | -1): Promise<Stop | null> =>
      find({ snapshotId: inSnapshot, at: row }, step, false),
    /**
     * Stays on this claim if it has another pair to judge, else shows the next claim of the list that has one. @throws
     * DeskError
     */
    async goOn(): Promise<void> {
      const { data } = await query.refetch();
      if (data?.pairs.some(({ isOpen, isPassed }) => isOpen && !isPassed)) return;
      if (source === null || at === undefined || shown.current !== claimId) return;
      const findStops = stopsFound(source, (snapshot, row, step) =>
        find({ snapshotId: snapshot, at: row }, step, true),
      );
      const { stop, open } =
        page === null
          ? { stop: (await findStops(at + 1, 1, 1))[0], open: 0 }
          : await walkToFree({ bridge, source, page, findStops }, at, 1);
      if (shown.current !== claimId) return;
      if (stop) walk.current?.goTo(stop);
      else sayEndOfList('pair', open);
    },
  };
}
