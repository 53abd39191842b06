import { readDays } from '../../../rules/date-range.ts';
import type { FieldSpec } from '../../../rules/list-fields.ts';
import { writeDecimals } from '../../../rules/money/amounts.ts';
import type { Cell, Row } from '../../../rules/query.ts';
import { guardText, joinNames } from './guard.ts';

/** Makes one cell text for the clipboard: guarded as in an export, without tabs and line ends, which end cells. */
function toCell(cell: Cell | undefined, spec: FieldSpec): string {
  if (cell === null || cell === undefined) return '';
  if (spec.kind === 'money' && typeof cell === 'number') return writeDecimals(cell);
  if (typeof cell !== 'string') return String(cell);
  if (spec.kind === 'dateRange') return writeRange(cell);
  const text = spec.isMany === true ? joinNames(cell) : cell;
  return guardText(text, spec.kind).replace(/[\t\r\n]+/g, ' ');
}

/** A date range as one text: `2025-08-13 – 2025-08-19`; a single day is written once. */
function writeRange(text: string): string {
  const days = readDays(text);
  if (days === null) return '';
  const { first, last } = days;
  if (first === null) return `through ${last}`;
  if (last === null) return `from ${first}`;
  return first === last ? first : `${first} – ${last}`;
}

/**
 * Writes rows as tab-separated text, which spreadsheets read from the clipboard, with column names in the first row
 * unless it is a single cell. Texts that a spreadsheet would run as formulas get one `'` in front; amounts stay
 * numbers.
 */
export function writeTsv(rows: readonly Row[], specs: readonly FieldSpec[]): string {
  const lines = rows.map((row) => specs.map((spec) => toCell(row[spec.path], spec)).join('\t'));
  if (rows.length === 1 && specs.length === 1) return lines[0] ?? '';
  return [specs.map(({ label }) => label).join('\t'), ...lines].join('\r\n');
}
