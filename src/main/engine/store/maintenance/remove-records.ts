import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Removal, RemovalCounts, RetentionRules } from '../../../../contract/store.ts';
import { DeskError } from '../../../lib/errors.ts';
import { listBackups, removeBackup } from '../file/backup.ts';
import type { Database } from '../file/database.ts';
import { replaceFile } from '../file/replace-file.ts';
import { removeDatabase, sideFilesOf } from '../file/side-files.ts';
import type { JsonObject } from '../record/json.ts';
import { openRecords, openRecordsFile } from '../record/open-records.ts';
import {
  addRemoval,
  isLeftOut,
  memberIdsOf,
  readRetentionRules,
  type UnfinishedRemoval,
  writeRetentionRules,
  writeUnfinishedRemoval,
} from '../sync/retention.ts';
import { copyRecords, syncCopy } from './copy-records.ts';
import { createCount, type OnProgress } from './progress.ts';
import { makeEmpty } from './repair-records.ts';

/** The number of events in the history of a claim. */
type WrittenEntries = { claimId: number; count: number };

export interface RemovalPlan {
  readonly counts: RemovalCounts;
  /** Removed claims that have reviews. */
  readonly written: readonly number[];
}

/** What a removal would remove, including reviews. Changes nothing. @throws DeskError `store.*` */
export function planRemoval(wanted: {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly removal: Removal;
  readonly written: readonly WrittenEntries[];
  readonly onProgress?: OnProgress;
}): RemovalPlan {
  const database = openRecords(wanted.filePath, wanted.key, { isReadOnly: true });
  try {
    const rules = addRemoval({ claimsBefore: null, memberIds: [] }, wanted.removal);
    const members = rules.memberIds.filter(
      (id) => database.prepare('SELECT 1 FROM members WHERE id=?').get(id) !== undefined,
    );
    // Only claims with reviews are kept in memory.
    const writtenClaims = new Set(wanted.written.map(({ claimId }) => claimId));
    const removedClaims = new Set<number>();
    let claims = 0;
    let sharedClaims = 0;
    const of = database.prepare('SELECT count(*) FROM claims').pluck().get() as number;
    const count = createCount(wanted.onProgress ?? (() => undefined), 'countingRecords', of);
    for (const claim of readClaimHeads(database)) {
      count();
      if (isLeftOut(rules, 'claims', claim)) {
        claims += 1;
        if (writtenClaims.has(claim.id as number)) removedClaims.add(claim.id as number);
      } else if (memberIdsOf(claim).some((id) => rules.memberIds.includes(id))) sharedClaims += 1;
    }
    const reviews = wanted.written.reduce(
      (sum, { claimId, count: entries }) => (removedClaims.has(claimId) ? sum + entries : sum),
      0,
    );
    return {
      counts: { members: members.length, claims, sharedClaims, reviews },
      written: [...removedClaims],
    };
  } finally {
    database.close();
  }
}

/** Claims with only the fields that decide whether they are removed. */
function* readClaimHeads(database: Database): Generator<JsonObject> {
  const rows = database
    .prepare(
      `SELECT id, date_of_service_start, date_of_service_end, date_of_service_bounds, processed_on, eob_date,
       check_date, (SELECT json_group_array(member_id) FROM claim_members
         WHERE parent=claims.id AND member_id IS NOT NULL) AS member_ids FROM claims`,
    )
    .iterate() as IterableIterator<JsonObject & { member_ids: string }>;
  for (const row of rows) {
    yield {
      ...row,
      members: (JSON.parse(row.member_ids) as number[]).map((id) => ({ id })),
      date_of_service: {
        start: row.date_of_service_start ?? null,
        end: row.date_of_service_end ?? null,
        bounds: row.date_of_service_bounds ?? null,
      },
    };
  }
}

/**
 * Removes records so that nothing of them remains on disk: all other records are written to a new file, which replaces
 * the old one; the old file, its log, its backups and other copies are deleted. The rule is stored in the new file, so
 * that a sync does not add the records again.
 *
 * @throws DeskError `store.damaged` where not every other record can be read (repair first); `disk.full`: nothing was
 *   changed
 */
export function removeRecords(wanted: {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly removal: Removal;
  /** Stored in the new file until the engine's `finishRemoval` has completed the removal. */
  readonly unfinished?: UnfinishedRemoval;
  readonly onProgress?: OnProgress;
}): RetentionRules {
  const { filePath, key, unfinished } = wanted;
  const { next } = sideFilesOf(filePath);
  let rules: RetentionRules;
  const source = openRecords(filePath, key);
  try {
    rules = addRemoval(readRetentionRules(source), wanted.removal);
    const target = makeEmpty(next, key);
    try {
      const { lost } = copyRecords(source, target, rules, wanted.onProgress);
      if (lost.length > 0) throw new DeskError('store.damaged');
      writeRetentionRules(target, rules);
      if (unfinished !== undefined) writeUnfinishedRemoval(target, unfinished);
    } finally {
      target.close();
    }
    syncCopy(next);
  } catch (thrown) {
    removeDatabase(next);
    throw thrown;
  } finally {
    source.close();
  }
  // Copies first: if the process is killed before the replacement, no record was removed; if after it, no copy is
  // left.
  removeCopies(filePath);
  replaceFile(filePath, next, null);
  openRecordsFile(filePath, key).close();
  return rules;
}

/** Removes every backup and every other copy of the file. */
export function removeCopies(filePath: string): void {
  for (const { name } of listBackups(filePath)) removeBackup(filePath, name);
  const { keptAsideDir } = sideFilesOf(filePath);
  if (!existsSync(keptAsideDir)) return;
  for (const name of readdirSync(keptAsideDir)) rmSync(join(keptAsideDir, name), { force: true });
}

/** Lifts the rules: the next sync adds the records that the service still returns. */
export function liftRetention(wanted: {
  readonly filePath: string;
  readonly key: Uint8Array;
}): RetentionRules {
  const { database, close } = openRecordsFile(wanted.filePath, wanted.key);
  try {
    const rules: RetentionRules = { claimsBefore: null, memberIds: [] };
    writeRetentionRules(database, rules);
    return rules;
  } finally {
    close();
  }
}
