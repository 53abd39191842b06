import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

// What a newcomer sees first: nothing here may look like a test.

type Record_ = Readonly<Record<string, unknown>>;
let sandbox: Sandbox;
let claims: Record_[];
let members: Record_[];

beforeAll(async () => {
  sandbox = await startSandbox('--members', '60', '--claims', '600', '--corpus', 'ordinary');
  [claims, members] = await Promise.all([
    sandbox.truth<Record_>('claims'),
    sandbox.truth<Record_>('members'),
  ]);
});
afterAll(() => sandbox.stop());

test('names are those of ordinary people', () => {
  const names = [
    ...claims.flatMap(({ patient_name, service_provider }) => [patient_name, service_provider]),
    ...members.flatMap(({ first_name, last_name }) => [first_name, last_name]),
  ].filter((name) => name !== null);
  expect(names.length).toBeGreaterThan(1000);
  expect(
    names.filter((name) => !/^[\p{Script=Latin}][\p{Script=Latin} .,'’&-]*$/u.test(String(name))),
  ).toEqual([]);
});

test('amounts are whole cents and add up', () => {
  const cents = (value: unknown) =>
    value === null || value === undefined ? null : Math.round(Number(value) * 100);
  for (const claim of claims) {
    for (const [field, value] of Object.entries(claim)) {
      if (/amount|discount|responsib|reduction|copay|coins/.test(field) && typeof value === 'number') {
        expect(Math.abs(value * 100 - Math.round(value * 100))).toBeLessThan(1e-6);
      }
    }
    const [billed, discount, allowed] = [claim.amount_billed, claim.discount, claim.amount_allowed].map(
      cents,
    );
    if (claim.status === 'Processed' && discount !== null && claim.is_incomplete !== true) {
      // Those planted as lines that do not add up are ten dollars off.
      expect([0, 1000, 1]).toContain((billed ?? 0) - (discount ?? 0) - (allowed ?? 0));
    }
  }
});

test('what was turned down has a reason, and no date lies ahead', () => {
  const rejected = claims.filter(({ status }) => status === 'Rejected');
  const reasons = rejected.filter(({ remarks }) => typeof remarks === 'string' && remarks !== '');
  expect(rejected.length).toBeGreaterThan(20);
  expect(reasons.length / rejected.length).toBeGreaterThan(0.8);
  for (const { processed_on, eob_date, check_date } of claims) {
    for (const day of [processed_on, eob_date, check_date]) {
      if (typeof day === 'string') expect(day.slice(0, 10) <= '2026-11-20').toBe(true);
    }
  }
});

test('there are three employers, two plan years, and somebody archived', () => {
  const employers = new Set(members.map(({ employer }) => (employer as { name: string } | null)?.name));
  expect(employers).toEqual(new Set(['Harbor Freight Lines', 'Maple Grove Schools', 'Riverside Foods']));
  const years = new Set(
    claims.map(({ date_of_service }) => (date_of_service as { start: string }).start.slice(0, 4)),
  );
  expect(years).toContain('2025');
  expect(years).toContain('2026');
  expect(members.some(({ archived }) => archived === true)).toBe(true);
});
