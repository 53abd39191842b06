import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addSums,
  amountOfCell,
  isUnreadAmount,
  isUnreadCell,
  noCells,
  readTenThousandths,
  sumCells,
  toAmount,
  toAmountCell,
  writeAmountCell,
  writeDecimals,
} from '../../../../src/rules/money/amounts.ts';
import { amountSchema } from '../../../../src/rules/query.ts';

describe('an amount as it was sent', () => {
  it.each<[unknown, number]>([
    [200.5, 2_005_000],
    ['200.50', 2_005_000],
    [' -12.5 ', -125_000],
    ['+3', 30_000],
    ['1e2', 1_000_000],
    ['$1,200.50', 12_005_000],
    ['-$5', -50_000],
    [0, 0],
    [-0, 0],
    [0.0001, 1],
    [1e-7, 0],
    ['0.00005', 1],
    ['-0.00005', -1],
    ['0.00004', 0],
    [0.1 + 0.2, 3000],
    ['900719925474.0991', Number.MAX_SAFE_INTEGER],
  ])('%j is %d ten-thousandths', (sent, amount) => {
    expect(readTenThousandths(sent)).toBe(amount);
    expect(isUnreadAmount(sent)).toBe(false);
  });

  it.each([null, undefined, '', '  '])('%j is blank, which is no zero', (sent) => {
    expect(readTenThousandths(sent)).toBeNull();
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
    ['900719925474.0992'],
    [true],
    [[]],
    [[5]],
    [{ amount: 5 }],
    [Number.POSITIVE_INFINITY],
  ])('%j can’t be a number', (sent) => {
    expect(readTenThousandths(sent)).toBeNull();
    expect(isUnreadAmount(sent)).toBe(true);
  });
});

const anySum = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });

it('sums cross the bridge exactly, and add up exactly afterwards', () => {
  fc.assert(
    fc.property(anySum, anySum, (left, right) => {
      const [a, b] = [toAmount(left), toAmount(right)];
      expect(amountSchema.parse(a)).toBe(a);
      expect(BigInt(a)).toBe(left);
      expect(addSums(a, b)).toBe(toAmount(left + right));
    }),
  );
  expect([toAmount(2_005_000n), toAmount(-(10n ** 17n))]).toEqual([2_005_000, '-100000000000000000']);
  expect([addSums(null, null), addSums(null, 5), addSums(1, 2)]).toEqual([null, 5, 3]);
  expect([2_005_000, -1, '100000000000000000'].map(writeDecimals)).toEqual([
    '200.5',
    '-0.0001',
    '10000000000000',
  ]);
});

it.each<[string | number | boolean, string | number, string | null]>([
  [200.5, 2_005_000, '200.5'],
  ['200.50', 2_005_000, '200.5'],
  ['$1,200.50', 12_005_000, '1200.5'],
  ['$1.23456', 12_346, '1.2346'],
  [-0, 0, '0'],
  [0.12345, '0.12345', '0.12345'],
  [' 0.12345 ', '0.12345', '0.12345'],
  ['0.12345678901234567891', '0.12345678901234567891', '0.12345678901234567891'],
  ['', '', null],
  ['abc', 'abc', null],
  [true, 'true', null],
  [1e21, '1e+21', null],
])('%j is the cell %j of a row, and %j in a file', (sent, cell, written) => {
  expect(toAmountCell(sent)).toBe(cell);
  expect(amountOfCell(cell)).toBe(readTenThousandths(sent));
  expect(isUnreadCell(cell)).toBe(isUnreadAmount(sent));
  expect(writeAmountCell(cell)).toBe(written);
});

it('cells add up exactly, in one step or several, and a number is written as its exact decimals', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 50 }), (amounts) => {
      for (const amount of amounts) {
        const text = writeDecimals(amount);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,3}[1-9])?$/);
        const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
        expect(BigInt(`${sign}${whole}${fraction.padEnd(4, '0')}`)).toBe(BigInt(amount));
      }
      const sum = toAmount(amounts.reduce((all, amount) => all + BigInt(amount), 0n));
      expect(sumCells(amounts)).toEqual({ sum, notCounted: 0 });
      expect(sumCells(amounts.slice(1), sumCells(amounts.slice(0, 1)))).toEqual({ sum, notCounted: 0 });
    }),
  );
  expect(sumCells([null, undefined, ''])).toEqual(noCells);
  expect(sumCells([null, 'abc', '0.12345', 1])).toEqual({ sum: 1236, notCounted: 1 });
});
