import { describe, expect, it } from 'vitest';
import {
  formatDateField,
  formatDateTime,
  formatDayFrom,
  formatWhen,
} from '../../../../src/renderer/lib/format-date.ts';

describe('formatDayFrom', () => {
  it('says how far a day is from today, even over a change of clocks and a leap day', () => {
    expect(formatDayFrom('2026-03-15', '2026-03-03')).toBe('03/15/2026 · in 12 days');
    expect(formatDayFrom('2028-03-01', '2028-02-28')).toBe('03/01/2028 · in 2 days');
    expect(formatDayFrom('2026-03-02T23:00:00Z', '2026-03-03')).toBe('03/02/2026, 11:00 PM UTC · 1 day ago');
    expect(formatDayFrom('2026-03-03', '2026-03-03')).toBe('03/03/2026 · today');
    expect(formatDayFrom('soon', '2026-03-03')).toBe('soon');
  });
});

describe('formatDateField', () => {
  it('keeps the day the service sent', () => {
    expect(formatDateField('2025-09-15')).toBe('09/15/2025');
    expect(formatDateField('2025-09-15T00:00:00Z')).toBe('09/15/2025');
    expect(formatDateField('2025-09-15T00:00:00')).toBe('09/15/2025');
  });

  it('shows a time of day with its zone, and marks one without', () => {
    expect(formatDateField('2025-09-15T23:30:00Z')).toBe('09/15/2025, 11:30 PM UTC');
    expect(formatDateField('2025-09-15T12:00:00-05:00')).toBe('09/15/2025, 12:00 PM UTC-05:00');
    expect(formatDateField('2025-09-15T09:05:00')).toBe(
      '09/15/2025, 9:05 AM (time zone unknown, shown as UTC)',
    );
  });

  it('shows what it can’t read as received, and a dash for nothing', () => {
    expect(formatDateField('last week')).toBe('last week');
    expect(formatDateField(null)).toBe('–');
  });
});

describe('formatDateTime', () => {
  it('is the same moment with a zone and without, and marks the latter', () => {
    const zoned = formatDateTime('2025-09-15T14:05:00Z');
    expect(formatDateTime('2025-09-15T14:05:00')).toBe(`${zoned} (time zone unknown, shown as UTC)`);
    expect(formatDateTime('2025-09-15T14:05:00+00:00')).toBe(zoned);
  });
});

describe('formatWhen', () => {
  const now = new Date(2026, 2, 9, 15, 0);
  const at = (day: number, hours: number) => new Date(2026, 2, day, hours, 4).toISOString();
  it('says today and yesterday', () => {
    expect(formatWhen(at(9, 9), now)).toBe('today at 9:04 AM');
    expect(formatWhen(at(8, 0), now)).toBe('yesterday at 12:04 AM');
    expect(formatWhen(at(1, 13), now)).toBe('03/01/2026 at 1:04 PM');
  });
});
