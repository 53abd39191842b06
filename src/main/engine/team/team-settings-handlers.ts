import type { EngineHandlers } from '../../../contract/procedures.ts';
import { listComputers } from './computer-state.ts';
import type { FollowedTeams } from './followed-teams.ts';
import { changeTeamSettings, readTeamSettings } from './hold-team-settings.ts';

/** The most changes of the history in one answer. */
const maxHistory = 500;

/** Answers the procedures about the settings of a team. */
export function createTeamSettingsHandlers({ ports, sessionOf, wake }: FollowedTeams) {
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
  } satisfies EngineHandlers;
}
