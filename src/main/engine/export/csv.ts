import type { FieldKind } from '../../../contract/fields.ts';
import type { Cell } from '../../../contract/query.ts';

/** Signs at which a spreadsheet begins to run a text (OWASP, CSV injection), full-width forms included. */
const runs = /^[=+\-@\t\r\n＝＋－＠]/;
const needsQuotes = /[",;\t\r\n]/;
/** A number too long for a double comes as its digits, and stays a number. */
const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const isoDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A text as a spreadsheet may have it: one that it would run gets one `'` in front and is otherwise untouched.
 * The guard looks at the value, not at its formatted form, and knows that a number may begin with a minus.
 */
export function guardText(text: string, kind: FieldKind): string {
  const isSafe =
    kind === 'date' || kind === 'dateTime'
      ? isoDate.test(text)
      : kind !== 'text' && kind !== 'boolean' && plainNumber.test(text);
  return !isSafe && runs.test(text) ? `'${text}` : text;
}

/**
 * One cell of a CSV file (RFC 4180). Null is an empty cell, the empty text is `""`. A text that a
 * spreadsheet would run gets one `'` in front and is otherwise untouched; numbers are never touched, so
 * negative amounts stay numbers. The guard looks at the value, not at its formatted form.
 */
export function writeCell(cell: Cell, kind: FieldKind): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  if (cell === '') return '""';
  const text = guardText(cell, kind);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record, with its line end (CRLF). */
export function writeRecord(cells: readonly Cell[], kinds: readonly FieldKind[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index += 1) {
    if (index > 0) line += ',';
    line += writeCell(cells[index] as Cell, kinds[index] as FieldKind);
  }
  return `${line}\r\n`;
}

/** The header of a column: the service's name; `$` marks what Claimdesk added and is left out. */
export const headerOf = (path: string): string => path.replace(/^\$/, '');
