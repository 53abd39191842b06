import type { Condition } from '../query.ts';
import { ruleFields } from './rule-fields.ts';

const paths = new Set(ruleFields.map(({ path }) => path));

/** The parts of a filter of claims that a rule can have: its conditions, its employers, and what it can't have. */
export function splitConditions(filter: readonly Condition[]): {
  conditions: Condition[];
  employers: number[];
  leftOut: Condition[];
} {
  const isOfEmployers = ({ field, operator }: Condition): boolean =>
    field === 'members.employer.id' && (operator === 'is' || operator === 'isOneOf');
  const others = filter.filter((one) => !isOfEmployers(one));
  return {
    conditions: others.filter(({ field }) => paths.has(field)),
    employers: filter.filter(isOfEmployers).flatMap(({ values }) => values.map(Number)),
    leftOut: others.filter(({ field }) => !paths.has(field)),
  };
}
