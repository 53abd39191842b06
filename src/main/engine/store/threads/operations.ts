import type { Entity } from '../../../../contract/fields.ts';
import type { ListQuery } from '../../../../contract/query.ts';
import type { SyncReceipt } from '../../../../contract/sync.ts';
import type { Database } from '../file/database.ts';
import { buildKeys } from '../query/build-query.ts';
import { listConnectionsOf } from '../query/connections-of-member.ts';
import { findMembersByEmail, listEmployerChoices } from '../query/employer-choices.ts';
import { readFirstKeys } from '../query/first-rows.ts';
import { readEmployer, readTenant } from '../query/organizations.ts';
import { readRows } from '../query/read-rows.ts';
import { markClaimsRead, readNotedRead } from '../record/claim-reads.ts';
import {
  createReviewWriter,
  findUncompared,
  listChangedReviews,
  readReviewMark,
} from '../record/claim-reviews.ts';
import type { JsonObject } from '../record/json.ts';
import type { ListKind } from '../record/list-kind.ts';
import { maskRecord } from '../record/mask.ts';
import { listUnknownFields } from '../record/odd-values.ts';
import { createRecordReader } from '../record/record-reader.ts';
import { createVersionReader } from '../record/records-version.ts';
import { findNumbered, freezeClaims, readReviewedClaims } from '../record/reviewed-claims.ts';
import { createRewrite } from '../record/write-again.ts';
import { type ChangeSource, createChangeLog, listChanges, readChangeCounts } from '../sync/change-log.ts';
import { type ConnectionCarrier, findCarrier, writeCarriers } from '../sync/connection-carriers.ts';
import { buildDeferredIndexes, deferClaimIndexes } from '../sync/deferred-indexes.ts';
import { createIngest } from '../sync/ingest.ts';
import { findNewestFirst } from '../sync/list-order.ts';
import { countUnseen, readMissingMark, settleMissing } from '../sync/missing-records.ts';
import { createPassPages } from '../sync/pass-pages.ts';
import { countRecords, keepCounts, type VersionedCounts } from '../sync/record-counts.ts';
import { readRetentionRules } from '../sync/retention.ts';
import {
  beginPass,
  type RunState,
  readOrders,
  readReceipts,
  readRun,
  writeOrder,
  writeReceipt,
  writeRun,
} from '../sync/sync-state.ts';
import { describePairs, maxShown } from '../worklists/describe-pair.ts';
import { findFingerprint, pairsOfClaims } from '../worklists/duplicate-pairs.ts';
import { readEligibleClaims } from '../worklists/read-eligible.ts';
import { readReimbursed } from '../worklists/read-report.ts';
import { readReasons, readWorklistCounts } from '../worklists/read-worklists.ts';
import { createSettleOperation, isSettled } from '../worklists/settle-claims.ts';
import { lookForDuplicates } from '../worklists/write-duplicates.ts';

