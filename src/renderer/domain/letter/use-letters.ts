import {
  findLetters,
  type LetterSettings,
  lettersOf,
  toStoredLetters,
} from '../../../contract/letter-settings.ts';
import { answerDaysOf, type LetterFacts } from '../../../contract/letters.ts';
import { serviceOf } from '../../../rules/money/reimbursement.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useDraft } from '../review/use-draft.ts';
import { useReview } from '../review/use-review.ts';
import { useHasTeam } from '../team/use-has-team.ts';
import { useWorkspaceSettings } from '../workspace/use-workspace-settings.ts';

/**
 * What letters of each employer say, and functions that change it: in a team for all of its computers. An employer without
 * its own, after `remove`, has what all employers without their own have (an empty ID).
 */
export function useLetters() {
  const isShared = useHasTeam();
  const views = useWorkspaceQuery('views:list');
  const save = useWorkspaceMutation('views:save');
  const remove = useWorkspaceMutation('views:remove');
  const share = useWorkspaceMutation('team:changeSettings');
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
      if (isShared) await share.mutateAsync({ changes: [{ setting: 'view', name, value: query }] });
      else await save.mutateAsync({ name, query, ...(id === null || isOfTeam ? {} : { id }) });
    },
    async remove(employer: string): Promise<void> {
      const { id, isOfTeam, settings } = lettersOf(stored, employer);
      const { name } = toStoredLetters(employer, settings);
      if (isOfTeam) await share.mutateAsync({ changes: [{ setting: 'view', name }] });
      else if (id !== null) await remove.mutateAsync({ id });
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Makes the changes between two values to a third one; what was not changed is as there. */
export function carryChanges<T>(from: T, to: T, now: T): T {
  if (!isRecord(from) || !isRecord(to) || !isRecord(now)) return isSameJson(from, to) ? now : to;
  const names = new Set([...Object.keys(from), ...Object.keys(to), ...Object.keys(now)]);
  const carried = [...names].map((name) => [name, carryChanges(from[name], to[name], now[name])]);
  return Object.fromEntries(carried.filter(([, value]) => value !== undefined)) as T;
}

/**
 * What letters of an employer say, as it is being edited: kept until it is saved or discarded (null), in Settings and on
 * claims. What a colleague saves meanwhile stays.
 */
export function useLetterDraft(
  employer: string,
  saved: LetterSettings,
): [settings: LetterSettings, change: (settings: LetterSettings | null, from?: LetterSettings) => void] {
  const [text, write] = useDraft(0, `letters of ${employer}`);
  const draft = text === null ? null : (JSON.parse(text) as { from: LetterSettings; to: LetterSettings });
  const change = (to: LetterSettings | null, from = saved) =>
    write(to === null || isSameJson(to, from) ? null : JSON.stringify({ from, to }));
  return [draft === null ? saved : carryChanges(draft.from, draft.to, saved), change];
}

/** Reads what a letter about a claim is made of; `facts` undefined: it is not read yet. */
export function useLetterFacts(claimId: number): { facts: LetterFacts | undefined; error: unknown } {
  const { data, error } = useWorkspaceQuery('records:getClaim', { id: claimId });
  const { review, error: reviewError } = useReview(claimId);
  const workspace = useWorkspace();
  const { reimbursementRules } = useWorkspaceSettings().settings;
  const memberId = data?.claim.members?.[0]?.id;
  const member = useWorkspaceQuery(
    'records:getMember',
    { id: memberId ?? 0, isLookup: true },
    { enabled: typeof memberId === 'number' },
  );
  if (data === undefined || review === undefined || member.isLoading)
    return { facts: undefined, error: error ?? reviewError };
  const { claim, carrier = null } = data;
  const answerDays = answerDaysOf(claim, { reimbursementRules, service: serviceOf(workspace) });
  const address = member.data?.member.address ?? null;
  return { facts: { claim, review, carrier, address, answerDays }, error: null };
}
