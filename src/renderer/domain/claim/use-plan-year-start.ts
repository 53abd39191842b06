import { employerKeyOf, serviceOf } from '../../../contract/reimbursement.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { useSettings } from '../../lib/use-settings.ts';

/**
 * The month in which plan years begin, 1 to 12: the employer's own where a person set it, else the general one. The
 * service does not send it. `employerId` null: the general one.
 */
export function usePlanYearStart(workspace: Workspace, employerId: number | null) {
  const { planYearStart, planYearStarts } = useSettings();
  const change = useDeskMutation('settings:set');
  const key = employerKeyOf(serviceOf(workspace), employerId);
  const own = employerId === null ? undefined : planYearStarts[key];
  return {
    start: own ?? planYearStart,
    error: change.error,
    setStart: (month: number): void =>
      change.mutate(
        employerId === null
          ? { planYearStart: month }
          : { planYearStarts: { ...planYearStarts, [key]: month } },
      ),
  };
}
