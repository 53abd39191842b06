import type { Input } from '../../../contract/procedures.ts';
import type { Settings } from '../../../contract/settings.ts';
import { settingsOf } from '../../../contract/workspace-settings.ts';
import type { TeamChange } from '../../../rules/review/team-settings.ts';
import { useDeskMutation, useWorkspaceMutation } from '../../lib/desk-query.ts';
import { useSettings } from '../../lib/use-settings.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** The settings that hold in a workspace, and how they are changed: its own ones, or those of its team for everyone in it. */
export function useWorkspaceSettings() {
  const workspace = useWorkspace();
  const ownSettings = useSettings();
  const setOwn = useDeskMutation('settings:set');
  const setTeam = useWorkspaceMutation('team:changeSettings');
  const settings: Settings = settingsOf(ownSettings, workspace);
  return {
    settings,
    isOfTeam: workspace.team !== undefined,
    isSaving: setOwn.isPending || setTeam.isPending,
    error: setOwn.error ?? setTeam.error,
    save(changes: Input<'settings:set'>, ofTeam: TeamChange[]): void {
      if (workspace.team === undefined) setOwn.mutate(changes);
      else setTeam.mutate({ changes: ofTeam });
    },
  };
}
