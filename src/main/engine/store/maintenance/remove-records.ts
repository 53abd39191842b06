import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Removal, RemovalCounts, RetentionRules, TeamRemoval } from '../../../../contract/store.ts';
import { subjectOfMember } from '../../../../rules/review/member-subject.ts';
import { DeskError } from '../../../lib/errors.ts';
import { listBackups, removeBackup } from '../file/backup.ts';
import type { Database } from '../file/database.ts';
import { replaceFile } from '../file/replace-file.ts';
import { removeDatabase, sideFilesOf } from '../file/side-files.ts';
import type { JsonObject } from '../record/json.ts';
import { openRecords, openRecordsFile } from '../record/open-records.ts';
import {
  addRemoval,
  addTeamRule,
  isLeftOut,
  memberIdsOf,
  noRules,
  readLeavingRules,
  readRetentionRules,
  type UnfinishedRemoval,
  writeRetentionRules,
  writeUnfinishedRemoval,
} from '../sync/retention.ts';
import { copyRecords, syncCopy } from './copy-records.ts';
import { createCount, type OnProgress } from './count-progress.ts';
import { makeEmpty } from './repair-records.ts';

type WrittenEntries = { claimId: number; count: number };

interface RemovalPlan {
  readonly counts: RemovalCounts;
  /** Removed claims that have reviews, and the IDs of the calls of removed members. */
  readonly written: readonly number[];
  /** The emails of removed members. */
  readonly emails: readonly string[];
}

/** Counts what a removal would remove, including reviews. Changes nothing. @throws DeskError `store.*` */
export function planRemoval(options: {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly removal: TeamRemoval;
  readonly written: readonly WrittenEntries[];
  readonly onProgress?: OnProgress;
}): RemovalPlan {
  const database = openRecords(options.filePath, options.key, { isReadOnly: true });
  try {
    const rules = addRemoval(noRules, options.removal);
    const removed = readMembers(database, options.removal);
    const members = removed.length;
    // Memory holds only claims with reviews.
    const writtenClaims = new Set(options.written.map(({ claimId }) => claimId));
    // Includes members whose records were lost.
    const memberIds = [...rules.memberIds, ...removed.map(({ id }) => id)];
    const removedClaims = new Set(memberIds.map(subjectOfMember).filter((id) => writtenClaims.has(id)));
    let claims = 0;
    let sharedClaims = 0;
    const total = database.prepare('SELECT count(*) FROM claims').pluck().get() as number;
    const count = createCount(options.onProgress ?? (() => undefined), 'countingRecords', total);
    for (const claim of readClaimHeads(database)) {
      count();
      if (isLeftOut(rules, 'claims', claim)) {
        claims += 1;
        if (writtenClaims.has(claim.id as number)) removedClaims.add(claim.id as number);
      } else if (memberIdsOf(claim).some((id) => rules.memberIds.includes(id))) sharedClaims += 1;
    }
    const reviews = options.written.reduce(
      (sum, { claimId, count: entries }) => (removedClaims.has(claimId) ? sum + entries : sum),
      0,
    );
    return {
      counts: { members, claims, sharedClaims, reviews },
      written: [...removedClaims],
      emails: removed.flatMap(({ email }) => email ?? []),
    };
  } finally {
    database.close();
  }
}

function readMembers(database: Database, removal: TeamRemoval): { id: number; email: string | null }[] {
  const read = (where: string, ...values: number[]) =>
    database
      .prepare(`SELECT m.id, m.email FROM members m LEFT JOIN employers o ON o.ref=m.employer_ref ${where}`)
      .all(...values) as ReturnType<typeof readMembers>;
  if (removal.kind === 'member') return read('WHERE m.id=?', removal.memberId);
  if (removal.kind === 'employer') return read('WHERE o.id=?', removal.employerId);
  return removal.kind === 'everything' ? read('') : [];
}

/** Finds which claims a removal affects, by their records: among all, or among these. */
export function findRemovedClaims(
  database: Database,
  { removal, claimIds }: { removal: TeamRemoval; claimIds?: readonly number[] },
): number[] {
  const rules = addRemoval(noRules, removal);
  const removedIds: number[] = [];
  for (const claim of readClaimHeads(database, claimIds))
    if (isLeftOut(rules, 'claims', claim)) removedIds.push(claim.id as number);
  return removedIds;
}

/** Claims with only the fields that decide whether they are removed: all, or these. */
function* readClaimHeads(database: Database, claimIds?: readonly number[]): Generator<JsonObject> {
  const rows = database
    .prepare(
      `SELECT id, date_of_service_start, date_of_service_end, date_of_service_bounds, processed_on, eob_date,
       check_date, (SELECT json_group_array(json_object('id', c.member_id, 'employer', json_object('id', o.id)))
         FROM claim_members c JOIN claim_member_records r ON r.ref=c.ref
         LEFT JOIN employers o ON o.ref=r.employer_ref
         WHERE c.parent=claims.id AND c.member_id IS NOT NULL) AS members FROM claims
       ${claimIds === undefined ? '' : 'WHERE id IN (SELECT value FROM json_each(?))'}`,
    )
    .iterate(...(claimIds === undefined ? [] : [JSON.stringify(claimIds)])) as IterableIterator<
    JsonObject & { members: string }
  >;
  for (const row of rows) {
    yield {
      ...row,
      members: JSON.parse(row.members) as JsonObject[],
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
export function removeRecords(options: {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly removal: TeamRemoval;
  /** Stored in the new file until the engine's `finishRemoval` has completed the removal. */
  readonly unfinished?: UnfinishedRemoval;
  readonly onProgress?: OnProgress;
}): RetentionRules {
  const { filePath, key, unfinished } = options;
  const { next } = sideFilesOf(filePath);
  let rules: RetentionRules;
  const source = openRecords(filePath, key);
  try {
    const { removal } = options;
    rules = readRetentionRules(source);
    if (unfinished?.isOfTeam !== true) rules = addRemoval(rules, removal as Removal);
    const target = makeEmpty(next, key);
    try {
      const { lost } = copyRecords(
        source,
        target,
        addRemoval(readLeavingRules(source), removal),
        options.onProgress,
      );
      if (lost.length > 0) throw new DeskError('store.damaged');
      writeRetentionRules(target, rules);
      if (unfinished?.isOfTeam === true) addTeamRule(target, removal);
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
  // Copies first: if the process is killed before the replacement, no record is removed; if it is killed afterwards, no
  // copy remains.
  removeCopies(filePath);
  replaceFile(filePath, next, null);
  openRecordsFile(filePath, key).close();
  return rules;
}

/** Removes every backup and every other copy of the file. */
function removeCopies(filePath: string): void {
  for (const { name } of listBackups(filePath)) removeBackup(filePath, name);
  const { keptAsideDir } = sideFilesOf(filePath);
  if (!existsSync(keptAsideDir)) return;
  for (const name of readdirSync(keptAsideDir)) rmSync(join(keptAsideDir, name), { force: true });
}

/** Lifts the rules: the next sync adds the records that the service still returns. */
export function liftRetention(options: {
  readonly filePath: string;
  readonly key: Uint8Array;
}): RetentionRules {
  const { database, close } = openRecordsFile(options.filePath, options.key);
  try {
    const rules: RetentionRules = { claimsBefore: null, memberIds: [] };
    writeRetentionRules(database, rules);
    return rules;
  } finally {
    close();
  }
}
