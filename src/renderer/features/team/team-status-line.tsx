import { StatusLink } from '../../components/status-link.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { summarizeTeam } from './describe-team.ts';

/** The state of the workspace's team, in one line of the top bar; nothing without a team. */
export function TeamStatusLine() {
  const { data } = useWorkspaceQuery('team:getStatus');
  if (data === undefined || data === null) return null;
  return <StatusLink to="/settings/$section" params={{ section: 'team' }} {...summarizeTeam(data)} />;
}
