import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayNumber,
  dayText,
  instantForm,
  instantText,
  planYearStart,
} from '../../../../src/sandbox/data/instants.ts';

const anyDay = fc.integer({ min: -20_000, max: 40_000 });

describe('days', () => {
  it('text and number convert back to each other', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(dayNumber(dayText(day))).toBe(day);
      }),
    );
  });

  it.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-01-01T00:00:00Z', '', 'x'])(
    '%s is not a date',
    (text) => {
      expect(dayNumber(text)).toBeNaN();
    },
  );
});

describe('instants', () => {
  const ms = Date.parse('2025-09-15T04:05:06.078Z');

  it.each([
    ['fraction-z', '2025-09-15T04:05:06.078000Z'],
    ['plain-z', '2025-09-15T04:05:06Z'],
    ['offset', '2025-09-15T04:05:06.078000+00:00'],
    ['no-zone', '2025-09-15T04:05:06.078000'],
  ] as const)('%s: %s', (form, text) => {
    expect(instantText(ms, form)).toBe(text);
  });

  it('is the given instant', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 3e12 }), (at) => {
        expect(Date.parse(instantText(at))).toBe(at);
      }),
    );
  });

  it('all four forms occur', () => {
    expect(new Set(Array.from({ length: 40 }, (_, n) => instantForm(n))).size).toBe(4);
  });
});

it.each([
  ['2026-03-15', 1, '2026-01-01'],
  ['2026-03-15', 7, '2025-07-01'],
  ['2026-07-01', 7, '2026-07-01'],
  ['2026-06-30', 7, '2025-07-01'],
])('the plan year of %s that starts in month %i starts on %s', (day, month, start) => {
  expect(dayText(planYearStart(dayNumber(day), month))).toBe(start);
});
