import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** Whether the workspace has a team of which this computer is a member, as far as is known. */
export function useHasTeam(enabled = true): boolean {
  const { data } = useWorkspaceQuery('team:getStatus', {}, { enabled });
  return data != null && data.state !== 'waiting';
}
