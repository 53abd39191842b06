import { useMemo } from 'react';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useHasTeam } from './use-has-team.ts';

/** Returns whether an owner is not in the team. */
type IsOutsider = (person: string) => boolean;
const never: IsOutsider = () => false;

/** Returns the check for outsiders, which only a workspace with a team whose members are known has. */
export function useOutsiders(workspaceId: string, isOn = true): IsOutsider {
  const hasTeam = useHasTeam(isOn ? workspaceId : undefined);
  const { data } = useDeskQuery('team:listMembers', { workspaceId }, { enabled: hasTeam });
  return useMemo(() => {
    if (!hasTeam || data === undefined) return never;
    const emails = new Set(data.members.map(({ email }) => email));
    return (person) => !emails.has(person);
  }, [hasTeam, data]);
}