/** The operations of the one writer. Each is one transaction. */
export function createWriteOperations(database: Database) {
  const pages = createPassPages(database);
  const changes = createChangeLog(database);
  const rewrite = createRewrite(database);
  return {
    ingestPage: createIngest(database, pages, changes),
    writeRun: (run: RunState | null) => {
      if (run === null) pages.forget();
      writeRun(database, run);
    },
    beginPass: (run: RunState) => {
      pages.forget();
      if (run.kind === 'claims' && run.pass === 1) deferClaimIndexes(database);
      beginPass(database, run);
    },
    digestPass: (input: { kind: ListKind; pass: number }) => {
      buildDeferredIndexes(database);
      return pages.digest(input.kind, input.pass);
    },
    /** After a first read that was interrupted, also by a killed process. */
    buildIndexes: (_input: null) => buildDeferredIndexes(database),
    /** Writes the next few records again that an older Claimdesk kept in another way; true while there are more. */
    writeAgain: (_input: null) => rewrite(),
    countUnseen: (input: { kind: ListKind; pass: number }) =>
      countUnseen(database, pages, input.kind, input.pass),
    settleMissing: (input: { kind: ListKind; pass: number; at: string; changes: ChangeSource }) =>
      settleMissing(database, pages, changes, input),
    /** Stores the order in which a finished pass received the newest first. */
    learnOrder: (input: { kind: ListKind; pass: number }) =>
      writeOrder(database, input.kind, findNewestFirst(database, input.kind, input.pass)),
    renameChanges: (input: { from: string; to: string }) => changes.rename(input.from, input.to),
    markClaimsRead: (at: string) => markClaimsRead(database, at),
    writeReceipt: (receipt: SyncReceipt) => {
      writeReceipt(database, receipt);
      changes.prune();
    },
    writeCarriers: (carriers: readonly ConnectionCarrier[]) => writeCarriers(database, carriers),
    ...createReviewWriter(database),
    readRun: (_input: null) => readRun(database),
    /** Brings facts and worklists up to date, some thousand claims at once; true while there are more. */
    settleClaims: createSettleOperation(database),
    keepCounts: (counts: VersionedCounts) => keepCounts(database, counts),
    optimize: (_input: null) => {
      buildDeferredIndexes(database);
      database.pragma('optimize');
      database.pragma('wal_checkpoint(PASSIVE)');
      return null;
    },
  };
}

