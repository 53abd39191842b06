import { useMemo } from 'react';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useHasTeam } from './use-has-team.ts';

/** Returns whether an owner is not in the team. */
type IsOutsider = (person: string) => boolean;
const never: IsOutsider = () => false;

/** Returns the check for outsiders, which only a workspace with a team whose members are known has. */
export function useOutsiders(isOn = true): IsOutsider {
  const hasTeam = useHasTeam(isOn);
  const { data } = useWorkspaceQuery('team:listMembers', {}, { enabled: hasTeam });
  return useMemo(() => {
    if (!hasTeam || data === undefined) return never;
    const emails = new Set(data.members.map(({ email }) => email));
    return (person) => !emails.has(person);
  }, [hasTeam, data]);
}
