import { formatDay, isMidnight, parseMoment } from '../../rules/days.ts';
import { noValue } from './format-money.ts';

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** "03/15/2026 · in 12 days", with the days between today and a day; both as ISO dates. */
export function formatDayFrom(day: string, today: string): string {
  const days = Math.round((Date.parse(day.slice(0, 10)) - Date.parse(today)) / 86_400_000);
  if (Number.isNaN(days)) return formatDateField(day);
  const distance = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  return `${formatDateField(day)} · ${days === 0 ? 'today' : days > 0 ? `in ${distance}` : `${distance} ago`}`;
}

function formatClock(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = String(Math.floor((seconds % 3600) / 60)).padStart(2, '0');
  return `${hours % 12 === 0 ? 12 : hours % 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
}

/**
 * A date field. The calendar day is the one the service sent, whatever this computer's time zone; a time of day is
 * shown only where there is one.
 */
export function formatDateField(value: unknown): string {
  if (value === null || value === undefined || value === '') return noValue;
  const text = String(value);
  const moment = parseMoment(text);
  if (moment === null) return text;
  if (isMidnight(moment) || moment.seconds === null) return formatDay(moment.day);
  return `${formatDay(moment.day)}, ${formatClock(moment.seconds)} ${zoneMark(moment.zone)}`;
}

function zoneMark(zone: string | null): string {
  if (zone === null) return '(time zone unknown, shown as UTC)';
  return /^(Z|[+-]00:?00)$/.test(zone) ? 'UTC' : `UTC${zone}`;
}

/** A date-time in this computer's zone; marked where the service sent no zone. */
export function formatDateTime(value: unknown): string {
  if (value === null || value === undefined || value === '') return noValue;
  const text = String(value);
  const moment = parseMoment(text);
  if (moment === null) return text;
  if (moment.seconds === null) return formatDay(moment.day);
  const date = new Date(moment.zone === null ? `${text.trim().replace(' ', 'T')}Z` : text.trim());
  if (Number.isNaN(date.getTime())) return text;
  return `${formatLocal(date)}${moment.zone === null ? ' (time zone unknown, shown as UTC)' : ''}`;
}

function localDay(date: Date): string {
  const month = String(date.getMonth() + 1).padStart(2, '0');
  return `${month}/${String(date.getDate()).padStart(2, '0')}/${date.getFullYear()}`;
}

const formatLocal = (date: Date): string =>
  `${localDay(date)}, ${formatClock(date.getHours() * 3600 + date.getMinutes() * 60)}`;

/** The day of a date-time in this computer's zone. */
export const formatDayOf = (value: string): string => formatDateTime(value).replace(/, .*/, '');

/** "Today, 9:12 AM": `formatWhen` where it is alone, such as in a choice. */
export const titleWhen = (iso: string, now: Date): string =>
  formatWhen(iso, now)
    .replace(/^./, (letter) => letter.toUpperCase())
    .replace(' at ', ', ');

/** "today at 9:12 AM", for times of this computer such as those of a receipt. */
export function formatWhen(iso: string, now: Date): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const clock = formatClock(date.getHours() * 3600 + date.getMinutes() * 60);
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (localDay(date) === localDay(now)) return `today at ${clock}`;
  if (localDay(date) === localDay(yesterday)) return `yesterday at ${clock}`;
  return `${localDay(date)} at ${clock}`;
}
