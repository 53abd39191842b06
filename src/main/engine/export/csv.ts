import type { ExportColumn } from '../../../contract/export.ts';
import type { FieldKind } from '../../../contract/fields.ts';
import type { Cell } from '../../../contract/query.ts';
import { plainNumber, writeAmount } from './exact-amount.ts';
import { guardText } from './guard.ts';
import { readDay, writeUtc } from './moments.ts';

/** How a CSV is written. */
export interface CsvStyle {
  readonly delimiter: string;
  /** The decimal sign. */
  readonly decimal: '.' | ',';
  /** For Excel: a byte-order mark, headers in words, and texts that Excel would turn into numbers or dates kept. */
  readonly isForExcel: boolean;
}

/** UTF-8, comma, ISO dates, plain decimals, CRLF, RFC 4180, the service's names. */
export const systemStyle: CsvStyle = { delimiter: ',', decimal: '.', isForExcel: false };

/** Excel reads a CSV by the settings of its computer: where a comma is the decimal sign, columns end in semicolons. */
export function excelStyle(locale: string | undefined): CsvStyle {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  const isComma = parts.find(({ type }) => type === 'decimal')?.value === ',';
  return { delimiter: isComma ? ';' : ',', decimal: isComma ? ',' : '.', isForExcel: true };
}

const needsQuotes = /[",;\t\r\n|]/;
/** A text without any of these is written to a CSV for systems as it is: nearly all of them. */
const wantsCare = /^[=+\-@＝＋－＠]|[",;\t\r\n|]/;
const quote = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What Excel takes for a number, an amount, a date, a time, a fraction or a truth value when it opens a CSV. */
const retyped = new RegExp(
  [
    String.raw`[\s$€£(]*[-+]?[\d.,][\d\s.,:/\-+()%$€£]*(e[-+]?\d+)?[\s)%]*`,
    String.raw`\d{1,2}(:\d{2}){0,2}\s*[ap]m?`,
    String.raw`\d{0,4}[-/.,\s]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-/.,\s]*\d{0,4}[-/.,\s]*\d{0,4}`,
    'true|false',
  ]
    .map((one) => `^${one}$`)
    .join('|'),
  'i',
);
/** Excel takes no longer text in a formula. */
const maxKept = 250;

/**
 * A text for Excel: one that it would turn into a number or a date is written as `="00123"`, the only form of a CSV in
 * which Excel leaves it alone; leading zeros and long numbers would be lost.
 */
function keepText(text: string): string {
  return text.length <= maxKept && retyped.test(text) && !/[\r\n]/.test(text) ? `="${text}"` : text;
}

/** From this many digits on Excel shows a number as `1.2E+11`. */
const longNumber = 12;

/** The same days come again and again. */
function remember(write: (cell: Cell) => string): (cell: Cell) => string {
  const known = new Map<Cell, string>();
  return (cell) => {
    let text = known.get(cell);
    if (text === undefined) {
      text = write(cell);
      if (known.size >= 20_000) known.clear();
      known.set(cell, text);
    }
    return text;
  };
}

/** Writes one kind of cell. Null is an empty cell; the empty text is `""` for systems. */
function cellWriter(kind: FieldKind, style: CsvStyle): (cell: Cell) => string {
  const { decimal, isForExcel } = style;
  const number = (text: string): string => (decimal === '.' ? text : text.replace('.', decimal));
  const text = (value: string): string => {
    if (!isForExcel && value !== '' && !wantsCare.test(value)) return value;
    if (value === '') return isForExcel ? '' : '""';
    const guarded = guardText(value, kind);
    return quote(isForExcel && guarded === value ? keepText(value) : guarded);
  };
  const other = (cell: Cell): string => {
    if (cell === null) return '';
    if (typeof cell === 'string') return text(cell);
    if (typeof cell === 'number') return number(String(cell));
    return isForExcel ? (cell ? 'Yes' : 'No') : String(cell);
  };
  if (kind === 'money')
    return (cell) => {
      if (typeof cell === 'number') return number(writeAmount(cell));
      return typeof cell === 'string' && plainNumber.test(cell) ? number(cell) : other(cell);
    };
  if (kind === 'id' || kind === 'integer')
    return (cell) => {
      if (!isForExcel || cell === null) return other(cell);
      const digits = String(cell);
      return digits.length >= longNumber && /^-?\d+$/.test(digits) ? quote(`="${digits}"`) : other(cell);
    };
  if (kind === 'date')
    return remember((cell) => (typeof cell === 'string' ? (readDay(cell) ?? text(cell)) : other(cell)));
  if (kind === 'dateTime' && isForExcel)
    return remember((cell) => (typeof cell === 'string' ? (writeUtc(cell) ?? text(cell)) : other(cell)));
  return other;
}

/** The header of a column for systems: the service's name; `$` marks what Claimdesk added and is omitted. */
export const headerOf = (path: string): string => path.replace(/(^|\.)\$/, '$1');

/** The header of a column for people. */
export const wordsOf = ({ label, kind }: Pick<ExportColumn, 'label' | 'kind'>): string =>
  kind === 'dateTime' ? `${label} (UTC)` : label;

/** Writes rows as CSV (RFC 4180); amounts come as ten-thousandths of a dollar. Texts that a spreadsheet would run are guarded. */
export function createCsv(columns: readonly ExportColumn[], style: CsvStyle) {
  const cells = columns.map(({ kind }) => cellWriter(kind, style));
  const { delimiter, isForExcel } = style;
  const count = columns.length;
  const names = columns.map((column) => (isForExcel ? wordsOf(column) : headerOf(column.path)));
  return {
    /** The first line, with the byte-order mark for Excel. */
    header: `${isForExcel ? '\uFEFF' : ''}${names.map(quote).join(delimiter)}\r\n`,
    write(rows: readonly (readonly Cell[])[]): string {
      let text = '';
      for (const row of rows) {
        for (let index = 0; index < count; index += 1) {
          if (index > 0) text += delimiter;
          text += (cells[index] as (cell: Cell) => string)(row[index] as Cell);
        }
        text += '\r\n';
      }
      return text;
    },
  };
}
