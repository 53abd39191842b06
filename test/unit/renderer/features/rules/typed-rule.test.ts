import { expect, test } from 'vitest';
import { newRule, readTyped, typedOf } from '../../../../../src/renderer/features/rules/typed-rule.ts';
import { type RuleAct, ruleDraftSchema } from '../../../../../src/rules/decide/decision-rule.ts';
import { copayRule } from '../../../../support/decision-rules.ts';

test.each<RuleAct>([
  { kind: 'eligible' },
  { kind: 'partly', partly: { by: 'share', percent: 33.33 } },
  { kind: 'partly', partly: { by: 'parts', without: ['deductible'] }, cause: 'Not in the plan' },
  { kind: 'notEligible', cause: 'Cosmetic' },
  { kind: 'waiting', onWhom: 'Carrier', reason: 'EOB requested', days: 14 },
  { kind: 'tag', tag: 'copay' },
  { kind: 'owner', owner: 'ben@acme.example' },
])('the form of a rule that acts as %j reads the same rule', (act) => {
  const rule = { ...copayRule, act };
  expect(readTyped(typedOf(rule))).toEqual(ruleDraftSchema.parse(rule));
});

test('a rule without a name, a condition, or a value of its act is incomplete', () => {
  const typed = { ...typedOf(copayRule) };
  expect(readTyped(typed)).not.toBeNull();
  for (const part of [
    { name: ' ' },
    { conditions: [] },
    { perDay: { claims: -1, amount: 0 } },
    { kind: 'notEligible' },
    { kind: 'waiting', onWhom: 'Carrier' },
    { kind: 'partly', partly: { by: 'share', without: [], percent: '' } },
  ] as Partial<typeof typed>[])
    expect(readTyped({ ...typed, ...part })).toBeNull();
  expect(readTyped(newRule)).toBeNull();
});
