import type { Workspace } from '../../contract/workspace.ts';
import { useDeskQuery } from '../lib/desk-query.ts';

/** What is said beside the totals until a sync was complete: that they are not of everything. */
export function usePartialWords(workspace: Workspace): string | null {
  const { data } = useDeskQuery('sync:getStatus', { workspaceId: workspace.id });
  if (data === undefined || data.lastComplete !== null) return null;
  if (data.running !== null) return 'The first sync is under way: this is what has come so far.';
  return data.lastReceipt === null && !data.isResumable
    ? null
    : 'No sync was complete yet: records may be missing.';
}
