import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, formatDay } from '../../../../src/renderer/lib/format-date.ts';
import { formatRange, rangeOfRow, toInclusiveDays } from '../../../../src/renderer/lib/format-range.ts';

const days = fc
  .integer({ min: 0, max: 20_000 })
  .map((offset) => new Date(Date.UTC(1990, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10));
const bounds = fc.constantFrom('[)', '[]', '(]', '()');

describe('formatRange', () => {
  it.each([
    [{ bounds: '[)', start: '2025-09-15', end: '2025-09-16' }, '09/15/2025'],
    [{ bounds: '[]', start: '2025-09-15', end: '2025-09-15' }, '09/15/2025'],
    [{ bounds: '(]', start: '2025-09-14', end: '2025-09-15' }, '09/15/2025'],
    [{ bounds: '()', start: '2025-09-14', end: '2025-09-16' }, '09/15/2025'],
    [{ bounds: '[]', start: '2025-09-15', end: '2025-09-17' }, '09/15 – 09/17/2025'],
    [{ bounds: '[)', start: '2024-12-31', end: '2025-01-02' }, '12/31/2024 – 01/01/2025'],
    [{ bounds: '[)', start: null, end: '2025-09-16' }, 'through 09/15/2025'],
    [{ bounds: '[)', start: '2025-09-15', end: null }, 'from 09/15/2025'],
    [{ bounds: '[)', start: '2025-09-15T00:00:00Z', end: '2025-09-16T00:00:00+00:00' }, '09/15/2025'],
    [{ bounds: null, start: '2025-09-15', end: '2025-09-15' }, '09/15/2025'],
  ])('reads %j as %s', (range, text) => {
    expect(formatRange(range)).toBe(text);
  });

  it('is a dash where there is nothing', () => {
    expect(formatRange(null)).toBe('—');
    expect(formatRange(undefined)).toBe('—');
    expect(formatRange({ bounds: '[)', start: null, end: null })).toBe('—');
  });

  it('does not show a wrong day for a range that holds none', () => {
    expect(formatRange({ bounds: '[)', start: '2025-09-15', end: '2025-09-15' })).toBe(
      'no day ([09/15/2025, 09/15/2025))',
    );
  });

  it('does not guess bounds that were not given, or times of day', () => {
    expect(formatRange({ bounds: null, start: '2025-09-15', end: '2025-09-17' })).toBe(
      '09/15/2025 – 09/17/2025 (bounds not given)',
    );
    expect(formatRange({ bounds: '[)', start: '2025-09-15', end: '2025-09-16T12:00:00Z' })).toBe(
      '[09/15/2025, 09/16/2025, 12:00 PM UTC)',
    );
    expect(formatRange({ bounds: '}{', start: '2025-09-15', end: 'soon' })).toBe('}09/15/2025, soon{');
  });

  it('shows the same days whichever bounds spell them', () => {
    fc.assert(
      fc.property(days, fc.nat(400), bounds, (first, length, spelling) => {
        const last = addDays(first, length);
        const range = {
          bounds: spelling,
          start: spelling.startsWith('(') ? addDays(first, -1) : first,
          end: spelling.endsWith(')') ? addDays(last, 1) : last,
        };
        expect(toInclusiveDays(range)).toEqual({ first, last });
        if (length === 0) expect(formatRange(range)).toBe(formatDay(first));
        else expect(formatRange(range).endsWith(formatDay(last))).toBe(true);
      }),
    );
  });

  it('does not depend on the zone of this computer', () => {
    fc.assert(
      fc.property(days, (day) => {
        const range = { bounds: '[)', start: day, end: addDays(day, 1) };
        expect(formatRange(range)).toBe(`${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`);
      }),
    );
  });
});

describe('rangeOfRow', () => {
  it('puts the flat columns together again', () => {
    expect(
      rangeOfRow({
        'date_of_service.bounds': '[)',
        'date_of_service.start': '2025-09-15',
        'date_of_service.end': null,
      }),
    ).toEqual({ bounds: '[)', start: '2025-09-15', end: null });
  });
});
