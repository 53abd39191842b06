import {
  answerDaysOf,
  findLetters,
  type LetterFacts,
  type LetterSettings,
  lettersOf,
  toStoredLetters,
} from '../../../contract/letters.ts';
import { serviceOf } from '../../../rules/money/reimbursement.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useReview } from '../review/use-review.ts';
import { useHasTeam } from '../team/use-has-team.ts';
import { useWorkspaceSettings } from '../workspace/use-workspace-settings.ts';

/**
 * What letters of each employer say, and functions that change it: in a team for all of its computers. An employer without
 * its own, after `remove`, has what all employers without their own have (an empty ID).
 */
export function useLetters(workspaceId: string) {
  const isShared = useHasTeam(workspaceId);
  const views = useDeskQuery('views:list', { workspaceId });
  const save = useDeskMutation('views:save');
  const remove = useDeskMutation('views:remove');
  const share = useDeskMutation('team:changeSettings');
  const stored = findLetters(views.data?.views ?? []);
  return {
    views,
    isShared,
    isPending: save.isPending || remove.isPending || share.isPending,
    error: save.error ?? remove.error ?? share.error ?? null,
    of: (employer: string) => lettersOf(stored, employer),
    async save(employer: string, settings: LetterSettings): Promise<void> {
      const { name, query } = toStoredLetters(employer, settings);
      const { id, isOfTeam } = lettersOf(stored, employer);
      if (isShared)
        await share.mutateAsync({ workspaceId, changes: [{ setting: 'view', name, value: query }] });
      else await save.mutateAsync({ workspaceId, name, query, ...(id === null || isOfTeam ? {} : { id }) });
    },
    async remove(employer: string): Promise<void> {
      const { id, isOfTeam, settings } = lettersOf(stored, employer);
      const { name } = toStoredLetters(employer, settings);
      if (isOfTeam) await share.mutateAsync({ workspaceId, changes: [{ setting: 'view', name }] });
      else if (id !== null) await remove.mutateAsync({ workspaceId, id });
    },
  };
}

/** Reads what a letter about a claim is made of; `facts` undefined: it is not read yet. */
export function useLetterFacts(
  workspaceId: string,
  claimId: number,
): { facts: LetterFacts | undefined; error: unknown } {
  const { data, error } = useDeskQuery('records:getClaim', { workspaceId, id: claimId });
  const { review, error: reviewError } = useReview(workspaceId, claimId);
  const workspace = useWorkspace();
  const { reimbursementRules } = useWorkspaceSettings(workspace).settings;
  const memberId = data?.claim.members?.[0]?.id;
  const member = useDeskQuery(
    'records:getMember',
    { workspaceId, id: memberId ?? 0, isLookup: true },
    { enabled: typeof memberId === 'number' },
  );
  if (data === undefined || review === undefined || member.isLoading)
    return { facts: undefined, error: error ?? reviewError };
  const { claim, carrier = null } = data;
  const answerDays = answerDaysOf(claim, { reimbursementRules, service: serviceOf(workspace) });
  const address = member.data?.member.address ?? null;
  return { facts: { claim, review, carrier, address, answerDays }, error: null };
}
