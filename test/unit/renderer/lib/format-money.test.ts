import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactTitle, formatMoney } from '../../../../src/renderer/lib/format-money.ts';
import { readTenThousandths, sumExactly, writeDecimals } from '../../../../src/rules/money/amounts.ts';
import {
  formatExactly,
  formatTenThousandths,
  writeDollars,
} from '../../../../src/rules/money/format-amount.ts';

describe('writeDollars with all decimals', () => {
  it.each([
    [0, '$0.00'],
    [-0, '$0.00'],
    [1, '$1.00'],
    [12.5, '$12.50'],
    [1234567.89, '$1,234,567.89'],
    [0.1234, '$0.1234'],
    [-45.6, '−$45.60'],
    [-1234.5678, '−$1,234.5678'],
    [1.5e-7, '$0.00'],
    [0.00005, '$0.0001'],
    ['900719925474.0991', '$900,719,925,474.0991'],
  ])('shows %s as %s', (value, text) => {
    expect(writeDollars(value, 'all')).toBe(text);
  });

  it.each([null, undefined, ''])('shows a dash, never a zero, for %s', (value) => {
    expect(formatMoney(value)).toBe('–');
  });

  it('shows what is not a number as received', () => {
    expect(formatMoney('pending')).toBe('pending');
  });

  it.each([
    [1e21, '1e+21'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740993.25', '9007199254740993.25'],
    ['-9007199254740993.255', '-9007199254740993.255'],
  ])('shows %s, which is too large for an exact amount, as received', (value, text) => {
    expect(writeDollars(value, 'all')).toBe(text);
    expect(formatMoney(value)).toBe(text);
  });
});

describe('formatMoney', () => {
  it.each([
    [0.1234, '$0.12'],
    [0.125, '$0.13'],
    [-0.125, '−$0.13'],
    [-0.004, '$0.00'],
    [0.995, '$1.00'],
    [-1234.5678, '−$1,234.57'],
    [12.5, '$12.50'],
  ])('shows %s to the cent as %s', (value, text) => {
    expect(formatMoney(value)).toBe(text);
  });

  it('shows the exact amount on hover only if it says more', () => {
    expect(exactTitle(1234)).toBe('$0.1234');
    expect(exactTitle(125_000)).toBeUndefined();
    expect(exactTitle(null)).toBeUndefined();
  });

  it.each<[number | bigint | string, string, string]>([
    [Number.MAX_SAFE_INTEGER, '$900,719,925,474.10', '$900,719,925,474.0991'],
    ['-99999999999999999999', '−$10,000,000,000,000,000.00', '−$9,999,999,999,999,999.9999'],
    [2n ** 70n, '$118,059,162,071,741,130.34', '$118,059,162,071,741,130.3424'],
    [-49, '$0.00', '−$0.0049'],
    [-50, '−$0.01', '−$0.005'],
  ])('shows the sum %s as %s, exactly %s', (sum, shown, exact) => {
    expect([formatTenThousandths(sum), formatExactly(sum)]).toEqual([shown, exact]);
  });

  it('refuses dollars with cents where ten-thousandths are meant', () => {
    expect(() => formatTenThousandths(12.5)).toThrow(RangeError);
    expect(() => formatExactly(12.5)).toThrow(RangeError);
  });

  it.each<[number | bigint | string, string, string]>([
    [Number.MAX_SAFE_INTEGER, '$900,719,925,474.10', '$900,719,925,474.0991'],
    ['-99999999999999999999', '−$10,000,000,000,000,000.00', '−$9,999,999,999,999,999.9999'],
    [2n ** 70n, '$118,059,162,071,741,130.34', '$118,059,162,071,741,130.3424'],
    [-49, '$0.00', '−$0.0049'],
    [-50, '−$0.01', '−$0.005'],
  ])('shows the sum %s as %s, exactly %s', (sum, shown, exact) => {
    expect([formatTenThousandths(sum), formatExactly(sum)]).toEqual([shown, exact]);
  });

  it('refuses dollars with cents where ten-thousandths are meant', () => {
    expect(() => formatTenThousandths(12.5)).toThrow(RangeError);
    expect(() => formatExactly(12.5)).toThrow(RangeError);
  });

  it('is never off by more than half a cent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), (amount) => {
        const shown = readTenThousandths(formatTenThousandths(amount).replace('−', '-').replace(/[$,]/g, ''));
        const off = BigInt(shown ?? 0) - amount;
        expect(off <= 50n && off >= -50n && (shown ?? 1) % 100 === 0).toBe(true);
      }),
    );
  });
});

describe('writeDecimals', () => {
  it('reads back as the same amount', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (amount) => {
        expect(readTenThousandths(writeDecimals(amount))).toBe(amount);
      }),
    );
  });
});

describe('sumExactly', () => {
  it('adds where floating point would not', () => {
    expect(sumExactly([0.1, 0.2])).toEqual({ sum: 3_000n, counted: 2, missing: 0, notCounted: 0 });
  });

  it('counts what is missing instead of treating it as zero', () => {
    expect(sumExactly([null, undefined])).toEqual({ sum: null, counted: 0, missing: 2, notCounted: 0 });
    expect(sumExactly([5, null])).toEqual({ sum: 50_000n, counted: 1, missing: 1, notCounted: 0 });
  });

  it('adds amounts sent as text, rounds finer ones, and counts what is not a number', () => {
    expect(sumExactly([0.00006, '200.50', 'abc', true, ' '])).toEqual({
      sum: 2_005_001n,
      counted: 2,
      missing: 1,
      notCounted: 2,
    });
  });
});
