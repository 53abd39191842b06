import { isDay, parseMoment } from '../../../rules/days.ts';

/**
 * Returns the intended value of a cell: `="0007"`, which keeps Excel from converting a text, is `0007`, and `'=1+1`,
 * which keeps it from running a formula, is `=1+1`.
 */
export function readCell(cell: string | undefined): string {
  const text = (cell ?? '').trim();
  const [, kept] = /^="([^"]*)"$/.exec(text) ?? [];
  return (kept ?? text.replace(/^'(?=[=+\-@＝＋－＠])/, '')).trim();
}

/** Parses digits with these separators of thousands and decimals; null: not in this form. */
function readNumber(text: string, thousands: '.' | ',', decimals: '.' | ','): number | null {
  const [whole = '', fraction = '', ...more] = text.split(decimals);
  const isGrouped = whole.includes(thousands);
  const grouped = thousands === ',' ? /^[1-9]\d{0,2}(,\d{3})+$/ : /^[1-9]\d{0,2}(\.\d{3})+$/;
  if (more.length > 0 || !/^\d*$/.test(fraction) || (whole === '' && fraction === '')) return null;
  if (isGrouped ? !grouped.test(whole) : !/^\d*$/.test(whole)) return null;
  const digits = `${whole.replaceAll(thousands, '')}.${fraction}`;
  const [ones = '', rest = ''] = digits.split('.');
  const kept = rest.replace(/0+$/, '');
  // A number with more decimals is still a possible reading, which makes the other one uncertain.
  const value = Number(`${ones || '0'}${kept.padEnd(12, '0').slice(0, 4)}`);
  return kept.length > 4 || !Number.isSafeInteger(value) ? Number.NaN : value;
}

/**
 * An amount in ten-thousandths of a dollar: `$1,234.50`, `.50`, `$5`, and below zero as `(10.00)`, `10.00-` or `-$10`.
 * Null for anything else: more than two decimals (not counting trailing zeros) and, in a file separated by semicolons,
 * which may have decimal commas, ambiguous numbers such as `1.234` and `12,500`.
 */
export function readAmount(text: string, separator: string | null): number | null {
  const [, open = '', before = '', size = '', after = '', close = ''] =
    /^(\()?\s*([-−+]?\s*\$?\s*[-−]?)\s*([\d.,]+)\s*([-−])?\s*(\))?$/.exec(text.trim()) ?? [];
  const signs = [open, /[-−]/.test(before) ? '-' : '', after].filter((sign) => sign !== '');
  if (size === '' || signs.length > 1 || (open === '') !== (close === '')) return null;
  if (before.replace(/[^-−+]/g, '').length > 1) return null;
  const readings = [readNumber(size, ',', '.')];
  if (separator === ';') readings.push(readNumber(size, '.', ','));
  const values = new Set(readings.filter((reading) => reading !== null));
  const [value] = values;
  if (values.size !== 1 || value === undefined || !(value % 100 === 0)) return null;
  return signs.length > 0 && value !== 0 ? -value : value;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function toDay(year: string, month: string, date: string): string | null {
  const full = year.length === 2 ? `20${year}` : year;
  const day = `${full}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isDay(day) && day >= '1990' && day < '2100' ? day : null;
}

const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?:\s+\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]m)?)?$/i;

/** Whether a text can only be a date with the day first, so that its file may not have US dates. */
export function isDayFirst(text: string): boolean {
  const [, first = '', second = ''] = slashed.exec(text.trim()) ?? [];
  return Number(first) > 12 && Number(second) >= 1 && Number(second) <= 12;
}

/**
 * A date as `2026-03-02`: from `2026-03-02`, `3/2/2026` and `03/02/26` (month first), `02-Mar-2026`, `March 2, 2026`,
 * `20260302` or `03022026`. Null for anything else, such as `02.03.2026` and `02-03-2026`, where the month may be first
 * or second.
 */
export function readDay(text: string): string | null {
  const trimmed = text.trim();
  const moment = parseMoment(trimmed);
  if (moment !== null) return moment.day;
  const [, month = '', date = '', year = ''] = slashed.exec(trimmed) ?? [];
  if (year !== '') return toDay(year, month, date);
  const [, ...named] = /^(\d{1,2})[- ]([a-z]{3,9})\.?[- ](\d{4}|\d{2})$/i.exec(trimmed) ?? [];
  const [, ...american] = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/i.exec(trimmed) ?? [];
  const words = named.length > 0 ? named : [american[1], american[0], american[2]];
  const [ofMonth = '', name = '', ofYear = ''] = words;
  if (name !== '') {
    const index = months.indexOf(name.slice(0, 3).toLowerCase());
    return index < 0 ? null : toDay(ofYear, String(index + 1), ofMonth);
  }
  if (!/^\d{8}$/.test(trimmed)) return null;
  const readings = [
    toDay(trimmed.slice(0, 4), trimmed.slice(4, 6), trimmed.slice(6)),
    toDay(trimmed.slice(4), trimmed.slice(0, 2), trimmed.slice(2, 4)),
  ].filter((day) => day !== null);
  return readings.length === 1 ? (readings[0] ?? null) : null;
}
