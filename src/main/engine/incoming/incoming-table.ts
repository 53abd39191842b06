import type { ErrorCode } from '../../../contract/error-codes.ts';
import { DeskError } from '../../lib/errors.ts';
import { type Columns, findHeader, type Meaning } from './find-columns.ts';
import { limits, type RawTable } from './raw-table.ts';
import { readCsv } from './read-csv.ts';
import { isDayFirst, readAmount, readCell, readDay } from './read-values.ts';
import { readWorkbook } from './read-workbook.ts';

/** The byte order marks that identify an encoding. */
const marks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** Detects UTF-16 without a byte order mark: every other byte of ASCII characters is 0. Null for any other encoding. */
function findWide(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const first = bytes.subarray(0, 200);
  const zeros = [0, 0];
  for (const [at, byte] of first.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1;
  const most = first.length * 0.4;
  if ((zeros[1] as number) >= most && zeros[0] === 0) return 'utf-16le';
  return (zeros[0] as number) >= most && zeros[1] === 0 ? 'utf-16be' : null;
}

/**
 * Decodes a file in UTF-8, UTF-16 or, if it is not valid UTF-8, Windows-1252, in which Excel saves CSV files. All line
 * ends become `\n`, so that lines are counted consistently. Null if it contains a NUL character and so is not text.
 */
function decodeText(bytes: Uint8Array): string | null {
  const marked = marks.find((mark) => mark.bytes.every((byte, at) => bytes[at] === byte))?.encoding;
  const encoding = marked ?? findWide(bytes);
  const decode = (name: string, fatal: boolean): string => new TextDecoder(name, { fatal }).decode(bytes);
  let text: string;
  try {
    text = decode(encoding ?? 'utf-8', true);
  } catch {
    if (encoding !== null && encoding !== 'utf-8') return null;
    text = decode('windows-1252', false);
  }
  return text.includes('\0') ? null : text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** A row of an imported file, with cells by the meaning of their column. */
export interface IncomingRow {
  readonly line: number;
  /** The cell of a column; blank if the cell or the column is missing. */
  readonly textOf: (meaning: Meaning) => string;
  /** The amount in ten-thousandths of a dollar; null: not an amount, or ambiguous. */
  readonly amountOf: (meaning: Meaning) => number | null;
  readonly dayOf: (meaning: Meaning) => string | null;
}

interface IncomingTable {
  readonly has: (meaning: Meaning) => boolean;
  readonly rows: readonly IncomingRow[];
  /** Lines with an open quote, which can't be read. */
  readonly broken: readonly number[];
}

interface Wanted {
  readonly meanings: readonly Meaning[];
  /** The columns that the file must have. */
  readonly isEnough: (columns: Columns) => boolean;
  /** The code of the error for a file without them. */
  readonly without: ErrorCode;
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;

function readRaw(bytes: Uint8Array): RawTable {
  if (bytes.length > limits.fileBytes) throw new DeskError('file.tooLarge');
  if (startsWith(bytes, 'PK')) return readWorkbook(bytes);
  const text = decodeText(bytes);
  if (text === null) throw new DeskError('file.unreadable');
  return readCsv(text);
}

const isTotal = (text: string): boolean => /^(grand |sub)?totals?:?$/i.test(text);
const keys = ['claimId', 'claimNumber', 'claim', 'memberId', 'memberKey', 'member'] as const;

/**
 * Reads a table of payments or results from a CSV file or an Excel workbook. Titles above the names of the columns and rows of totals
 * are left out.
 *
 * @throws DeskError `wanted.without`, `file.unreadable`, `file.tooLarge`, `file.sameColumns`, `file.severalSheets`
 */
export function readTable(bytes: Uint8Array, requirements: Wanted): IncomingTable {
  const { sheets, separator } = readRaw(bytes);
  const tables = sheets.flatMap(({ name, rows, broken }) => {
    const header = findHeader(rows, requirements.meanings, requirements.isEnough);
    return header === null ? [] : [{ ...header, name, broken, rows: rows.slice(header.at + 1) }];
  });
  const [table, other] = tables;
  if (table === undefined) throw new DeskError(requirements.without);
  if (other !== undefined) throw new DeskError('file.severalSheets');
  const { columns, broken } = table;
  const cellOf = (cells: readonly (string | undefined)[], meaning: Meaning): string =>
    columns[meaning] === undefined ? '' : readCell(cells[columns[meaning]]);
  // A row of totals has no claim and no member.
  const rows = table.rows.filter(
    ({ cells }) =>
      !cells.some((cell) => isTotal(readCell(cell))) ||
      keys.some((key) => cellOf(cells, key) !== '' && !isTotal(cellOf(cells, key))),
  );
  // A single date that can't be in US order makes all dates uncertain.
  const isUncertain = rows.some(({ cells }) => isDayFirst(cellOf(cells, 'date')));
  return {
    has: (meaning) => columns[meaning] !== undefined,
    broken,
    rows: rows.map(({ line, cells }) => ({
      line,
      textOf: (meaning) => cellOf(cells, meaning),
      amountOf: (meaning) => readAmount(cellOf(cells, meaning), separator),
      dayOf: (meaning) => {
        const text = cellOf(cells, meaning);
        return isUncertain && text.includes('/') ? null : readDay(text);
      },
    })),
  };
}
