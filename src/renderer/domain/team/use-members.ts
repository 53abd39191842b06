import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useHasTeam } from './use-has-team.ts';

/**
 * The emails of the people of the workspace's team who can review, this person's first; null where it has no team.
 */
export function useMembers(): readonly string[] | null {
  const { email } = useWorkspace();
  const hasTeam = useHasTeam();
  const { data } = useWorkspaceQuery('team:listMembers', {}, { enabled: hasTeam });
  if (!hasTeam) return null;
  const others = (data?.members ?? []).filter(({ role, isYou }) => role !== 'reader' && !isYou);
  return [email, ...others.map((member) => member.email).sort()];
}
