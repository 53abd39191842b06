import { expect, test } from 'vitest';
import { toCalendar } from '../../../../../src/main/engine/export/calendar.ts';

const at = '2026-11-25T22:50:01.123Z';
const calendarOf = (employer: string | null, claims = 12): string =>
  toCalendar([{ day: '2026-12-31', kind: 'Appeal', employerId: 3, employer, claims }], {
    workspaceId: 'w',
    at,
  });
const readEvent = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .replaceAll('\r\n ', '')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );

test('each day is an all-day event whose UID stays and whose sequence grows', () => {
  const event = readEvent(calendarOf('Acme'));
  expect(event).toMatchObject({
    'DTSTART;VALUE=DATE': '20261231',
    'DTEND;VALUE=DATE': '20270101',
    DTSTAMP: '20261125T225001Z',
    SUMMARY: '12 claims: last day to appeal\\, check the plan (Acme)',
  });
  expect(readEvent(calendarOf('Acme', 1)).UID).toBe(event.UID);
  expect(event.UID).toMatch(/^[0-9a-f]{40}@claimdesk$/);
  expect(Number(event.SEQUENCE)).toBeLessThan(2 ** 31);
  expect(readEvent(calendarOf(null, 1)).SUMMARY).toBe('1 claim: last day to appeal\\, check the plan');
});

test('lines have at most 75 bytes and end with CR LF, and names are escaped', () => {
  const name = `Łódź ${'Ærø; Ünïon, '.repeat(20)}\n\\`;
  const text = calendarOf(name);
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  const escaped = readEvent(text).SUMMARY ?? '';
  const read = escaped.replace(/\\([\\;,n])/g, (_all, sign: string) => (sign === 'n' ? '\n' : sign));
  expect(read).toBe(`12 claims: last day to appeal, check the plan (${name})`);
});
