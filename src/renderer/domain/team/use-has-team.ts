import { useDeskQuery } from '../../lib/desk-query.ts';

/** Whether the workspace has a team of which this computer is a member, as far as is known. */
export function useHasTeam(workspaceId: string | undefined): boolean {
  const { data } = useDeskQuery(
    'team:getStatus',
    { workspaceId: workspaceId ?? '' },
    { enabled: workspaceId !== undefined },
  );
  return data != null && data.state !== 'waiting';
}
