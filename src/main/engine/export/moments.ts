const midnight = /^(\d{4}-\d{2}-\d{2})(?:T00:00(?::00(?:\.0+)?)?(?:Z|\+00:?00)?)?$/;
const moment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const dayMs = 86_400_000;
/** Days from Excel's day 0 to 1970. */
const excelEpoch = 25_569;
/** Day 61 is March 1, 1900: before it Excel counts a February 29 that did not exist. */
const firstExcelDay = 61;

/**
 * The day, `YYYY-MM-DD`, of a date as the service sent it, which may be a date-time at midnight; null for anything
 * else.
 */
export const readDay = (text: string): string | null => midnight.exec(text)?.[1] ?? null;

/** A date-time in milliseconds since 1970, read as UTC where it has no zone. Null for anything else. */
function readMoment(text: string): number | null {
  if (!moment.test(text)) return null;
  const ms = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** A date-time in the form that Excel reads in every locale, in UTC: `2025-03-09 14:05:00`. Null for anything else. */
export function writeUtc(text: string): string | null {
  const ms = readMoment(text);
  return ms === null ? null : new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Excel's serial number of a day. Null where Excel has none, or a wrong one (before March 1900). */
export function dayNumber(day: string): number | null {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day)) return null;
  const number = ms / dayMs + excelEpoch;
  return number < firstExcelDay ? null : number;
}

/**
 * Excel's serial number of a date-time in this computer's time zone, with the time of day as its fraction; null as in
 * `dayNumber`.
 */
export function momentNumber(text: string): number | null {
  const ms = readMoment(text);
  if (ms === null) return null;
  const localMs = ms - new Date(ms).getTimezoneOffset() * 60_000;
  const number = localMs / dayMs + excelEpoch;
  return number < firstExcelDay ? null : number;
}
