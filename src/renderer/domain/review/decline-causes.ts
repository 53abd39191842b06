import { causesOf, usualCauses } from '../../../contract/reimbursement.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { useSettings } from '../../lib/use-settings.ts';

const maxCauses = 50;
const maxCauseLength = 200;

/** One reason per line, each once; blank lines are ignored. */
export const readCauses = (typed: string): string[] =>
  [...new Set(typed.split('\n').map((line) => line.trim().slice(0, maxCauseLength)))]
    .filter((line) => line !== '')
    .slice(0, maxCauses);

/**
 * The reasons for declining claims that a workspace offers, and a function to change them. Null restores the usual
 * list.
 */
export function useDeclineCauses(workspaceId: string) {
  const { declineCauses } = useSettings();
  const set = useDeskMutation('settings:set');
  const { [workspaceId]: own, ...others } = declineCauses;
  return {
    causes: causesOf(declineCauses, workspaceId),
    hasOwn: own !== undefined && own.join('\n') !== usualCauses.join('\n'),
    isSaving: set.isPending,
    error: set.error,
    save: (causes: readonly string[] | null) =>
      set.mutate({
        declineCauses: causes === null ? others : { ...others, [workspaceId]: [...causes] },
      }),
  };
}
