import {
  type DaySpan,
  daysOf,
  matchesDays,
  type RangeOperator,
  writeDays,
} from '../../../../rules/date-range.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../file/database.ts';
import { type OpenFile, type OpenFileOptions, openFile } from '../file/open-file.ts';
import { memo } from './memo.ts';
import { createSsnHash } from './ssn-hash.ts';
import { hasWords, indexedText } from './text-index.ts';

/** The size of the cache of ranges; the same few thousand ranges occur repeatedly. */
const maxCachedRanges = 20_000;

function createDaysReader(): (start: unknown, end: unknown, bounds: unknown) => DaySpan | null {
  const spanByRange = new Map<string, DaySpan | null>();
  return (start, end, bounds) => {
    const name = `${String(bounds)} ${String(start)} ${String(end)}`;
    return memo(spanByRange, name, () => daysOf({ start, end, bounds }), maxCachedRanges);
  };
}

/**
 * Registers the SQL functions for date ranges: `range_days` and `range_first_day` of a start, an end and bounds, and
 * `range_matches`, which also takes an operator and the two days of a filter. The values are stored only in an index,
 * in no column, so they are not part of a record. A change to `daysOf` or `writeDays` needs a migration with `REINDEX
 * claims_by_service_days`.
 */
function addRangeFunctions(database: Database): void {
  const read = createDaysReader();
  const pure = { deterministic: true };
  database.function('range_days', pure, (start, end, bounds) => {
    const days = read(start, end, bounds);
    return days === null ? null : writeDays(days);
  });
  database.function('range_first_day', pure, (start, end, bounds) => read(start, end, bounds)?.first ?? null);
  database.function('range_matches', pure, (start, end, bounds, operator, from, to) =>
    Number(matchesDays(read(start, end, bounds), operator as RangeOperator, from as string, to as string)),
  );
}

/** Registers the SQL functions that indexes and queries of records call. Writing records requires them. */
function addRecordFunctions(database: Database, key: Uint8Array): void {
  database.function('has_words', { deterministic: true, varargs: true }, (search, ...texts) =>
    Number(hasWords(String(search), texts as (string | null)[])),
  );
  database.function('indexed_text', { deterministic: true }, (text) => indexedText(String(text)));
  const hashSsn = createSsnHash(key);
  database.function('ssn_hash', { deterministic: true }, (text) =>
    typeof text === 'string' ? hashSsn(text) : null,
  );
  addRangeFunctions(database);
}

/**
 * The page size of the file. Compared with pages of four kilobytes, reading all claims in order takes a third less
 * time, and the file is a twentieth smaller.
 */
export const recordsPageBytes = 16_384;

/** Opens a file of records without migrating it. @throws DeskError as `openDatabase` */
export const openRecords = (
  filePath: string,
  key: Uint8Array,
  options: Pick<DatabaseOptions, 'isReadOnly'> = {},
): Database =>
  openDatabase(filePath, key, {
    ...options,
    addFunctions: addRecordFunctions,
    pageBytes: recordsPageBytes,
  });

/** Opens the records of a workspace for writing. @throws DeskError as `openFile()` */
export const openRecordsFile = (
  filePath: string,
  key: Uint8Array,
  options: Pick<OpenFileOptions, 'onTrouble' | 'onProgress'> = {},
): OpenFile =>
  openFile(filePath, key, 'records', {
    ...options,
    addFunctions: addRecordFunctions,
    pageBytes: recordsPageBytes,
  });
