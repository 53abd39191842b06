import type { Input } from '../../../contract/procedures.ts';
import type { Condition, Group, Totals } from '../../../contract/query.ts';

export type Measure = 'billed' | 'allowed' | 'paid' | 'patientResponsibility' | 'count';

export const measures: readonly { value: Measure; label: string }[] = [
  { value: 'paid', label: 'Plan paid' },
  { value: 'billed', label: 'Billed' },
  { value: 'allowed', label: 'Allowed' },
  { value: 'patientResponsibility', label: 'Patient responsibility' },
  { value: 'count', label: 'Claims' },
];

/** One chart: its grouping, its order, and how many groups are shown. */
export interface InsightPlan {
  readonly by: string;
  readonly title: string;
  readonly head: string;
  readonly order: 'value' | 'measure';
  readonly maxGroups: number;
}

export const insightPlans: readonly InsightPlan[] = [
  { by: 'date_of_service.month', title: 'By month of service', head: 'Month', order: 'value', maxGroups: 24 },
  { by: 'service_provider', title: 'Top providers', head: 'Provider', order: 'measure', maxGroups: 10 },
  { by: 'status', title: 'By status', head: 'Status', order: 'measure', maxGroups: 12 },
  { by: 'type.name', title: 'By type', head: 'Type', order: 'measure', maxGroups: 12 },
  { by: 'network', title: 'By network', head: 'Network', order: 'measure', maxGroups: 12 },
  { by: 'members.employer.id', title: 'Top employers', head: 'Employer', order: 'measure', maxGroups: 10 },
];

/** The request of a chart to the engine. */
export function groupInput(
  workspaceId: string,
  plan: InsightPlan,
  measure: Measure,
  conditions: readonly Condition[],
): Input<'records:group'> {
  return {
    workspaceId,
    query: { entity: 'claims', ...(conditions.length > 0 ? { conditions: [...conditions] } : {}) },
    by: plan.by,
    order: plan.order === 'value' ? 'value' : measure,
    direction: 'desc',
    limit: plan.maxGroups,
  };
}

/** The exact figure of a bar; null: no claim of the group has the amount. */
export function measureOf(totals: Totals, measure: Measure): bigint | null {
  if (measure === 'count') return BigInt(totals.count);
  const sum = totals[measure];
  return sum === null ? null : BigInt(sum);
}

/**
 * Lengths of bars in percent of the longest, for figures of either sign. Any figure but zero has a visible bar; zero
 * and unknown have none.
 */
export function barLengths(figures: readonly (bigint | null)[]): number[] {
  const size = (figure: bigint | null): bigint => (figure === null ? 0n : figure < 0n ? -figure : figure);
  const max = figures.reduce<bigint>((largest, one) => (size(one) > largest ? size(one) : largest), 0n);
  return figures.map((figure) => {
    if (max === 0n || size(figure) === 0n) return 0;
    return Math.max(1, Number((size(figure) * 1000n) / max) / 10);
  });
}

/** The sum of the shown groups. */
export function sumOfGroups(groups: readonly Group[], measure: Measure): bigint | null {
  return groups.reduce<bigint | null>((sum, { totals }) => {
    const figure = measureOf(totals, measure);
    return figure === null ? sum : (sum ?? 0n) + figure;
  }, null);
}
