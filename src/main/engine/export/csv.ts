import type { ExportColumn } from '../../../contract/export-columns.ts';
import type { FieldKind } from '../../../rules/list-fields.ts';
import { writeAmountCell } from '../../../rules/money/amounts.ts';
import type { Cell } from '../../../rules/query.ts';
import { type CsvStyle, createCellBytes } from './cell-bytes.ts';
import { guardSplits, guardText } from './guard.ts';
import { readDay, writeUtc } from './moments.ts';

/** The style for other systems: RFC 4180, UTF-8, CRLF, ISO dates, plain decimals, the service's names. */
export const systemStyle: CsvStyle = { delimiter: ',', decimal: '.', isForExcel: false };

/** Excel reads a CSV by the computer's regional settings: with a decimal comma, it expects semicolons. */
export function excelStyle(locale: string | undefined): CsvStyle {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  const isComma = parts.find(({ type }) => type === 'decimal')?.value === ',';
  return { delimiter: isComma ? ';' : ',', decimal: isComma ? ',' : '.', isForExcel: true };
}

const needsQuotes = /[",;\t\r\n|]/;
/** Finds texts that need a guard, quotes or a replacement. Most need none. */
const needsEscaping = /^[=+\-@＝＋－＠]|[",;|\p{Cc}]/u;
const quote = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Texts that Excel converts to a number, an amount, a date, a time, a fraction or a boolean when it opens a CSV. The euro and pound
 * signs are escaped, because the build leaves characters of such a text as they are.
 */
const convertedByExcel = new RegExp(
  `^(?:${[
    String.raw`[\s$\u20ac\xa3(]*[-+]?[\d.,][\d\s.,:/\-+()%$\u20ac\xa3]*(e[-+]?\d+)?[\s)%]*`,
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

/** Writes what `createCellBytes` leaves to it: one kind of cell as text. Null is an empty cell; the empty text is `""` for systems. */
function cellWriter(kind: FieldKind, style: CsvStyle): (cell: Cell) => string {
  const { decimal, delimiter, isForExcel } = style;
  const number = (text: string): string => (decimal === '.' ? text : text.replace('.', decimal));
  const text = (value: string): string => {
    if (value === '') return isForExcel ? '' : '""';
    const guarded = needsEscaping.test(value) ? guardSplits(guardText(value, kind), delimiter) : value;
    return quote(isForExcel && guarded === value ? preventConversion(value) : guarded);
  };
  const other = (cell: Cell): string => {
    if (typeof cell === 'string') return text(cell);
    if (typeof cell === 'number') return number(String(cell));
    if (cell === null) return '';
    return isForExcel ? (cell ? 'Yes' : 'No') : String(cell);
  };
  if (kind === 'money')
    return (cell) => {
      const amount = writeAmountCell(cell);
      return amount === null ? other(cell) : number(amount);
    };
  if (isForExcel && (kind === 'id' || kind === 'integer'))
    return (cell) => {
      const digits = String(cell);
      return digits.length >= longNumber && /^-?\d+$/.test(digits) ? quote(`="${digits}"`) : other(cell);
    };
  if (kind === 'date') return (cell) => (typeof cell === 'string' && readDay(cell)) || other(cell);
  if (kind === 'dateTime' && isForExcel)
    return (cell) => (typeof cell === 'string' && writeUtc(cell)) || other(cell);
  return other;
}

/** The header of a column for systems: the service's name; `$` marks what Claimdesk added and is omitted. */
export const headerOf = (path: string): string => path.replace(/(^|\.)\$/, '$1');

/** The header of a column in a CSV for people. A workbook has times in local time and uses only the label. */
export const wordsOf = ({ label, kind }: Pick<ExportColumn, 'label' | 'kind'>): string =>
  kind === 'dateTime' ? `${label} (UTC)` : label;

/**
 * Writes rows as CSV (RFC 4180); amounts are passed as ten-thousandths of a dollar. Texts that a spreadsheet would run
 * as formulas are guarded.
 */
export function createCsv(columns: readonly ExportColumn[], style: CsvStyle) {
  const { delimiter, isForExcel } = style;
  // Guarded, because the path of a field that Claimdesk does not recognize is text from the service.
  const names = columns
    .map((column) => {
      if (column.isHeader === true) return column.label;
      return isForExcel ? wordsOf(column) : headerOf(column.path);
    })
    .map((name) => quote(guardSplits(guardText(name, 'text'), delimiter)));
  const writers = columns.map(({ kind }) => ({ kind, write: cellWriter(kind, style) }));
  return {
    /** The first line, with the byte-order mark for Excel. */
    header: `${isForExcel ? '\uFEFF' : ''}${names.join(delimiter)}\r\n`,
    /** Writes rows as lines in UTF-8 into a buffer that the next call overwrites. */
    write: createCellBytes(writers, style),
  };
}
