import {
  findWorklist,
  type SidebarList,
  sidebarLists,
  type Worklist,
  worklistTable,
} from '../../../rules/worklists/worklist-table.ts';
import { useHasTeam } from '../team/use-has-team.ts';

/** The worklists of a workspace: without a team, those are left out that only a team has claims in. */
export function useWorklists(): readonly Worklist[] {
  const hasTeam = useHasTeam();
  return worklistTable.filter(({ isOfTeam }) => hasTeam || !isOfTeam);
}

/** The lists of the sidebar: without a team, those of teams are left out. */
export function useSidebarLists(): readonly SidebarList[] {
  const hasTeam = useHasTeam();
  return sidebarLists.filter(({ tabs }) => hasTeam || !findWorklist(tabs[0]).isOfTeam);
}
