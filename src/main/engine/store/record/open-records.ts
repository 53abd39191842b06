import { type Database, type DatabaseOptions, openDatabase } from '../file/database.ts';
import { type OpenFile, type OpenFileOptions, openFile } from '../file/open-file.ts';
import { addRangeFunctions } from './range-functions.ts';
import { createSsnHash } from './ssn-hash.ts';
import { hasWords, indexedText } from './text-index.ts';

/**
 * Registers the SQL functions that indexes and queries of records call. A connection without them cannot write
 * records.
 */
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
 * Read from end to end, as by a sort without an index, the claims take a third less than in pages of four kilobytes,
 * and their file is a twentieth smaller.
 */
export const recordsPageBytes = 16_384;

/** Opens a file of records as it is. @throws DeskError as `openConnection()` */
export function openRecords(
  filePath: string,
  key: Uint8Array,
  options: Pick<DatabaseOptions, 'isReadOnly'> = {},
): Database {
  return openDatabase(filePath, key, {
    ...options,
    addFunctions: addRecordFunctions,
    pageBytes: recordsPageBytes,
  });
}

/** Opens the records of a workspace for writing. @throws DeskError as `openFile()` */
export function openRecordsFile(
  filePath: string,
  key: Uint8Array,
  options: Pick<OpenFileOptions, 'onTrouble' | 'onProgress'> = {},
): OpenFile {
  return openFile(filePath, key, 'records', {
    ...options,
    addFunctions: addRecordFunctions,
    pageBytes: recordsPageBytes,
  });
}
