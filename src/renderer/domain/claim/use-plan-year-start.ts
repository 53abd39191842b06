import type { Workspace } from '../../../contract/workspace.ts';
import { employerKeyOf, serviceOf } from '../../../rules/money/reimbursement.ts';
import { useWorkspaceSettings } from '../workspace/use-workspace-settings.ts';

/**
 * The month in which plan years begin, 1 to 12: the employer's own where a person set it, else the general one. The
 * service does not send it. `employerId` null: the general one.
 */
export function usePlanYearStart(workspace: Workspace, employerId: number | null) {
  const { settings, save, error } = useWorkspaceSettings(workspace);
  const { planYearStart, planYearStarts } = settings;
  const key = employerKeyOf(serviceOf(workspace), employerId);
  const own = employerId === null ? undefined : planYearStarts[key];
  return {
    start: own ?? planYearStart,
    error,
    setStart: (month: number): void =>
      save(
        employerId === null
          ? { planYearStart: month }
          : { planYearStarts: { ...planYearStarts, [key]: month } },
        [{ setting: 'planYearStart', employerId, value: month }],
      ),
  };
}
