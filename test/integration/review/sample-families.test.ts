import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FamilyMeter } from '../../../src/rules/plans/accumulators.ts';
import { openSample, type SampleSession } from '../../support/sample-session.ts';

let sample: SampleSession;

beforeAll(async () => {
  sample = await openSample(400, 3_000);
});
afterAll(() => sample?.close());

test('two employers of the sample have plan rules: a family meets its deductible, an account pays in layers, and a carrier disagrees', async () => {
  const { snapshotId, total } = await sample.call('records:open', { query: { entity: 'members' } });
  const window = { snapshotId, offset: 0, limit: total, fields: ['id'] };
  const { rows } = await sample.call('records:getWindow', window);
  const families: FamilyMeter[] = [];
  for (const { id } of rows) {
    const { planYears } = await sample.call('accumulators:family', { memberId: Number(id) });
    for (const planYear of planYears)
      families.push(
        ...(await sample.call('accumulators:family', { memberId: Number(id), planYear })).families,
      );
  }
  expect([...new Set(families.map(({ employerId }) => employerId))].toSorted()).toEqual([200, 202]);
  expect(families.every(({ employerName }) => employerName !== null)).toBe(true);
  expect(families.some(({ claims }) => claims.some((one) => one.disagreements.length > 0))).toBe(true);
  const deductibles = families.flatMap(({ meters }) => meters).filter(({ meter }) => meter === 'deductible');
  expect(deductibles.flatMap(({ persons }) => persons).some(({ metOn }) => metOn !== null)).toBe(true);

  const layered = families.find(({ account }) => (account?.family.used ?? 0) > 5_000_000);
  const parts = (layered?.claims ?? []).flatMap(({ account }) => account?.parts ?? []);
  const paidBy = (payer: 'member' | 'account') =>
    parts.reduce((sum, part) => sum + (part.payer === payer ? part.amount : 0), 0);
  expect([paidBy('member'), paidBy('account')]).toEqual([2_000_000, layered?.account?.family.used]);
});
