import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactMoneyTitle,
  formatExactMoney,
  formatMoney,
  toTenThousandths,
} from '../../../../src/renderer/lib/format-money.ts';
import { sumExactly } from '../../../../src/rules/money/amounts.ts';
import { formatTenThousandths, toDecimalText, toDollars } from '../../../../src/rules/money/dollars.ts';

describe('formatExactMoney', () => {
  it.each([
    [0, '$0.00'],
    [-0, '$0.00'],
    [1, '$1.00'],
    [12.5, '$12.50'],
    [1234567.89, '$1,234,567.89'],
    [0.1234, '$0.1234'],
    [-45.6, '−$45.60'],
    [-1234.5678, '−$1,234.5678'],
    [1.5e-7, '$0.00000015'],
    ['900719925474.0991', '$900,719,925,474.0991'],
  ])('shows %s as %s', (value, text) => {
    expect(formatExactMoney(value)).toBe(text);
  });

  it.each([null, undefined, ''])('shows a dash, never a zero, for %s', (value) => {
    expect(formatExactMoney(value)).toBe('–');
  });

  it('shows what is no number as it came', () => {
    expect(formatMoney('pending')).toBe('pending');
  });

  it.each([
    [1e21, '1e+21'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740993.25', '9007199254740993.25'],
    ['-9007199254740993.255', '-9007199254740993.255'],
  ])('shows %s, which is too large for an exact amount, as it came', (value, text) => {
    expect(formatExactMoney(value)).toBe(text);
    expect(formatMoney(value)).toBe(text);
  });

  it('keeps every digit of a JSON number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
        const digits = formatExactMoney(value).replace('−', '-').replace(/[$,]/g, '');
        expect(Number(digits)).toBe(value === 0 ? 0 : value);
      }),
    );
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

  it('tells the exact amount on hover only where it says more', () => {
    expect(exactMoneyTitle(0.1234)).toBe('$0.1234');
    expect(exactMoneyTitle(12.5)).toBeUndefined();
    expect(exactMoneyTitle(null)).toBeUndefined();
  });

  it('is never off by more than half a cent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), (amount) => {
        const shown = toTenThousandths(formatTenThousandths(amount).replace('−', '-').replace(/[$,]/g, ''));
        const off = (shown ?? 0n) - amount;
        expect(off <= 50n && off >= -50n && (shown ?? 1n) % 100n === 0n).toBe(true);
      }),
    );
  });
});

describe('toDecimalText', () => {
  it('is null for what is no decimal number', () => {
    for (const value of ['', 'x', '1.', '.5', Number.NaN, Number.POSITIVE_INFINITY, {}, true, '1e9999']) {
      expect(toDecimalText(value)).toBeNull();
    }
  });
});

describe('toTenThousandths', () => {
  it('is exact, and null where the amount is finer', () => {
    expect(toTenThousandths(0.1)).toBe(1000n);
    expect(toTenThousandths(-12.3456)).toBe(-123456n);
    expect(toTenThousandths(0.12345)).toBeNull();
  });

  it('comes back as the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), (amount) => {
        expect(toTenThousandths(toDollars(amount))).toBe(amount);
      }),
    );
  });
});

describe('sumExactly', () => {
  it('adds where floating point would not', () => {
    expect(sumExactly([0.1, 0.2])).toEqual({ sum: 300_000n, counted: 2, missing: 0, notCounted: 0 });
  });

  it('counts what is missing instead of taking it for zero', () => {
    expect(sumExactly([null, undefined])).toEqual({ sum: null, counted: 0, missing: 2, notCounted: 0 });
    expect(sumExactly([5, null])).toEqual({ sum: 5_000_000n, counted: 1, missing: 1, notCounted: 0 });
  });

  it('adds millionths and amounts as text, and tells what is no number', () => {
    expect(sumExactly([0.000001, '200.50', 'abc', true, ' '])).toEqual({
      sum: 200_500_001n,
      counted: 2,
      missing: 1,
      notCounted: 2,
    });
  });
});
