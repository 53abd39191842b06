import type { WorklistCounts, WorklistId } from '../../../contract/worklists.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';

/** The counts of all worklists; those of before stay while newer ones are read. */
export function useWorklistCounts(workspaceId: string): WorklistCounts | undefined {
  return useDeskQuery('worklists:counts', { workspaceId }, { keepsPrevious: true }).data;
}

export const claimsIn = (counts: WorklistCounts | undefined, id: WorklistId): number =>
  counts?.worklists.find((one) => one.id === id)?.claims ?? 0;
