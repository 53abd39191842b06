import {
  findWorklist,
  type SidebarList,
  sidebarLists,
  type Worklist,
  worklistTable,
} from '../../../rules/worklists/worklist-table.ts';
import { useHasTeam } from '../team/use-has-team.ts';

/** The worklists of a workspace: without a team, those are left out that only a team has claims in. */
export function useWorklists(workspaceId: string | undefined): readonly Worklist[] {
  const hasTeam = useHasTeam(workspaceId);
  return worklistTable.filter(({ isOfTeam }) => hasTeam || !isOfTeam);
}

/** The lists of the sidebar: without a team, those of teams are left out. */
export function useSidebarLists(workspaceId: string | undefined): readonly SidebarList[] {
  const hasTeam = useHasTeam(workspaceId);
  return sidebarLists.filter(({ tabs }) => hasTeam || !findWorklist(tabs[0]).isOfTeam);
}
