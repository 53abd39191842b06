import type { ExportColumn } from '../../../contract/export-columns.ts';
import type { FieldKind } from '../../../rules/fields.ts';
import type { Cell } from '../../../rules/query.ts';
import { memo } from '../store/record/memo.ts';
import { isPlainAmount, writeAmount } from './exact-amount.ts';
import { guardSplits, guardText } from './guard.ts';
import { readDay, writeUtc } from './moments.ts';

/** How a CSV is written. */
export interface CsvStyle {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  /**
   * The file is for Excel: it has a byte-order mark, labels as headers, and protection of texts that Excel
   * would convert to numbers or dates.
   */
  readonly isForExcel: boolean;
}

/** The style for other systems: RFC 4180, UTF-8, CRLF, ISO dates, plain decimals, the service's names. */
export const systemStyle: CsvStyle = { delimiter: ',', decimal: '.', isForExcel: false };

/**
 * Excel reads a CSV by the computer's regional settings: with a comma as the decimal sign, it expects semicolons as
 * separators.
 */
export function excelStyle(locale: string | undefined): CsvStyle {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  const isComma = parts.find(({ type }) => type === 'decimal')?.value === ',';
  return { delimiter: isComma ? ';' : ',', decimal: isComma ? ',' : '.', isForExcel: true };
}

const needsQuotes = /[",;\t\r\n|]/;
/** Finds texts that need a guard, quotes or a replacement in a CSV for systems. Nearly all texts need none. */
const needsEscaping = /^[=+\-@＝＋－＠]|[",;|\p{Cc}]/u;
const quote = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Texts that Excel converts to a number, an amount, a date, a time, a fraction or a boolean when it opens a CSV. */
const convertedByExcel = new RegExp(
  `^(?:${[
    String.raw`[\s$€£(]*[-+]?[\d.,][\d\s.,:/\-+()%$€£]*(e[-+]?\d+)?[\s)%]*`,
    String.raw`\d{1,2}(:\d{2}){0,2}\s*[ap]m?`,
    String.raw`\d{0,4}[-/.,\s]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-/.,\s]*\d{0,4}[-/.,\s]*\d{0,4}`,
    'true|false',
  ].join('|')})$`,
  'i',
);
/** Excel accepts at most 255 characters as a text in a formula. */
const maxFormulaText = 250;

/**
 * A text for Excel. One that Excel would convert to a number or a date is written as `="00123"`, the only form in a CSV
 * that Excel does not convert; a conversion would lose leading zeros and digits of long numbers.
 */
const preventConversion = (text: string): string =>
  text.length <= maxFormulaText && convertedByExcel.test(text) && !/[\r\n]/.test(text) ? `="${text}"` : text;

/** Excel shows numbers with this many digits or more as `1.2E+11`. */
const longNumber = 12;

/** Caches what `write` returns, because the same days occur in many rows. */
function cached(write: (cell: Cell) => Cell): (cell: Cell) => Cell {
  const cache = new Map<Cell, Cell>();
  return (cell) => memo(cache, cell, () => write(cell), 20_000);
}

/**
 * Converts one kind of cell to what `join()` writes as its text, which for most cells is the cell itself. Null is an
 * empty cell; the empty text is `""` for systems.
 */
function cellWriter(kind: FieldKind, style: CsvStyle): (cell: Cell) => Cell {
  const { decimal, delimiter, isForExcel } = style;
  const number = (text: string): string => (decimal === '.' ? text : text.replace('.', decimal));
  const text = (value: string): string => {
    if (!isForExcel && value !== '' && !needsEscaping.test(value)) return value;
    if (value === '') return isForExcel ? '' : '""';
    const guarded = guardSplits(guardText(value, kind), delimiter);
    return quote(isForExcel && guarded === value ? preventConversion(value) : guarded);
  };
  const other = (cell: Cell): Cell => {
    if (typeof cell === 'string') return text(cell);
    if (!isForExcel || cell === null) return cell;
    return typeof cell === 'number' ? number(String(cell)) : cell ? 'Yes' : 'No';
  };
  if (kind === 'money')
    return (cell) => {
      if (typeof cell === 'number') return number(writeAmount(cell));
      return isPlainAmount(cell) ? number(cell) : other(cell);
    };
  if (isForExcel && (kind === 'id' || kind === 'integer'))
    return (cell) => {
      const digits = String(cell);
      return digits.length >= longNumber && /^-?\d+$/.test(digits) ? quote(`="${digits}"`) : other(cell);
    };
  if (kind === 'date')
    return cached((cell) => (typeof cell === 'string' ? (readDay(cell) ?? text(cell)) : other(cell)));
  if (kind === 'dateTime' && isForExcel)
    return cached((cell) => (typeof cell === 'string' ? (writeUtc(cell) ?? text(cell)) : other(cell)));
  return other;
}

/** The header of a column for systems: the service's name; `$` marks what Claimdesk added and is omitted. */
export const headerOf = (path: string): string => path.replace(/(^|\.)\$/, '$1');

/** The header of a column in a CSV for people; a workbook has times in local time, and the label alone. */
export const wordsOf = ({ label, kind }: Pick<ExportColumn, 'label' | 'kind'>): string =>
  kind === 'dateTime' ? `${label} (UTC)` : label;

/**
 * Writes rows as CSV (RFC 4180); amounts are passed as ten-thousandths of a dollar. Texts that a spreadsheet would run
 * as formulas are guarded.
 */
export function createCsv(columns: readonly ExportColumn[], style: CsvStyle) {
  const cells = columns.map(({ kind }) => cellWriter(kind, style));
  const { delimiter, isForExcel } = style;
  // Guarded, because the path of a field that Claimdesk does not know is text from the service.
  const names = columns
    .map((column) => {
      if (column.isHeader === true) return column.label;
      return isForExcel ? wordsOf(column) : headerOf(column.path);
    })
    .map((name) => quote(guardSplits(guardText(name, 'text'), delimiter)));
  return {
    /** The first line, with the byte-order mark for Excel. */
    header: `${isForExcel ? '\uFEFF' : ''}${names.join(delimiter)}\r\n`,
    /** Column by column: in a row, each cell would be written by another function, which takes twice as long. */
    write(rows: readonly (readonly Cell[])[]): string {
      const lines = rows.map((row) => row.slice(0, columns.length));
      for (const [index, write] of cells.entries())
        for (const line of lines) line[index] = write(line[index] as Cell);
      return lines.map((line) => `${line.join(delimiter)}\r\n`).join('');
    },
  };
}
