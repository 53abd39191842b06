import { StatusLink } from '../../components/status-link.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { summarizeTeam } from './describe-team.ts';

/** The state of the workspace's team, in one line of the top bar; nothing without a team. */
export function TeamStatusLine({ workspaceId }: { workspaceId: string }) {
  const { data } = useDeskQuery('team:getStatus', { workspaceId });
  if (data === undefined || data === null) return null;
  return <StatusLink to="/settings/$section" params={{ section: 'team' }} {...summarizeTeam(data)} />;
}
