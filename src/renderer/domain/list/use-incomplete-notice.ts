import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** The notice beside totals that are incomplete because no full sync was done yet; null otherwise. */
export function useIncompleteNotice(): string | null {
  const { data } = useWorkspaceQuery('sync:getStatus');
  if (data === undefined || data.lastComplete !== null) return null;
  if (data.running !== null) return 'First sync in progress. Totals are not final.';
  return data.lastReceipt === null && !data.isResumable ? null : 'No full sync yet. Records may be missing.';
}
