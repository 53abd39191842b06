import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReviewEvent } from '../../../rules/review/review.ts';
import { useAsk, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { takePress } from '../../lib/presses.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { labelOfUndo } from './undo-route.ts';
import { orderOf, sayFailed } from './use-review.ts';

/** Undoes the newest act, or the newest on one claim, and shows a message with the act and its claims. */
export function useUndoNewest(claimId?: number) {
  const { id: workspaceId } = useWorkspace();
  const ask = useAsk();
  const cache = useQueryClient();
  const of = { workspaceId, ...(claimId === undefined ? {} : { claimId }) };
  return useMutation({
    scope: orderOf(workspaceId),
    gcTime: 0,
    mutationFn: async (): Promise<ReviewEvent | null> => {
      const { event } = await ask('reviews:getUndo', of);
      if (event !== null) await ask('reviews:undo', { eventId: event.id });
      return event;
    },
    onSuccess: (event) => {
      void cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('reviews', workspaceId) });
      showNotice(
        'review',
        event === null
          ? { title: 'Nothing to undo', message: 'No review has been saved yet.' }
          : { title: 'Undone', message: labelOfUndo(event) },
      );
    },
    onError: (error) => sayFailed('Couldn’t undo', error),
  });
}

/**
 * The newest act on a claim that can be undone, and a function to undo it. `isNewest`: Ctrl+Z would undo the same act.
 */
export function useUndoOf(claimId: number) {
  const event = useWorkspaceQuery('reviews:getUndo', { claimId }).data?.event ?? null;
  const newest = useWorkspaceQuery('reviews:getUndo').data?.event ?? null;
  const undoing = useUndoNewest(claimId);
  return {
    event,
    isNewest: event !== null && event.id === newest?.id,
    undo: () => takePress() && undoing.mutate(),
  };
}

/** Undoes acts, even if others followed; `onUndone` gets the ID of each once that is saved. */
export function useUndoEvent(onUndone?: (eventId: string) => void) {
  const { id: workspaceId } = useWorkspace();
  const ask = useAsk();
  const cache = useQueryClient();
  const undoing = useMutation({
    scope: orderOf(workspaceId),
    gcTime: 0,
    mutationFn: async (eventIds: readonly string[]) => {
      for (const eventId of eventIds) {
        await ask('reviews:undo', { eventId });
        onUndone?.(eventId);
      }
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('reviews', workspaceId) }),
    onError: (error) => sayFailed('Couldn’t undo', error),
  });
  return {
    undo: (...eventIds: readonly string[]) => takePress() && undoing.mutate(eventIds),
    isUndoing: undoing.isPending,
  };
}
