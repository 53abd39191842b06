import type { Workspace } from '../../../contract/workspace.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';

/** Said beside totals until a full sync was done: they are not of everything. */
export function usePartialWords(workspace: Workspace): string | null {
  const { data } = useDeskQuery('sync:getStatus', { workspaceId: workspace.id });
  if (data === undefined || data.lastComplete !== null) return null;
  if (data.running !== null) return 'First sync in progress. Totals are not final.';
  return data.lastReceipt === null && !data.isResumable ? null : 'No full sync yet. Records may be missing.';
}
