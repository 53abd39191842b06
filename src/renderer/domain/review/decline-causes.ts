import { causesOf, usualCauses } from '../../../rules/money/reimbursement.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useWorkspaceSettings } from '../workspace/use-workspace-settings.ts';

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
export function useDeclineCauses() {
  const workspace = useWorkspace();
  const { id: workspaceId } = workspace;
  const { settings, isSaving, error, save } = useWorkspaceSettings();
  const { declineCauses } = settings;
  const { [workspaceId]: ownCauses, ...others } = declineCauses;
  return {
    causes: causesOf(declineCauses, workspaceId),
    hasOwn: ownCauses !== undefined && ownCauses.join('\n') !== usualCauses.join('\n'),
    isSaving,
    error,
    save: (causes: readonly string[] | null) =>
      save({ declineCauses: causes === null ? others : { ...others, [workspaceId]: [...causes] } }, [
        { setting: 'declineCauses', ...(causes === null ? {} : { value: [...causes] }) },
      ]),
  };
}
