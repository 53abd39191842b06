import type { FieldKind } from '../../../rules/list-fields.ts';
import type { Cell } from '../../../rules/query.ts';

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

/** Writes a cell at a position of the buffer; returns where it ends, or -1 if its column's `write` has to write it. */
type Put = (bytes: Uint8Array, at: number, cell: Cell) => number;

/**
 * The ways in which a character may be written, as bits: unchanged, between quotes, or at the beginning, where Excel
 * may read a date.
 */
const [isPlain, isQuoted, isSign, begins, beginsForExcel, beginsDate] = [1, 2, 4, 8, 16, 32];
const charactersOf: readonly (readonly [bit: number, characters: RegExp])[] = [
  [isPlain, /[^",;|]/],
  [isQuoted, /[",;|]/],
  [isSign, /[=+\-@]/],
  [begins, /[^",;|=+\-@]/],
  [beginsForExcel, /[a-z]/i],
  [beginsDate, /[adfjmnost]/i],
];
/** The bits of each visible ASCII character; a text with any other character is left to its column. */
const marks = new Uint8Array(65_536);
for (let code = 32; code < 127; code += 1)
  for (const [bit, characters] of charactersOf)
    if (characters.test(String.fromCharCode(code))) marks[code] = (marks[code] as number) | bit;
const converted = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|true|false)/i;

/** The longest text that is copied. */
const maxLength = 250;
const [zero, minus, lineFeed, carriageReturn, quote] = [48, 45, 10, 13, 34];

function putDigits(bytes: Uint8Array, at: number, whole: number): number {
  let end = at + 1;
  for (let rest = whole; rest >= 10; rest = (rest / 10) | 0) end += 1;
  for (let [position, rest] = [end - 1, whole]; position >= at; position -= 1) {
    const tenth = (rest / 10) | 0;
    bytes[position] = zero + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}

/** Amounts are ten-thousandths of a dollar. */
function putAmount(bytes: Uint8Array, at: number, cell: Cell, point: number): number {
  const amount = (cell as number) | 0;
  if (amount !== cell) return -1;
  const size = Math.abs(amount);
  const whole = (size / 10_000) | 0;
  if (amount < 0) bytes[at] = minus;
  let end = putDigits(bytes, amount < 0 ? at + 1 : at, whole);
  let fraction = size - 10_000 * whole;
  if (fraction > 0) bytes[end++] = point;
  for (let unit = 1000; fraction > 0; unit /= 10) {
    const digit = (fraction / unit) | 0;
    bytes[end++] = zero + digit;
    fraction -= digit * unit;
  }
  return end;
}

/** Writes `2025-08-13`, but no other form of a day. */
const putDay: Put = (bytes, at, cell) => {
  if (typeof cell !== 'string' || cell.length !== 10) return -1;
  for (let index = 0; index < 10; index += 1) {
    const code = cell.charCodeAt(index);
    const isExpected = index === 4 || index === 7 ? code === minus : code >= zero && code < zero + 10;
    if (!isExpected) return -1;
    bytes[at + index] = code;
  }
  return at + 10;
};

/** Copies a text in the same pass that examines it, and again if it needs quotes. */
function copyText(bytes: Uint8Array, at: number, text: string, needsQuotes: boolean): number {
  let end = at;
  if (needsQuotes) bytes[end++] = quote;
  for (let index = 0, before = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const mark = marks[code] as number;
    // A formula may begin after a character at which some spreadsheets split cells.
    if (mark === 0 || (mark & isSign & before) !== 0) return -1;
    if ((mark & isQuoted) !== 0) {
      if (!needsQuotes) return copyText(bytes, at, text, true);
      if (code === quote) bytes[end++] = quote;
    }
    bytes[end++] = code;
    before = (mark & isQuoted) === 0 ? 0 : isSign;
  }
  if (needsQuotes) bytes[end++] = quote;
  return end;
}

function createPut(kind: FieldKind, { decimal, isForExcel }: CsvStyle): Put {
  const point = decimal.charCodeAt(0);
  if (kind === 'money') return (bytes, at, cell) => putAmount(bytes, at, cell, point);
  if (kind === 'date') return putDay;
  const first = isForExcel ? beginsForExcel : begins;
  return (bytes, at, cell) => {
    if (typeof cell !== 'string') {
      const whole = (cell as number) | 0;
      return whole === cell && whole >= 0 ? putDigits(bytes, at, whole) : -1;
    }
    if (cell.length === 0 || cell.length > maxLength) return -1;
    const mark = marks[cell.charCodeAt(0)] as number;
    if ((mark & first) === 0 || (isForExcel && (mark & beginsDate) !== 0 && converted.test(cell))) return -1;
    return copyText(bytes, at, cell, false);
  };
}

/**
 * Writes rows of cells as lines into one buffer, which the next call overwrites. Whole numbers, amounts and days, which
 * nearly all cells are, are written digit by digit, and texts character by character, without making a text first.
 */
export function createCellBytes(
  columns: readonly { readonly kind: FieldKind; readonly write: (cell: Cell) => string }[],
  style: CsvStyle,
): (rows: readonly (readonly Cell[])[]) => Buffer {
  const puts = columns.map(({ kind }) => createPut(kind, style));
  const writes = columns.map(({ write }) => write);
  const separator = style.delimiter.charCodeAt(0);
  /** The largest number of bytes in a line, without its longer texts. */
  const lineBytes = columns.length * (2 * maxLength + 3) + 1;
  let bytes = Buffer.alloc(lineBytes);
  const enlarge = (size: number): void => {
    if (size > bytes.length) bytes = Buffer.concat([bytes], 2 * size);
  };
  /** Writes one line and returns where it ends. A function of its own: V8 compiles a loop within a loop twice. */
  const writeRow = (row: readonly Cell[], from: number): number => {
    let at = from;
    for (let index = 0; index < puts.length; index += 1) {
      const cell = row[index] ?? null;
      let end = cell === null ? at : (puts[index] as Put)(bytes, at, cell);
      if (end < 0) {
        const text = (writes[index] as (cell: Cell) => string)(cell);
        enlarge(at + 3 * text.length + lineBytes);
        end = at + bytes.write(text, at);
      }
      bytes[end] = separator;
      at = end + 1;
    }
    bytes[at - 1] = carriageReturn;
    bytes[at] = lineFeed;
    return at + 1;
  };
  return (rows) => {
    let at = 0;
    for (const row of rows) {
      enlarge(at + lineBytes);
      at = writeRow(row, at);
    }
    return bytes.subarray(0, at);
  };
}
