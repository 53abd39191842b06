import type { RuleDraft } from './decision-rule.ts';

const dollar = 10_000;

/** The values of a new rule. */
export const startRule: Omit<RuleDraft, 'name' | 'act'> = {
  conditions: [],
  employers: [],
  most: 100 * dollar,
  perDay: { claims: 200, amount: 10_000 * dollar },
  secondLook: 5,
};
