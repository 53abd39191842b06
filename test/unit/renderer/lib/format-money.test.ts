import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatMoney,
  formatTenThousandths,
  sumExactly,
  toDecimalText,
  toTenThousandths,
} from '../../../../src/renderer/lib/format-money.ts';

describe('formatMoney', () => {
  it.each([
    [0, '$0.00'],
    [-0, '$0.00'],
    [1, '$1.00'],
    [12.5, '$12.50'],
    [1234567.89, '$1,234,567.89'],
    [0.1234, '$0.1234'],
    [-45.6, '−$45.60'],
    [-1234.5678, '−$1,234.5678'],
    [1e21, '$1,000,000,000,000,000,000,000.00'],
    [1.5e-7, '$0.00000015'],
    ['9007199254740993', '$9,007,199,254,740,993.00'],
    ['9007199254740993.25', '$9,007,199,254,740,993.25'],
  ])('shows %s as %s', (value, text) => {
    expect(formatMoney(value)).toBe(text);
  });

  it.each([null, undefined, ''])('shows a dash, never a zero, for %s', (value) => {
    expect(formatMoney(value)).toBe('—');
  });

  it('shows what is no number as it came', () => {
    expect(formatMoney('pending')).toBe('pending');
  });

  it('keeps every digit of a JSON number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
        const digits = formatMoney(value).replace('−', '-').replace(/[$,]/g, '');
        expect(Number(digits)).toBe(value === 0 ? 0 : value);
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
        const text = formatTenThousandths(amount).replace('−', '-').replace(/[$,]/g, '');
        expect(toTenThousandths(text)).toBe(amount);
      }),
    );
  });
});

describe('sumExactly', () => {
  it('adds where floating point would not', () => {
    expect(sumExactly([0.1, 0.2])).toEqual({ sum: 3000n, counted: 2, missing: 0, isExact: true });
  });

  it('counts what is missing instead of taking it for zero', () => {
    expect(sumExactly([null, undefined])).toEqual({ sum: null, counted: 0, missing: 2, isExact: true });
    expect(sumExactly([5, null])).toEqual({ sum: 50_000n, counted: 1, missing: 1, isExact: true });
  });

  it('says that it is not exact where an amount is too fine', () => {
    expect(sumExactly([0.00001]).isExact).toBe(false);
  });
});
