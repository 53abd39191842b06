import type { Condition } from '../query.ts';
import { ruleFields } from './rule-fields.ts';

const paths = new Set(ruleFields.map(({ path }) => path));

/**
 * Splits a filter of claims into conditions of a rule, employers, and conditions that a rule can't have. Two filters by
 * employer leave the employers that both have; if there are none, the second is left out, because a rule without
 * employers applies to all.
 */
export function splitConditions(filter: readonly Condition[]): {
  conditions: Condition[];
  employers: number[];
  leftOut: Condition[];
} {
  const conditions: Condition[] = [];
  const leftOut: Condition[] = [];
  let employers: number[] = [];
  for (const condition of filter) {
    const { field, operator } = condition;
    const isOfEmployers = field === 'members.employer.id' && (operator === 'is' || operator === 'isOneOf');
    const ids = isOfEmployers ? condition.values.map(Number) : [];
    const both = employers.length === 0 ? ids : ids.filter((id) => employers.includes(id));
    if (both.length > 0) employers = both;
    else (paths.has(field) ? conditions : leftOut).push(condition);
  }
  return { conditions, employers, leftOut };
}
