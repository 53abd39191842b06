/** Days and instants as text. A day is a whole number of days since 1970-01-01 (UTC). */

export const MS_PER_DAY = 86_400_000;

const dayTexts = new Map<number, string>();
const CACHED_DAYS = 60_000;

/** Formats a day number as `YYYY-MM-DD`. */
export function dayText(day: number): string {
  const cached = dayTexts.get(day);
  if (cached !== undefined) return cached;
  const text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
  if (dayTexts.size < CACHED_DAYS) dayTexts.set(day, text);
  return text;
}

/** Parses `YYYY-MM-DD` to a day number; NaN for any other text. */
export function dayNumber(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Number.NaN;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms)) return Number.NaN;
  const day = Math.floor(ms / MS_PER_DAY);
  return new Date(ms).toISOString().slice(0, 10) === text ? day : Number.NaN;
}

/** The forms of a date-time that a client must accept. docs/service.md, "Lists and values". */
type InstantForm = 'fraction-z' | 'plain-z' | 'offset' | 'no-zone';

/** Formats an instant in milliseconds, with microseconds as the service writes them. */
export function instantText(ms: number, form: InstantForm = 'fraction-z'): string {
  const day = Math.floor(ms / MS_PER_DAY);
  const rest = ms - day * MS_PER_DAY;
  const second = Math.floor(rest / 1000);
  const hh = Math.floor(second / 3600);
  const mm = Math.floor(second / 60) % 60;
  const ss = second % 60;
  const base = `${dayText(day)}T${two(hh)}:${two(mm)}:${two(ss)}`;
  if (form === 'plain-z') return `${base}Z`;
  const fraction = `.${String((rest % 1000) + 1000).slice(1)}000`;
  if (form === 'offset') return `${base}${fraction}+00:00`;
  return form === 'no-zone' ? `${base}${fraction}` : `${base}${fraction}Z`;
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Chooses the form for record number `roll`; nine in ten are the interface's own. */
export function instantForm(roll: number): InstantForm {
  const slot = roll % 40;
  if (slot === 0) return 'offset';
  if (slot === 1) return 'no-zone';
  return slot === 2 ? 'plain-z' : 'fraction-z';
}

const planYears = new Map<number, number>();

/** Returns the first day of the plan year that contains `day`, for plan years that start in `startMonth` (1 to 12). */
export function planYearStart(day: number, startMonth: number): number {
  const key = day * 16 + startMonth;
  const cached = planYears.get(key);
  if (cached !== undefined) return cached;
  const date = new Date(day * MS_PER_DAY);
  const year = date.getUTCMonth() + 1 >= startMonth ? date.getUTCFullYear() : date.getUTCFullYear() - 1;
  const start = Date.UTC(year, startMonth - 1, 1) / MS_PER_DAY;
  if (planYears.size < CACHED_DAYS) planYears.set(key, start);
  return start;
}
