import { expect, test } from 'vitest';
import { maxPayment, sumPayments } from '../../../../src/rules/money/reimbursement.ts';

test('no number of payments makes a sum that the store can’t add to those of millions of claims', () => {
  const many = (kind: 'reimbursed' | 'repaid') =>
    Array.from({ length: 10_000 }, () => ({ kind, amount: maxPayment }));
  expect(sumPayments(many('reimbursed'))).toBe(maxPayment);
  expect(sumPayments(many('repaid'))).toBe(-maxPayment);
  expect(sumPayments([...many('reimbursed'), ...many('repaid')])).toBe(0);
  expect(BigInt(maxPayment) * 9_000_000n).toBeLessThan(2n ** 63n);
});
