import type { Input } from '../../../contract/procedures.ts';
import { addSums } from '../../../rules/money/amounts.ts';
import type { Amount, Condition, Group, Totals } from '../../../rules/query.ts';
import { type Figure, figures } from '../../domain/figure/figures.ts';

export type Measure = 'billed' | 'allowed' | 'paid' | 'patientResponsibility' | 'count';

export const measures: readonly { value: Measure; label: string }[] = [
  { value: 'paid', label: 'Plan paid' },
  { value: 'billed', label: 'Billed' },
  { value: 'allowed', label: 'Allowed' },
  { value: 'patientResponsibility', label: 'Patient responsibility' },
  { value: 'count', label: 'Claims' },
];

export const labelOf = (measure: Measure): string =>
  measures.find(({ value }) => value === measure)?.label ?? '';

/** A chart of the largest groups; its figure's name is its title. */
export interface RankingPlan {
  readonly by: string;
  readonly figure: Figure;
  readonly head: string;
  /** Always this figure, whatever is chosen for the page: the plan pays nothing for a rejected claim. */
  readonly measure?: Measure;
  readonly hasLongNames?: boolean;
}

export const maxRanked = 8;

export const rankingPlans: readonly RankingPlan[] = [
  {
    by: 'remarks',
    figure: figures.rejectedRemarks,
    head: 'Carrier’s reason',
    measure: 'count',
    hasLongNames: true,
  },
  { by: 'service_provider', figure: figures.byProvider, head: 'Provider' },
  { by: 'members.employer.name', figure: figures.byEmployer, head: 'Employer' },
];

type Grouping = Input<'records:group'>;

function groupInput(workspaceId: string, conditions: readonly Condition[], rest: Partial<Grouping>) {
  return {
    workspaceId,
    query: { entity: 'claims' as const, ...(conditions.length > 0 ? { conditions: [...conditions] } : {}) },
    by: 'status',
    ...rest,
  } satisfies Grouping;
}

/** The request of a ranking to the engine. */
export function rankingInput(
  workspaceId: string,
  plan: RankingPlan,
  measure: Measure,
  conditions: readonly Condition[],
): Grouping {
  return groupInput(workspaceId, [...conditions, ...plan.figure.counts], {
    by: plan.by,
    order: plan.measure ?? measure,
    direction: 'desc',
    // All employers, to know whether a claim counts in two.
    limit: plan.by.startsWith('members.') ? 1000 : maxRanked,
  });
}

/** Whether a claim counts in more than one of these groups, which are all groups of so many claims. */
export const hasDoubleCounts = (groups: readonly Pick<Group, 'totals'>[], claims: number): boolean =>
  groups.reduce((sum, { totals }) => sum + totals.count, 0) > claims;

/** Count and sums of the claims that match; the one group is their status. */
export const statusInput = (workspaceId: string, conditions: readonly Condition[]): Grouping =>
  groupInput(workspaceId, conditions, { limit: 1000 });

const toWhole = (sum: Amount | null): bigint | null => (sum === null ? null : BigInt(sum));

/** The figure of a bar, of amounts in whole ten-thousandths of a dollar; null: no claim of the group has the amount. */
export const measureOf = (totals: Totals, measure: Measure): bigint | null =>
  measure === 'count' ? BigInt(totals.count) : toWhole(totals[measure]);

/** The length of a bar, in dollars or claims. Only for drawing: the exact figure is written next to it. */
export function heightOf(figure: bigint | null, measure: Measure): number {
  const size = Number(figure ?? 0n);
  return measure === 'count' ? size : size / 10_000;
}

/**
 * Lengths of bars in percent of the longest, for figures of either sign. Any figure but zero has a visible bar; zero
 * and unknown have none.
 */
export function barLengths(figures: readonly (bigint | null)[]): number[] {
  const size = (figure: bigint | null): bigint => (figure === null ? 0n : figure < 0n ? -figure : figure);
  const max = figures.reduce<bigint>(
    (largest, figure) => (size(figure) > largest ? size(figure) : largest),
    0n,
  );
  return figures.map((figure) => {
    if (max === 0n || size(figure) === 0n) return 0;
    return Math.max(1, Number((size(figure) * 1000n) / max) / 10);
  });
}

/** The sum of the shown groups, added up exactly. */
export function sumOfGroups(groups: readonly Pick<Group, 'totals'>[], measure: Measure): bigint | null {
  if (measure === 'count') return BigInt(groups.reduce((sum, { totals }) => sum + totals.count, 0));
  return toWhole(groups.reduce<Amount | null>((sum, { totals }) => addSums(sum, totals[measure]), null));
}

/** How many amounts of these groups no figure counts, because they can't be numbers. */
export const countLeftOut = (groups: readonly Pick<Group, 'totals'>[], measure: Measure): number =>
  measure === 'count' ? 0 : groups.reduce((sum, { totals }) => sum + (totals.notCounted?.[measure] ?? 0), 0);
