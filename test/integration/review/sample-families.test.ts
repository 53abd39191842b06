import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FamilyRow } from '../../../src/contract/accumulators.ts';
import { openSample, type SampleSession } from '../../support/sample-session.ts';

let sample: SampleSession;

beforeAll(async () => {
  sample = await openSample(400, 3_000);
}, 120_000);
afterAll(() => sample?.close());

test('two employers of the sample have plan rules: a family meets its deductible, an account pays in layers, and a carrier disagrees', async () => {
  const { families } = await sample.call('accumulators:list', { offset: 0, limit: 1_000 });
  expect([...new Set(families.map(({ employerId }) => employerId))].toSorted()).toEqual([200, 202]);
  const disagreeing = families.filter((one) => one.disagreeing > 0);
  expect(disagreeing.length).toBeGreaterThan(0);
  // The families of the largest differences come first, and one of these has met its deductible.
  const meters = [];
  for (const { memberId, planYear } of disagreeing) {
    const { family } = await sample.call('accumulators:family', { memberId, planYear });
    meters.push(...(family?.meters ?? []));
  }
  const deductibles = meters.filter(({ meter }) => meter === 'deductible');
  expect(deductibles.flatMap(({ persons }) => persons).some(({ metOn }) => metOn !== null)).toBe(true);

  const layered = families.find(({ account }) => account !== null && account.used > 5_000_000) as FamilyRow;
  const { memberId, planYear } = layered;
  const { family } = await sample.call('accumulators:family', { memberId, planYear });
  const parts = (family?.claims ?? []).flatMap(({ account }) => account?.parts ?? []);
  const paidBy = (payer: 'member' | 'account') =>
    parts.reduce((sum, part) => sum + (part.payer === payer ? part.amount : 0), 0);
  expect([paidBy('member'), paidBy('account')]).toEqual([2_000_000, layered.account?.used]);
});
