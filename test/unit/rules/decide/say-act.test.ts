import { expect, test } from 'vitest';
import type { RuleAct } from '../../../../src/rules/decide/decision-rule.ts';
import { sayRuleAct } from '../../../../src/rules/decide/say-act.ts';

const share = { by: 'share' as const, percent: 80 };

test.each<[RuleAct, string]>([
  [{ kind: 'eligible' }, 'Eligible by the rules'],
  [{ kind: 'partly', partly: share }, 'Partly eligible: 80%'],
  [
    {
      kind: 'partly',
      partly: { by: 'parts', without: ['copay', 'deductible'] },
      cause: 'Not in the plan',
    },
    'Partly eligible: all but deductible and copay, Not in the plan',
  ],
  [{ kind: 'notEligible', cause: 'Cosmetic' }, 'Not eligible: Cosmetic'],
  [
    { kind: 'waiting', onWhom: 'Carrier', reason: 'EOB requested', days: 1 },
    'Waiting on Carrier for 1 day: EOB requested',
  ],
  [{ kind: 'tag', tag: 'copay' }, 'Tag copay'],
  [{ kind: 'owner', owner: 'ben@acme.example' }, 'Owner ben@acme.example'],
])('%j in words', (act, words) => {
  expect(sayRuleAct(act)).toBe(words);
});
