import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../../src/rules/query.ts';
import { isSameValue, type ValueComparison } from '../../../../src/rules/review/same-value.ts';

describe('values that are written differently', () => {
  it.each<[ValueComparison, Cell, Cell]>([
    ['exact', 200.5, '200.50'],
    ['exact', '0200.5', '200.500'],
    ['exact', 0, '-0.00'],
    ['exact', 30, ' 30 '],
    ['exact', '12345678901234567890.10', '12345678901234567890.1'],
    ['exact', true, 'true'],
    ['text', 4711, '4711'],
    ['text', 'JOSÉ  Núñez', 'Jose\u0301 Nu\u0301n\u0303ez '],
    ['npi', 1234567893, '1234567893'],
    ['npi', '123 456-7893', '1234567893'],
    ['tin', '12-3456789', '123456789'],
    ['tin', '01-2345678', 12345678],
    ['tin', 'Unknown', 'UNKNOWN'],
    ['ndc', '00093-0058-01', '00093005801'],
    ['ndc', '93-58-1', '00093-0058-01'],
    ['ndc', '0093-0058-01', '00093-0058-01'],
    ['ndc', '50242-040-62', '50242-0040-62'],
    ['ndc', 93005801, '00093-0058-01'],
  ])('%s: %j and %j are the same', (comparison, left, right) => {
    expect(isSameValue(left, right, comparison)).toBe(true);
    expect(isSameValue(right, left, comparison)).toBe(true);
  });
});

describe('values that differ', () => {
  it.each<[ValueComparison, Cell, Cell]>([
    ['exact', 200.5, '200.51'],
    ['exact', 0, null],
    ['exact', '12345678901234567890.1', '12345678901234567890.2'],
    ['exact', 5, '-5'],
    ['exact', '1,200', '1200'],
    ['text', 'Jose Nunez', 'José Núñez'],
    ['text', '007', 7],
    ['npi', 1234567893, 1999999999],
    ['tin', '12-3456789', '12-3456780'],
    ['tin', '12-345678A', '12345678'],
    ['tin', '***-6789', '6789'],
    ['ndc', '00093-0058-01', '00093-0058-10'],
    // Ten digits without dashes do not say which part a zero is missing from.
    ['ndc', '0093005801', '00093005801'],
  ])('%s: %j and %j', (comparison, left, right) => {
    expect(isSameValue(left, right, comparison)).toBe(false);
    expect(isSameValue(right, left, comparison)).toBe(false);
  });
});

it('amounts are equal exactly if they are the same number', () => {
  const amount = fc.integer({ min: -10_000_000, max: 10_000_000 });
  fc.assert(
    fc.property(amount, amount, (left, right) => {
      expect(isSameValue(left / 10_000, (right / 10_000).toFixed(4), 'exact')).toBe(left === right);
    }),
  );
});
