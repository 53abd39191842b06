import type { StoreCheck } from '../../../../contract/store.ts';
import { checkFile } from '../file/check.ts';
import type { Connection } from '../file/connection.ts';
import { readOldDigests } from '../record/old-digests.ts';
import { digestRecord } from '../record/record-digest.ts';
import { createRecordReader } from '../record/record-reader.ts';

/** Checks a file of records; a full check also compares each record with its digest. */
export function checkRecords(connection: Connection, isFull: boolean): StoreCheck {
  return checkFile(connection, isFull, () => countBrokenRecords(connection));
}

/** Counts records that cannot be read whole or do not match their digest. */
function countBrokenRecords(connection: Connection): number {
  const records = createRecordReader(connection);
  let broken = 0;
  for (const kind of ['members', 'claims'] as const) {
    const oldDigestsAbove = readOldDigests(connection, kind) ?? Number.POSITIVE_INFINITY;
    const rows = connection.prepare(`SELECT id, digest FROM ${kind}`).all() as {
      id: number;
      digest: Buffer;
    }[];
    for (const { id, digest } of rows) {
      try {
        const found = records[kind](id);
        const isKnown = id > oldDigestsAbove || (found !== null && digest.equals(digestRecord(found.record)));
        if (found === null || !isKnown) broken += 1;
      } catch {
        broken += 1;
      }
    }
  }
  return broken;
}
