import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addSums,
  isUnreadAmount,
  millionthsToSum,
  readMillionths,
  readTenThousandths,
  sumToMillionths,
  toCellAmount,
  writeMillionths,
} from '../../../../src/rules/money/amounts.ts';
import { amountSchema } from '../../../../src/rules/query.ts';

describe('an amount as it was sent', () => {
  it.each<[unknown, bigint]>([
    [200.5, 200_500_000n],
    ['200.50', 200_500_000n],
    [' -12.5 ', -12_500_000n],
    ['+3', 3_000_000n],
    ['1e2', 100_000_000n],
    ['$1,200.50', 1_200_500_000n],
    ['-$5', -5_000_000n],
    [0, 0n],
    [-0, 0n],
    [0.000001, 1n],
    [1e-7, 0n],
    ['0.0000005', 1n],
    ['-0.0000005', -1n],
    [0.1 + 0.2, 300_000n],
    [123456789.123456, 123_456_789_123_456n],
  ])('%j is %d millionths', (sent, millionths) => {
    expect(readMillionths(sent)).toBe(millionths);
    expect(isUnreadAmount(sent)).toBe(false);
  });

  it.each([null, undefined, '', '  '])('%j is blank, which is no zero', (sent) => {
    expect(readMillionths(sent)).toBeNull();
    expect(isUnreadAmount(sent)).toBe(false);
  });

  it.each<[unknown]>([
    ['abc'],
    ['12 dollars'],
    ['1,2,3'],
    ['1.2.3'],
    ['NaN'],
    ['0x10'],
    ['(5.00)'],
    ['1e9999'],
    ['99999999999999999999'],
    [true],
    [[]],
    [[5]],
    [{ amount: 5 }],
    [Number.POSITIVE_INFINITY],
  ])('%j can’t be a number', (sent) => {
    expect(readMillionths(sent)).toBeNull();
    expect(readTenThousandths(sent)).toBeNull();
    expect(isUnreadAmount(sent)).toBe(true);
  });
});

const millionths = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });

it('a cell and its rest are the amount, and the rest is at most half a cell', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), (amount) => {
      const { tenThousandths, rest } = toCellAmount(amount);
      expect(BigInt(tenThousandths) * 100n + BigInt(rest)).toBe(amount);
      expect(Math.abs(rest)).toBeLessThanOrEqual(50);
      expect(readMillionths(writeMillionths(amount))).toBe(amount);
    }),
  );
});

it('sums cross the bridge exactly, and add up exactly behind it', () => {
  fc.assert(
    fc.property(millionths, millionths, (left, right) => {
      const [a, b] = [millionthsToSum(left), millionthsToSum(right)];
      expect(amountSchema.parse(a)).toBe(a);
      expect(sumToMillionths(a)).toBe(left);
      expect(addSums(a, b)).toBe(millionthsToSum(left + right));
    }),
  );
  expect([millionthsToSum(2_005_000_00n), millionthsToSum(-1n), millionthsToSum(0n)]).toEqual([
    2_005_000,
    '-0.01',
    0,
  ]);
  expect([addSums(null, null), addSums(null, 5), addSums('0.50', '0.50')]).toEqual([null, 5, 1]);
});
