import { employerKeyOf, serviceOf } from '../../contract/reimbursement.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Workspace } from '../../contract/workspace.ts';

/** Settings that version 0.2 stored by `workspace ID/employer ID`, or by workspace ID. An ID has no colon, an address has. */
type ByService = Pick<Settings, 'planYearStarts' | 'reimbursementRules'>;

export const hasOldKeys = ({ planYearStarts, reimbursementRules }: ByService): boolean =>
  [planYearStarts, reimbursementRules].some((values) =>
    Object.keys(values).some((key) => !key.includes(':')),
  );

/**
 * Stores them by service. Where workspaces of one service say different things, the first that a person added does; what a
 * workspace said that is no longer there goes.
 */
export function moveToServices<S extends ByService>(settings: S, workspaces: readonly Workspace[]): S {
  const move = <T>(values: Readonly<Record<string, T>>): Record<string, T> => {
    const moved = Object.fromEntries(Object.entries(values).filter(([key]) => key.includes(':')));
    for (const workspace of workspaces) {
      for (const [key, value] of Object.entries(values)) {
        const [id, employerId] = key.split('/');
        if (id !== workspace.id) continue;
        const newKey = employerKeyOf(
          serviceOf(workspace),
          employerId === undefined ? null : Number(employerId),
        );
        moved[newKey] ??= value;
      }
    }
    return moved;
  };
  return {
    ...settings,
    planYearStarts: move(settings.planYearStarts),
    reimbursementRules: move(settings.reimbursementRules),
  };
}
