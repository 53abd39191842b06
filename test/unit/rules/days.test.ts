import { describe, expect, it } from 'vitest';
import { addDays, firstOf12Months, parseMoment } from '../../../src/rules/days.ts';

describe('parseMoment', () => {
  it.each([
    ['2025-09-15', { day: '2025-09-15', seconds: null, hasFraction: false, zone: null }],
    ['2025-09-15T14:05:09.120Z', { day: '2025-09-15', seconds: 50_709, hasFraction: true, zone: 'Z' }],
    ['2025-09-15T00:00:00.000Z', { day: '2025-09-15', seconds: 0, hasFraction: false, zone: 'Z' }],
    ['2025-09-15 00:00:00+00:00', { day: '2025-09-15', seconds: 0, hasFraction: false, zone: '+00:00' }],
    ['2025-09-15T08:30', { day: '2025-09-15', seconds: 30_600, hasFraction: false, zone: null }],
  ])('reads %s', (text, moment) => {
    expect(parseMoment(text)).toEqual(moment);
  });

  it.each(['', 'soon', '2025-02-30', '2025-13-01', '2025-09-15T25:00:00Z', '15.09.2025'])(
    'refuses %s',
    (text) => {
      expect(parseMoment(text)).toBeNull();
    },
  );
});

describe('addDays', () => {
  it('reads exactly the days of the calendar', () => {
    for (const year of ['0000', '1900', '2000', '2023', '2024'])
      for (let month = 0; month <= 13; month += 1)
        for (let date = 0; date <= 32; date += 1) {
          const day = `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
          const known = new Date(`${day}T00:00:00Z`);
          const isReal = !Number.isNaN(known.getTime()) && known.toISOString().startsWith(day);
          expect([day, parseMoment(day)?.day ?? null]).toEqual([day, isReal ? day : null]);
        }
  });
  it('crosses months, years and leap days', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2025-01-01', -1)).toBe('2024-12-31');
  });

  it('has no day outside of the four digits of a year', () => {
    expect(addDays('9999-12-31', 1)).toBeNull();
    expect(addDays('0000-01-01', -1)).toBeNull();
  });

  it.each(['10000-01-01', 'soon', '', '2026-02-30', '2026-03-01T00:00:00Z'])('has none for %j', (text) => {
    expect(addDays(text, 1)).toBeNull();
    expect(addDays('2026-03-01', Number.MAX_VALUE)).toBeNull();
  });
});

it.each([
  ['2026-11-28', '2025-12-01'],
  ['2026-12-01', '2026-01-01'],
  ['2026-01-31', '2025-02-01'],
])('the 12 months that end with that of %s begin on %s', (today, first) => {
  expect(firstOf12Months(today)).toBe(first);
});
