import { expect, it } from 'vitest';
import { findOddPayments } from '../../../../src/rules/money/odd-payments.ts';

const at = '2026-03-01T12:00:00.000Z';
const of = (amount: number, day: string, payment: 'reimbursed' | 'repaid' = 'reimbursed') => ({
  ...{ amount, day, payment, at },
});

it('reports what is odd about stored payments, each separately', () => {
  expect(findOddPayments([of(100_000, '2026-03-01'), of(100_000, '2026-04-01')])).toEqual([]);
  expect(findOddPayments([of(12_345, '2026-03-01', 'repaid')])).toEqual([
    'Repaid $1.2345 has more than two decimals',
  ]);
  expect(findOddPayments([of(100_000, '2027-03-01')])).toEqual([
    'Reimbursed $10.00 is dated 2027-03-01, more than 31 days ahead',
  ]);
  expect(findOddPayments([{ ...of(100_000, '9999-12-31'), at: '9999-12-31T00:00:00.000Z' }])).toEqual([]);
});
