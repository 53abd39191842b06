import { describe, expect, it } from 'vitest';
import { readAmount, readCell, readDay } from '../../../../../src/main/engine/incoming/read-values.ts';

describe('an amount', () => {
  it.each([
    ['12.5', 125_000],
    ['(10.00)', -100_000],
    ['($1,234.50)', -12_345_000],
    ['10.00-', -100_000],
    ['-$10', -100_000],
    ['$-10', -100_000],
    ['−10', -100_000],
    ['.50', 5_000],
    ['$5', 50_000],
    ['$ 1,234,567.89', 12_345_678_900],
    ['12,500', 125_000_000],
    ['12.3400', 123_400],
    ['0', 0],
    ['0.10', 1_000],
  ])('%s in a file with commas is %i ten-thousandths', (text, amount) => {
    expect(readAmount(text, ',')).toBe(amount);
    expect(readAmount(text, null)).toBe(amount);
  });

  it.each([
    '1.234',
    '12.345',
    '1,23',
    '12,50',
    '1,2345',
    '1.234,50',
    '01,234',
    '5 USD',
    'ten',
    '',
    '.',
    '--5',
    '(5',
    '5)',
    '-(5)',
    '(5-)',
    '1e3',
    '=5',
    '12.50.1',
  ])('%s in a file with commas is refused', (text) => expect(readAmount(text, ',')).toBeNull());

  it.each([
    ['12,50', 125_000],
    ['12,5', 125_000],
    ['1.234,50', 12_345_000],
    ['1,234.50', 12_345_000],
    ['12.50', 125_000],
    ['12,3400', 123_400],
    ['(12,50)', -125_000],
    ['1200', 12_000_000],
  ])('%s in a file with semicolons is %i ten-thousandths', (text, amount) => {
    expect(readAmount(text, ';')).toBe(amount);
  });

  it.each(['1.234', '1.230', '12,500', '1.000', '1,000', '-12,500', '12,345'])(
    '%s in a file with semicolons is ambiguous and refused',
    (text) => expect(readAmount(text, ';')).toBeNull(),
  );
});

describe('a day', () => {
  it.each([
    '2026-03-02',
    '3/2/2026',
    '03/02/26',
    '02-Mar-2026',
    '02-Mar-26',
    '2 March 2026',
    'Mar 2, 2026',
    'March 2 2026',
    '20260302',
    '03022026',
    '2026-03-02T08:30:00Z',
    '3/2/2026 8:30',
    ' 2026-03-02 ',
  ])('%s is March 2, 2026', (text) => expect(readDay(text)).toBe('2026-03-02'));
  it.each([
    '02.03.2026',
    '02-03-2026',
    '13/02/2026',
    '2/30/2026',
    '46083',
    '20261302',
    '2-Foo-2026',
    '03/02',
    '2026',
    '030226',
    '3/2/1926',
    '',
  ])('%s is refused', (text) => expect(readDay(text)).toBeNull());
});

it.each([
  ['="0007"', '0007'],
  ["'=1+1", '=1+1'],
  ["'-5", '-5'],
  ["O'Neil", "O'Neil"],
  ["'0007", "'0007"],
  [' 12 ', '12'],
])('the cell %s is %s', (cell, text) => {
  expect(readCell(cell)).toBe(text);
});
