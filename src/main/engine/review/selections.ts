import { randomUUID } from 'node:crypto';
import type { Totals } from '../../../rules/query.ts';
import { type ClaimGroup, claimGroups } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import { toTotals } from '../store/record/exact-sums.ts';
import type { FrozenClaims } from '../store/record/reviewed-claims.ts';

/** The most selections that are kept; the oldest is dropped first. */
const maxSelections = 10;

/** Claims with their state when an act on them was requested; 17 bytes each. */
export interface Selection extends Omit<FrozenClaims, 'sums'> {
  readonly workspaceId: string;
  /** The last event at that time. */
  readonly end: { readonly seq: number; readonly id: string };
  /** The filter of the list, as JSON text; null where the claims do not come from a list. */
  readonly filter: string | null;
}

/** Keeps what the user was shown until they confirm it. */
export function createSelections<T extends { readonly workspaceId: string }>() {
  const open = new Map<string, T>();
  return {
    add(selection: T): string {
      const id = randomUUID();
      open.set(id, selection);
      const [oldest] = open.keys();
      if (open.size > maxSelections && oldest !== undefined) open.delete(oldest);
      return id;
    },
    /** @throws DeskError `review.noSelection` */
    get(workspaceId: string, id: string): T {
      const selection = open.get(id);
      if (selection === undefined || selection.workspaceId !== workspaceId)
        throw new DeskError('review.noSelection');
      return selection;
    },
    /** Called after the act: repeating it needs a new selection. */
    remove: (id: string): void => void open.delete(id),
  };
}

export type Selections<T extends { readonly workspaceId: string }> = ReturnType<typeof createSelections<T>>;

/** The claims of some groups of a selection; all claims if no groups are given. */
export function chooseGroups(selection: Selection, chosen: readonly ClaimGroup[] = claimGroups): Selection {
  const isChosen = claimGroups.map((group) => chosen.includes(group));
  const { claimIds, marks, groups } = selection;
  const isKept = (_value: number, at: number): boolean => isChosen[groups[at] as number] === true;
  return {
    ...selection,
    claimIds: claimIds.filter(isKept),
    marks: marks.filter(isKept),
    groups: groups.filter(isKept),
  };
}

/** Count and exact sums of selected claims by group. */
export function totalsByGroup({ groups, sums }: FrozenClaims): { group: ClaimGroup; totals: Totals }[] {
  const counts = claimGroups.map(() => 0);
  for (const group of groups) counts[group] = (counts[group] ?? 0) + 1;
  return claimGroups.flatMap((group, at) => {
    const count = counts[at] ?? 0;
    return count === 0 ? [] : [{ group, totals: toTotals(count, sums[at] ?? []) }];
  });
}
