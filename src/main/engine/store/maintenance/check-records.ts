import type { StoreCheck } from '../../../../contract/store.ts';
import { checkFile } from '../file/check-database.ts';
import { type Database, readSnapshot } from '../file/database.ts';
import { claimNameColumns, namesOfClaim } from '../record/claim-names.ts';
import { digestRecord } from '../record/record-digest.ts';
import { createRecordReader } from '../record/record-reader.ts';
import { countRecords, createCount, type OnProgress } from './count-progress.ts';

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

/**
 * Counts records that are not fully readable or do not match their digest, and claims whose stored names differ from
 * those of their members and employers. Each part is read in one snapshot, since a sync may change records.
 */
function countBrokenRecords(database: Database, onProgress: OnProgress, stopsAtFirst: boolean): number {
  const total = readSnapshot(database, () => countRecords(database));
  const count = createCount(onProgress, 'checkingRecords', total);
  const records = createRecordReader(database);
  const isWhole = (kind: RecordKind, { id, digest, ...kept }: DigestRow): boolean => {
    try {
      const stored = records[kind](id);
      if (stored === null || !digest.equals(digestRecord(stored.record))) return false;
      const made = kind === 'claims' ? namesOfClaim(stored.record) : [];
      return made.every((name, index) => kept[claimNameColumns[index] ?? ''] === name);
    } catch {
      return false;
    }
  };
  let broken = 0;
  for (const kind of ['members', 'claims'] as const) {
    const columns = ['id', 'digest', ...(kind === 'claims' ? claimNameColumns : [])].join(', ');
    const read = database.prepare(
      `SELECT ${columns} FROM ${kind} WHERE id>? ORDER BY id LIMIT ${rowsPerPart}`,
    );
    let last: number = Number.MIN_SAFE_INTEGER;
    const checkPart = (): number | undefined =>
      readSnapshot(database, () => {
        const rows = read.all(last) as DigestRow[];
        for (const row of rows) {
          if (stopsAtFirst && broken > 0) return undefined;
          count();
          if (!isWhole(kind, row)) broken += 1;
        }
        return rows.at(-1)?.id;
      });
    for (let end = checkPart(); end !== undefined; end = checkPart()) {
      // The order is damaged; the check of the file reports that.
      if (end <= last) break;
      last = end;
    }
  }
  return broken;
}

type RecordKind = 'members' | 'claims';
type DigestRow = { readonly id: number; readonly digest: Buffer; readonly [name: string]: unknown };

/** How many rows are in memory at once: the digests of a million rows alone would take 300 MB. */
const rowsPerPart = 1_000;
