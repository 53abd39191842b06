import { expect, test } from 'vitest';
import type { RuleTrial } from '../../../src/contract/decision-rule-procedures.ts';
import { sayTrial } from '../../../src/contract/say-trial.ts';

const trial: RuleTrial = {
  ...{ decisions: 0, agrees: 0, notStored: 0, notReplayed: 0, months: 0 },
  ...{ blank: [], differing: [], missing: [] },
  open: { claims: 1, amount: 500_000 },
};
const differing = (claims: number) =>
  Array.from({ length: claims }, (_none, claimId) => ({
    ...{ claimId, at: '', author: '', decided: '', byRule: '', amount: null },
  }));

test('a trial without decisions says so', () => {
  expect(sayTrial(trial)).toEqual([
    'No decisions of the last year to compare with.',
    'Would decide 1 open claim, $50.00.',
  ]);
});

test('says how many decisions agree, and how many of the others are listed', () => {
  const first = (part: Partial<RuleTrial>) => sayTrial({ ...trial, decisions: 4102, ...part })[0];
  expect(first({ agrees: 4102 })).toBe('Agrees in 4,102 of 4,102 decisions of the last year.');
  expect(first({ agrees: 4071, differing: differing(31) })).toBe(
    'Agrees in 4,071 of 4,102 decisions of the last year; below are the 31 that differ.',
  );
  expect(first({ agrees: 3800, differing: differing(200) })).toBe(
    'Agrees in 3,800 of 4,102 decisions of the last year; below are the newest 200 of the 302 that differ.',
  );
});

test('says what it can’t compare, and which conditions are false because a value is blank', () => {
  const blank = [
    { field: 'network', label: 'Network', claims: 312 },
    { field: 'eob_date', label: 'EOB date', claims: 1 },
  ];
  expect(sayTrial({ ...trial, notStored: 1, notReplayed: 2, blank }).slice(2)).toEqual([
    '1 decision can’t be compared: not every column of the rule was stored with it.',
    '2 decisions can’t be compared: how much an account paid depends on the family’s other claims then.',
    '312 claims have no network.',
    '1 claim has no EOB date.',
  ]);
});
