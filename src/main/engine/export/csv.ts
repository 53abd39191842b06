import { type FieldKind, listNames } from '../../../contract/fields.ts';
import type { Cell } from '../../../contract/query.ts';

/** Characters at which a spreadsheet begins to run a text (OWASP, CSV injection), including full-width forms. */
const runs = /^[=+\-@\t\r\n＝＋－＠]/;
const needsQuotes = /[",;\t\r\n]/;
/** A number too long for a double arrives as its digits, and stays a number. */
const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const isoDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A text that is safe in a spreadsheet: one that it would run gets one `'` in front and is otherwise unchanged. The
 * guard examines the value, not its formatted form, and allows numbers that begin with a minus.
 */
export function guardText(text: string, kind: FieldKind): string {
  const isSafe =
    kind === 'date' || kind === 'dateTime'
      ? isoDate.test(text)
      : kind !== 'text' && kind !== 'boolean' && plainNumber.test(text);
  return !isSafe && runs.test(text) ? `'${text}` : text;
}

/**
 * One cell of a CSV file (RFC 4180). Null is an empty cell, the empty text is `""`. A text that a spreadsheet would
 * run gets one `'` in front and is otherwise unchanged; numbers are never changed, so negative amounts stay numbers.
 */
export function writeCell(cell: Cell, kind: FieldKind): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  if (cell === '') return '""';
  const text = guardText(cell, kind);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The names in a cell of several, as one text for a file or the clipboard. */
export const joinNames = (cell: string): string => listNames(cell).join('; ');

/** One record, with its line end (CRLF). */
export function writeRecord(cells: readonly Cell[], kinds: readonly FieldKind[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index += 1) {
    if (index > 0) line += ',';
    line += writeCell(cells[index] as Cell, kinds[index] as FieldKind);
  }
  return `${line}\r\n`;
}

/** The header of a column: the service's name; `$` marks what Claimdesk added and is omitted. */
export const headerOf = (path: string): string => path.replace(/^\$/, '');
