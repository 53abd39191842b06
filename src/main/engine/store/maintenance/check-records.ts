import type { StoreCheck } from '../../../../contract/store.ts';
import { checkFile } from '../file/check.ts';
import type { Database } from '../file/database.ts';
import { claimNameColumns, namesOfClaim } from '../record/claim-names.ts';
import { digestRecord } from '../record/record-digest.ts';
import { createRecordReader } from '../record/record-reader.ts';
import { countRecords, createCount, type OnProgress } from './progress.ts';

/** Checks a file of records; a full check also compares each record with its digest. See checkFile(). */
export function checkRecords(
  database: Database,
  isFull: boolean,
  onProgress: OnProgress = () => undefined,
  stopsAtFirst = false,
): StoreCheck {
  const countMore = (): number => countBrokenRecords(database, onProgress, stopsAtFirst);
  return checkFile(database, isFull, countMore, onProgress, stopsAtFirst);
}

/** Counts records that cannot be read whole or do not match their digest, and claims whose names are not theirs. */
function countBrokenRecords(database: Database, onProgress: OnProgress, stopsAtFirst: boolean): number {
  const count = createCount(onProgress, 'checkingRecords', countRecords(database));
  const records = createRecordReader(database);
  let broken = 0;
  for (const kind of ['members', 'claims'] as const) {
    const names = kind === 'claims' ? claimNameColumns : [];
    for (const { id, digest, ...kept } of readRowsInParts(database, kind, names)) {
      if (stopsAtFirst && broken > 0) return broken;
      count();
      try {
        const found = records[kind](id);
        const isKnown = found !== null && digest.equals(digestRecord(found.record));
        const made = found === null ? [] : namesOfClaim(found.record);
        const isNamed = names.every((name, index) => kept[name] === made[index]);
        if (!isKnown || !isNamed) broken += 1;
      } catch {
        broken += 1;
      }
    }
  }
  return broken;
}

/** How many rows are held at once. */
const rowsPerPart = 1_000;

/** Rows by ID, a part in each read: of a million at once, the digests alone would be held as 300 MB. */
function* readRowsInParts(
  database: Database,
  kind: 'members' | 'claims',
  names: readonly string[],
): Generator<{ id: number; digest: Buffer; [name: string]: unknown }> {
  const columns = ['id', 'digest', ...names].join(', ');
  const read = database.prepare(`SELECT ${columns} FROM ${kind} WHERE id>? ORDER BY id LIMIT ${rowsPerPart}`);
  let last: number = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = read.all(last) as { id: number; digest: Buffer }[];
    yield* rows;
    const end = rows.at(-1);
    // In a damaged order, which the check of the file has found.
    if (end === undefined || end.id <= last) return;
    last = end.id;
  }
}
