import { expect, it } from 'vitest';
import { findRules, toStoredRules } from '../../../src/contract/stored-rules.ts';
import type { DecisionRule } from '../../../src/rules/decide/decision-rule.ts';

const rule: DecisionRule = {
  ...{ id: '7e8f1c2a-0b3d-4c5e-8f60-112233445566', version: 1, name: 'Copays', state: 'watch' },
  conditions: [{ field: 'network', operator: 'is', values: ['IN'] }],
  ...{ employers: [], act: { kind: 'eligible' }, most: null, perDay: { claims: 10, amount: 1_000_000 } },
  ...{ secondLook: 5, since: '2026-11-01T00:00:00.000Z', by: 'ana@example.com', confirmedBy: null },
  amountRules: '',
};

it('keeps a rule of a newer version as stored, with those that it can read', () => {
  const newer = { ...rule, id: '7e8f1c2a-0b3d-4c5e-8f60-112233445567', act: { kind: 'newAct', of: 1 } };
  const at = '2026-11-01T00:00:00.000Z';
  const view = { id: 'v', createdAt: at, updatedAt: at, ...toStoredRules([], [newer, rule]) };
  const found = findRules([view]);
  expect(found).toEqual({ id: 'v', rules: [rule], unread: [newer] });
  expect(findRules([{ ...view, ...toStoredRules([], found.unread) }]).unread).toEqual([newer]);
  expect(findRules([{ ...view, query: 'no rules' }])).toEqual({ id: 'v', rules: [], unread: [] });
});
