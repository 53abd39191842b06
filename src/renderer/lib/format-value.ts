import { formatCount, formatCountOf } from '../../rules/count.ts';
import type { FieldKind } from '../../rules/list-fields.ts';
import { formatTenThousandths } from '../../rules/money/format-amount.ts';
import type { Cell } from '../../rules/query.ts';
import { showDirectionMarks } from '../../rules/unsafe-characters.ts';
import { formatDateField, formatDateTime } from './format-date.ts';
import { formatMoney, noValue } from './format-money.ts';
import { formatDaysCell } from './format-range.ts';

/** The cell of a row formatted by its kind; an amount in it is ten-thousandths of a dollar, or text as sent. */
export const formatCell = (cell: Cell | undefined, kind: FieldKind): string =>
  kind === 'money' && typeof cell === 'number' ? formatTenThousandths(cell) : formatValue(cell, kind);

/** A value as sent, formatted by its kind; a missing one is a dash. */
export function formatValue(value: unknown, kind: FieldKind): string {
  if (value === null || value === undefined || value === '') return noValue;
  switch (kind) {
    case 'money':
      return formatMoney(value);
    case 'date':
      return formatDateField(value);
    case 'dateTime':
      return formatDateTime(value);
    case 'dateRange':
      return formatDaysCell(value);
    case 'boolean':
      return value === true ? 'Yes' : value === false ? 'No' : String(value);
    default:
      return showDirectionMarks(typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
}

/** A field without a kind: as received, objects as JSON. */
export function formatUnknown(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return noValue;
  return showDirectionMarks(typeof value === 'string' ? value : JSON.stringify(value, null, 1));
}

/** "…" until something is counted, and after a number that still grows. */
export function formatGrowing(count: number | undefined, isFinal: boolean): string {
  if (count === undefined || (count === 0 && !isFinal)) return '…';
  return isFinal ? formatCount(count) : `${formatCount(count)}…`;
}

/** Remaining time, rounded to its uncertainty. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 10) return 'a few seconds left';
  if (seconds < 55) return `about ${Math.ceil(seconds / 10) * 10} seconds left`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `about ${formatCountOf(minutes, 'minute')} left`;
  return `about ${formatCountOf(Math.round(minutes / 60), 'hour')} left`;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return formatCountOf(Math.round(seconds), 'second');
  return formatCountOf(Math.round(seconds / 60), 'minute');
}

/** The masked SSN from the backend; a whole one is masked here as well, as a second safeguard. */
export function formatSsn(value: unknown): string {
  if (typeof value !== 'string' || value === '') return noValue;
  const digits = value.replace(/\D/g, '');
  return digits.length === 9 ? `•••-••-${digits.slice(5)}` : value;
}

/** A whole SSN with dashes; anything but nine digits as received. */
export function formatWholeSsn(value: string): string {
  const digits = value.replace(/\D/g, '');
  return digits.length === 9 ? `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}` : value;
}
