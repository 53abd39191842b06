import { useDeskQuery } from '../../lib/desk-query.ts';

/** Whether the workspace has a team that this computer is a member of, or was when the team was last heard of. */
export function useHasTeam(workspaceId: string | undefined): boolean {
  const { data } = useDeskQuery(
    'team:getStatus',
    { workspaceId: workspaceId ?? '' },
    { enabled: workspaceId !== undefined },
  );
  return data != null && data.state !== 'waiting';
}
