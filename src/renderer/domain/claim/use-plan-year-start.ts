import { employerKeyOf, serviceOf } from '../../../rules/money/reimbursement.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useWorkspaceSettings } from '../workspace/use-workspace-settings.ts';

/**
 * Reads and saves the month in which plan years begin, 1 to 12: the employer's own where the user set one,
 * else the general one. The service does not send it. `employerId` null: the general one.
 */
export function usePlanYearStart(employerId: number | null) {
  const workspace = useWorkspace();
  const { settings, save, error } = useWorkspaceSettings();
  const { planYearStart, planYearStarts } = settings;
  const key = employerKeyOf(serviceOf(workspace), employerId);
  const ownStart = employerId === null ? undefined : planYearStarts[key];
  return {
    start: ownStart ?? planYearStart,
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
