import type { Handlers } from '../../../contract/procedures.ts';
import { listComputers } from '../team/computer-state.ts';
import { changeTeamSettings, readTeamSettings } from '../team/team-settings.ts';
import type { FollowedTeams } from './followed-teams.ts';

/** The most changes of the history in one answer. */
const maxHistory = 500;

/** Answers the procedures about the settings of a team. */
export function createTeamSettingsHandlers({
  ports,
  sessionOf,
  wake,
}: FollowedTeams): Handlers<'team:getSettings' | 'team:changeSettings'> {
  return {
    'team:getSettings': async ({ workspaceId }) => {
      const folded = await readTeamSettings(ports, workspaceId);
      return {
        settings: folded?.settings ?? null,
        current: folded?.current ?? [],
        history: folded?.history.toReversed().slice(0, maxHistory) ?? [],
        computers: await listComputers(ports, await sessionOf(workspaceId)),
      };
    },
    'team:changeSettings': async ({ workspaceId, changes }) => {
      await changeTeamSettings(ports, await sessionOf(workspaceId), changes);
      wake(workspaceId);
      return { isDone: true };
    },
  };
}
