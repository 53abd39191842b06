import { createHash } from 'node:crypto';
import { formatCountOf } from '../../../rules/count.ts';
import { addDays } from '../../../rules/days.ts';
import type { DeadlineKind } from '../../../rules/plans/deadlines.ts';
import type { DueDay } from '../store/worklists/read-deadlines.ts';

const acts: Readonly<Record<DeadlineKind, string>> = {
  Decide: 'last day to decide',
  Appeal: 'last day to appeal, check the plan',
  Answer: 'last day to answer an appeal',
  Reimburse: 'last day to reimburse',
};

const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');

/** Folds a line after at most 75 bytes, between characters (RFC 5545, section 3.1). */
function foldLine(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const more = Buffer.byteLength(character);
    if (bytes + more > 75) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += more;
  }
  return folded;
}

/**
 * An iCalendar file (RFC 5545): one all-day event for each day, deadline and employer, with only the number of claims
 * and no other data about them. An event has the same UID in each file, so that a calendar that imports a newer file
 * replaces it. `at`: ISO date-time.
 */
export function toCalendar(days: readonly DueDay[], context: { workspaceId: string; at: string }): string {
  const stamp = `${context.at.slice(0, 19).replace(/[-:]/g, '')}Z`;
  const toDay = (day: string): string => day.replaceAll('-', '');
  const events = days.flatMap(({ day, kind, employerId, employer, claims }) => {
    const key = JSON.stringify([context.workspaceId, day, kind, employerId]);
    const count = formatCountOf(claims, 'claim');
    return [
      'BEGIN:VEVENT',
      `UID:${createHash('sha256').update(key).digest('hex').slice(0, 40)}@claimdesk`,
      `DTSTAMP:${stamp}`,
      `SEQUENCE:${Math.floor(Date.parse(context.at) / 60_000)}`,
      `DTSTART;VALUE=DATE:${toDay(day)}`,
      `DTEND;VALUE=DATE:${toDay(addDays(day, 1) ?? day)}`,
      `SUMMARY:${escapeText(`${count}: ${acts[kind]}${employer === null ? '' : ` (${employer})`}`)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ];
  });
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Claimdesk//Deadlines//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...events,
    'END:VCALENDAR',
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join('');
}
