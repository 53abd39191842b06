/** The parts of a date or date-time. `zone` is null where the service sent none (then UTC is assumed). */
interface Moment {
  readonly day: string;
  /** Seconds since midnight; null for a plain date. */
  readonly seconds: number | null;
  readonly hasFraction: boolean;
  readonly zone: string | null;
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const momentPattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a text is a day of the calendar, `YYYY-MM-DD`. Does not use `Date`, which is slow: it runs for several dates of
 * every claim that is listed or reviewed.
 */
export function isDay(day: string): boolean {
  if (!dayPattern.test(day)) return false;
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0);
  return date >= 1 && date <= last;
}

/**
 * Splits a date or a date-time into its parts; null for anything else. The day is the written one, whatever the zone
 * (docs/service.md, "Lists and values").
 */
export function parseMoment(text: string): Moment | null {
  const trimmed = text.trim();
  if (isDay(trimmed)) return { day: trimmed, seconds: null, hasFraction: false, zone: null };
  const match = momentPattern.exec(trimmed);
  if (match === null) return null;
  const [, day = '', hours = '', minutes = '', secs = '0', fraction = '', zone] = match;
  const seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(secs);
  if (!isDay(day) || Number(hours) > 23 || Number(minutes) > 59 || Number(secs) > 60) return null;
  return { day, seconds, hasFraction: /[1-9]/.test(fraction), zone: zone?.toUpperCase() ?? null };
}

/** Whether a moment is a plain date or the first instant of its day, which stands for the date. */
export const isMidnight = (moment: Moment): boolean =>
  moment.seconds === null || (moment.seconds === 0 && !moment.hasFraction);

/** The day `count` days later, in any time zone; null outside of the years 0000 to 9999, and if it is not a day. */
export function addDays(day: string, count: number): string | null {
  const date = new Date((isDay(day) ? Date.parse(day) : Number.NaN) + count * 86_400_000);
  if (Number.isNaN(date.getTime())) return null;
  const shifted = date.toISOString().slice(0, 10);
  return dayPattern.test(shifted) ? shifted : null;
}

/** The days from one day to another, negative where that is earlier; null where one of them is not a day. */
export function daysBetween(from: string, to: string): number | null {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  return Number.isFinite(days) ? Math.round(days) : null;
}

/** The day of a moment in this computer's calendar, `YYYY-MM-DD`. */
export function localDayOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The moment at which a day (`YYYY-MM-DD`) of this computer's calendar begins, as `2026-11-24T05:00:00.000Z`. */
export function startOfLocalDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(year, month - 1, date).toISOString();
}

/** 2025-09-15 → 09/15/2025, in digits of equal width. */
export function formatDay(day: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  return match === null ? day : `${match[2]}/${match[3]}/${match[1]}`;
}

/** The first day of the 12 calendar months that end with the month of a day; both `YYYY-MM-DD`. */
export function firstOf12Months(today: string): string {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}
