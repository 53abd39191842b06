import { useMemo } from 'react';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useHasTeam } from './use-has-team.ts';

/** Whether somebody, as an owner, is not in the team. */
type IsOutsider = (person: string) => boolean;
const nobody: IsOutsider = () => false;

/** Only a workspace with a team whose members are known has outsiders. */
export function useOutsiders(workspaceId: string, isOn = true): IsOutsider {
  const hasTeam = useHasTeam(isOn ? workspaceId : undefined);
  const { data } = useDeskQuery('team:listMembers', { workspaceId }, { enabled: hasTeam });
  return useMemo(() => {
    if (!hasTeam || data === undefined) return nobody;
    const emails = new Set(data.members.map(({ email }) => email));
    return (person) => !emails.has(person);
  }, [hasTeam, data]);
}
