import type { ListQuery } from '../../../rules/query.ts';
import type { ReviewEvent } from '../../../rules/review/review.ts';
import { fullNameOf, type WorklistId, worklistIds } from '../../../rules/worklists/worklist-table.ts';
import type { ListSettings } from '../list/list-settings.ts';
import { describeClaims, describeFact } from './describe-event.ts';

/** The page that shows the claims of an event. `filter`: the filter of their list. */
type UndoRoute =
  | { readonly kind: 'claim' | 'duplicates'; readonly claimId: number }
  | { readonly kind: 'member'; readonly memberId: number }
  | { readonly kind: 'worklist'; readonly id: WorklistId; readonly filter: ListFilter }
  | { readonly kind: 'claims'; readonly filter: ListFilter };
type ListFilter = Pick<ListSettings, 'search' | 'conditions' | 'includesMissing'>;

/** The worklist that a list of claims is; undefined: it is none, or narrowed from several. */
const worklistIn = (conditions: ListFilter['conditions']): WorklistId | undefined => {
  const [only, ...more] = conditions.filter(({ field }) => field === 'worklist');
  return more.length > 0 || only?.operator !== 'is'
    ? undefined
    : worklistIds.find((id) => id === only.values[0]);
};

/** Null: many claims that came from no list, as payments of a file. */
export function findUndoRoute(
  event: Pick<ReviewEvent, 'fact' | 'claimId' | 'memberId' | 'filter'>,
): UndoRoute | null {
  const { fact, claimId, memberId } = event;
  if (memberId !== undefined) return { kind: 'member', memberId };
  if (claimId !== null) return { kind: fact.kind === 'judgeDuplicate' ? 'duplicates' : 'claim', claimId };
  if (event.filter === null) return null;
  const { search = '', conditions = [], includesMissing = false } = JSON.parse(event.filter) as ListQuery;
  const id = worklistIn(conditions);
  if (id === undefined) return { kind: 'claims', filter: { search, conditions, includesMissing } };
  const narrowed = conditions.filter(({ field }) => field !== 'worklist');
  return { kind: 'worklist', id, filter: { search, conditions: narrowed, includesMissing } };
}

function describeClaimsInList(event: ReviewEvent): string {
  const route = findUndoRoute(event);
  return `${describeClaims(event)}${route?.kind === 'worklist' ? ` in ${fullNameOf(route.id)}` : ''}`;
}

/** "Eligible, claim 20007", "No action, 35 claims in New". */
export const labelOfUndo = (event: ReviewEvent): string =>
  `${describeFact(event.fact, event.amounts)}, ${describeClaimsInList(event)}`;

/** On a claim's page: "Undo “Flagged”", "Undo “No action” on 35 claims in New". */
export const sayUndo = (event: ReviewEvent): string =>
  `Undo “${describeFact(event.fact, event.amounts)}”${event.claimId === null ? ` on ${describeClaimsInList(event)}` : ''}`;