/** The operations of a reader, which run while the writer writes. */
export function createReadOperations(database: Database) {
  const records = createRecordReader(database);
  const readVersion = createVersionReader(database);

  const readRecord = (entity: Entity, key: number, isSsnShown: boolean): JsonObject | null => {
    const found = records[entity](key);
    if (found === null) return null;
    const record = isSsnShown ? found.record : maskRecord(found.record, entity);
    if (entity === 'lines') return { ...record, claim_id: found.parent };
    if (entity === 'dependents') return { ...record, member_id: found.parent };
    return record;
  };

  const countAll = () => {
    const setAside = database.prepare('SELECT count(*) FROM set_aside').pluck().get() as number;
    const { counts, ...kept } = countRecords(database);
    return { counts: { ...counts, setAside }, ...kept };
  };

  return {
    listKeys: (query: ListQuery): Float64Array => {
      const { text, values } = buildKeys(query);
      return Float64Array.from(database.prepare(text).pluck().all(values) as number[]);
    },
    /** The first rows of a list, and the version of the records they belong to. */
    readFirst: database.transaction(
      (input: { query: ListQuery; limit: number; fields?: readonly string[] | undefined }) => {
        const keys = readFirstKeys(database, input.query, input.limit);
        return {
          rows: readRows(database, input.query.entity, keys, input.fields),
          version: readVersion(input.query.entity),
        };
      },
    ),
    /** Rows by key, and the version of the records they belong to. */
    readWindow: database.transaction(
      (input: { entity: Entity; keys: readonly number[]; fields?: readonly string[] | undefined }) => ({
        rows: readRows(database, input.entity, input.keys, input.fields),
        version: readVersion(input.entity),
      }),
    ),
    readRows: (input: { entity: Entity; keys: number[]; fields?: readonly string[] | undefined }) =>
      readRows(database, input.entity, input.keys, input.fields),
    /**
     * Whole records as JSON text, equal to what was sent except for masked SSNs; a row and its lists are of one
     * moment.
     */
    readRecords: database.transaction(
      (input: { entity: Entity; keys: number[]; isSsnShown: boolean }): (string | null)[] =>
        input.keys.map((key) => {
          const record = readRecord(input.entity, key, input.isSsnShown);
          return record === null ? null : JSON.stringify(record);
        }),
    ),
    /** The key of a dependent by the service's id; for members and claims the key is the id. */
    findDependent: (input: { id: number }): number | null => {
      const found = database
        .prepare('SELECT ref FROM dependents WHERE id=? ORDER BY ref LIMIT 1')
        .pluck()
        .get(input.id);
      return (found as number | undefined) ?? null;
    },
    readEmployer: database.transaction((input: { id: number }) =>
      readEmployer(database, (ref) => maskRecord(records.employer(ref), 'employers'), input.id),
    ),
    readTenant: database.transaction((input: { id: number }) =>
      readTenant(database, (ref) => maskRecord(records.tenant(ref), 'tenants'), input.id),
    ),
    listEmployerChoices: database.transaction((_input: null) => listEmployerChoices(database)),
    findMembersByEmail: (input: { email: string }) => findMembersByEmail(database, input.email),
    countRecords: database.transaction((_input: null) => countAll().counts),
    /** The same counts with what `keepCounts` needs of them. */
    countForKeeping: database.transaction((_input: null) => countAll()),
    listSetAside: (_input: null) =>
      database
        .prepare(
          'SELECT kind, reason, record_id AS recordId, seen_at AS seenAt FROM set_aside ORDER BY seen_at DESC LIMIT 1000',
        )
        .all() as { kind: string; reason: string; recordId: string | null; seenAt: string }[],
    readReceipts: (_input: null) => readReceipts(database),
    readRun: (_input: null) => readRun(database),
    readRetention: (_input: null) => readRetentionRules(database),
    readOrders: (_input: null) => readOrders(database),
    readChangeCounts: (input: { runId: string }) => readChangeCounts(database, input.runId),
    listChanges: (input: Parameters<typeof listChanges>[1]) => listChanges(database, input),
    /** Claims of these IDs as a review keeps them; unknown ones are left out. */
    readReviewedClaims: database.transaction((input: { claimIds: readonly number[] }) =>
      readReviewedClaims(database, records, input.claimIds),
    ),
    readReviewMark: (_input: null) => readReviewMark(database),
    findUncompared: (_input: null) => findUncompared(database),
    /** Up to when all claims were read, in the service's time; null: not noted yet. */
    readNotedRead: (_input: null) => readNotedRead(database),
    listChangedReviews: (_input: null) => listChangedReviews(database),
    freezeClaims: (input: { claimIds: Float64Array }) => freezeClaims(database, input.claimIds),
    findNumbered: (input: { numbers: readonly string[] }) => findNumbered(database, input.numbers),
    listUnknownFields: (input: { list: 'claims' | 'lines' }) => listUnknownFields(database, input.list),
    findCarrier: (input: { policyHolderId: number }) => findCarrier(database, input.policyHolderId),
    readMissingMark: (input: { kind: ListKind; id: number }) =>
      readMissingMark(database, input.kind, input.id),
    /** What changed since duplicates were last looked for, compared; null: nothing to do. */
    lookForDuplicates: database.transaction((_input: null) => lookForDuplicates(database)),
    isSettled: database.transaction((input: Parameters<typeof isSettled>[1]) => isSettled(database, input)),
    readWorklistCounts: database.transaction((input: { day: string }) =>
      readWorklistCounts(database, input.day),
    ),
    readEligibleClaims: database.transaction((input: { claimIds: readonly number[] }) =>
      readEligibleClaims(database, input.claimIds),
    ),
    readReimbursed: database.transaction((_input: null) => readReimbursed(database)),
    readReasons: database.transaction((input: { claimId: number; day: string }) =>
      readReasons(database, input.claimId, input.day),
    ),
    findFingerprint: (input: { claimId: number; otherClaimId: number }) => findFingerprint(database, input),
    /** The pairs of one claim side by side. */
    describePairs: database.transaction((input: { claimId: number }) =>
      describePairs(database, input.claimId),
    ),
    /** The same of some claims, without what they are compared by. */
    readPairs: database.transaction((input: { claimIds: readonly number[] }) =>
      [...pairsOfClaims(database, input.claimIds, maxShown)].map(([claimId, { pairs }]) => ({
        claimId,
        pairs,
      })),
    ),
    listConnectionsOf: (input: { memberId: number }) => listConnectionsOf(database, input.memberId),
  };
}

export type WriteOperations = ReturnType<typeof createWriteOperations>;
export type ReadOperations = ReturnType<typeof createReadOperations>;
