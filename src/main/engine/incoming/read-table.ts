import type { ErrorCode } from '../../../contract/error-codes.ts';
import { DeskError } from '../../lib/errors.ts';
import { decodeText } from './decode-text.ts';
import { type Columns, findHeader, type Meaning } from './find-columns.ts';
import { limits, type RawTable } from './raw-table.ts';
import { readCsv } from './read-csv.ts';
import { isDayFirst, readAmount, readCell, readDay } from './read-values.ts';
import { readWorkbook } from './read-workbook.ts';

/** A row of a file that came in, by what its columns mean. */
export interface IncomingRow {
  readonly line: number;
  /** The cell of a column; blank where it or the column is. */
  readonly textOf: (meaning: Meaning) => string;
  /** In ten-thousandths of a dollar; null: it is no amount, or can be read in two ways. */
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
  /** Which columns the file has to have. */
  readonly isEnough: (columns: Columns) => boolean;
  /** The code of the error where it does not have them. */
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
export function readTable(bytes: Uint8Array, wanted: Wanted): IncomingTable {
  const { sheets, separator } = readRaw(bytes);
  const found = sheets.flatMap(({ name, rows, broken }) => {
    const header = findHeader(rows, wanted.meanings, wanted.isEnough);
    return header === null ? [] : [{ ...header, name, broken, rows: rows.slice(header.at + 1) }];
  });
  const [table, other] = found;
  if (table === undefined) throw new DeskError(wanted.without);
  if (other !== undefined) throw new DeskError('file.severalSheets');
  const { columns, broken } = table;
  const cellOf = (cells: readonly (string | undefined)[], meaning: Meaning): string =>
    columns[meaning] === undefined ? '' : readCell(cells[columns[meaning]]);
  // A row of totals names no claim and no member.
  const rows = table.rows.filter(
    ({ cells }) =>
      !cells.some((cell) => isTotal(readCell(cell))) ||
      keys.some((key) => cellOf(cells, key) !== '' && !isTotal(cellOf(cells, key))),
  );
  // One date that can't be American leaves all of them uncertain.
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
