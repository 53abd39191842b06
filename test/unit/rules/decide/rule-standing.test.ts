import { describe, expect, it } from 'vitest';
import type { DecisionRule } from '../../../../src/rules/decide/decision-rule.ts';
import { findMissing, standingOf } from '../../../../src/rules/decide/rule-standing.ts';
import { foldTeamSettings, mayChange, type TeamChange } from '../../../../src/rules/review/team-settings.ts';

const rule: DecisionRule = {
  ...{ id: '00000000-0000-4000-8000-000000000001', version: 2, name: 'Copays', state: 'do' },
  conditions: [{ field: 'network', operator: 'is', values: ['IN'] }],
  ...{ employers: [], act: { kind: 'eligible' }, most: null, perDay: { claims: 10, amount: 1_000_000 } },
  ...{
    secondLook: 5,
    since: '2026-11-01T00:00:00.000Z',
    by: 'ada@acme.example',
    confirmedBy: null,
    amountRules: 'a',
  },
};
const none = { decided: 0, overturned: 0, checked: 0, checkAgreed: 0 };
const alone = { isOfTeam: false, amountRules: 'a' };

describe('a rule that is to decide', () => {
  it('decides as long as nothing prevents it', () => {
    expect(standingOf(rule, { ...none, decided: 299, overturned: 2 }, alone)).toEqual({
      acts: 'do',
      why: null,
    });
    expect(standingOf(rule, { ...none, decided: 301, overturned: 3 }, alone).acts).toBe('do');
    expect(standingOf(rule, { ...none, checked: 19, checkAgreed: 0 }, alone).acts).toBe('do');
    expect(standingOf({ ...rule, state: 'watch' }, none, alone)).toEqual({ acts: 'watch', why: null });
  });
  it('only proposes if it was overturned too often, or Second look disagreed', () => {
    expect(standingOf(rule, { ...none, decided: 300, overturned: 3 }, alone)).toEqual({
      acts: 'propose',
      why: 'It proposes because 3 of its 300 decisions of the last 30 days were overturned.',
    });
    expect(standingOf(rule, { ...none, checked: 20, checkAgreed: 19 }, alone).acts).toBe('propose');
  });
  it('only proposes after rules about amounts changed, and in a team until someone confirms', () => {
    expect(standingOf(rule, none, { ...alone, amountRules: 'b' }).acts).toBe('propose');
    expect(standingOf(rule, none, { ...alone, isOfTeam: true }).acts).toBe('propose');
    const confirmed = { ...rule, confirmedBy: 'ben@acme.example' };
    expect(standingOf(confirmed, none, { ...alone, isOfTeam: true }).acts).toBe('do');
  });
});

it('a trial shows what is missing', () => {
  expect(findMissing({ decisions: 200, agrees: 199, months: 2 })).toEqual([]);
  expect(findMissing({ decisions: 200, agrees: 198, months: 2 })).toEqual([
    'It has to agree with 99.5% of them; it agrees with 198 of 200.',
  ]);
  expect(findMissing({ decisions: 0, agrees: 0, months: 0 })).toHaveLength(2);
});

describe('in a team', () => {
  const [ada, ben] = ['ada@acme.example', 'ben@acme.example'];
  const change = (value?: DecisionRule): TeamChange => ({
    setting: 'decisionRule',
    id: rule.id,
    ...(value && { value }),
  });
  const fold = (...made: [author: string, role: 'admin' | 'reviewer', value?: DecisionRule][]) =>
    foldTeamSettings(
      made.map(([author, role, value], index) => ({
        ...{ at: `2026-11-0${index + 1}T00:00:00.000Z`, id: String(index), author, role },
        changes: [change(value)],
      })),
    ).decisionRules;
  const confirmed = { ...rule, confirmedBy: ben };

  it('an admin switches a rule on, and someone else confirms the same rule', () => {
    expect(fold([ada, 'admin', rule], [ben, 'admin', confirmed])).toEqual([confirmed]);
    expect(fold([ada, 'admin', rule], [ben, 'reviewer', confirmed])).toEqual([confirmed]);
  });
  it('no one confirms their own rule, another one than was requested, or in someone else’s name', () => {
    expect(fold([ada, 'admin', rule], [ada, 'admin', { ...rule, confirmedBy: ada }])).toEqual([rule]);
    expect(fold([ada, 'admin', rule], [ben, 'admin', { ...confirmed, most: 5 }])).toEqual([rule]);
    expect(fold([ada, 'admin', rule], [ada, 'admin', confirmed])).toEqual([rule]);
    expect(fold([ben, 'admin', rule])).toEqual([]);
    expect(fold([ben, 'admin', confirmed])).toEqual([]);
  });
  it('a reviewer changes and removes rules, but switches none on', () => {
    expect(mayChange('reviewer', change(rule), 1)).toBe(false);
    for (const admins of [1, 2]) {
      expect(mayChange('reviewer', change({ ...rule, state: 'propose' }), admins)).toBe(true);
      expect(mayChange('reviewer', change(confirmed), admins)).toBe(admins === 1);
    }
    expect(mayChange('reader', change(), 1)).toBe(false);
    expect(fold([ada, 'admin', rule], [ben, 'reviewer'])).toEqual([]);
    expect(fold([ben, 'reviewer', rule])).toEqual([]);
  });
});
