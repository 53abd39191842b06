import type { RuleStanding } from '../../src/contract/decision-rule-procedures.ts';
import type { DecisionRule } from '../../src/rules/decide/decision-rule.ts';

export const copayRule: DecisionRule = {
  ...{ id: '018f3a4e-0000-4000-8000-000000000001', version: 3, name: 'Copays in network' },
  ...{ state: 'propose', employers: [], act: { kind: 'eligible' }, most: 500_000, secondLook: 5 },
  conditions: [
    { field: 'network', operator: 'is', values: ['IN'] },
    { field: 'copayment', operator: 'moreThan', values: ['0'] },
  ],
  perDay: { claims: 200, amount: 100_000_000 },
  ...{ since: '2026-11-02T15:00:00.000Z', by: 'ann@acme.example', confirmedBy: null, amountRules: '' },
};

/** How a rule stands, with what a test says of it. */
export const standingOf = (part: Partial<RuleStanding> = {}): RuleStanding => ({
  ...{ rule: copayRule, acts: copayRule.state, why: null, proposed: { claims: 12, amount: 6_000_000 } },
  ...{ decided: 40, overturned: 1, checked: 0, checkAgreed: 0 },
  ...part,
});
