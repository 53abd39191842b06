import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import { localDayOf } from '../../../rules/days.ts';
import type { WorklistId } from '../../../rules/worklists/worklist-table.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/**
 * The counts of all worklists; the last ones stay while newer ones are read. On a new day they are read again: the
 * engine then checks the claims that the day concerns, and reports the changed lists and counts.
 */
export function useWorklistCounts(): WorklistCounts | undefined {
  const { id: workspaceId } = useWorkspace();
  const counts = useWorkspaceQuery('worklists:counts', {}, { keepsPrevious: true }).data;
  const cache = useQueryClient();
  const today = localDayOf(useNow());
  const countedOn = counts?.day;
  useEffect(() => {
    if (countedOn === undefined || countedOn === today) return;
    void cache.invalidateQueries({ queryKey: keyPrefixes.ofProcedure(workspaceId, 'worklists:counts') });
  }, [cache, countedOn, today, workspaceId]);
  return counts;
}

/** Whether the counts are of all claims: a sync has read them once, and all of them are sorted into worklists. */
export const areFinal = (counts: Pick<WorklistCounts, 'isCurrent' | 'hasReadAll'> | undefined): boolean =>
  counts?.isCurrent === true && counts.hasReadAll;

export const claimsIn = (counts: WorklistCounts | undefined, id: WorklistId): number =>
  counts?.worklists.find((worklist) => worklist.id === id)?.claims ?? 0;
