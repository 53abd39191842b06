import type { Entity } from '../../../../contract/fields.ts';
import type { ListQuery } from '../../../../contract/query.ts';
import type { SyncReceipt } from '../../../../contract/sync.ts';
import type { Connection } from '../file/connection.ts';
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
export function createWriteOperations(connection: Connection) {
  const pages = createPassPages(connection);
  const changes = createChangeLog(connection);
  const rewrite = createRewrite(connection);
  return {
    ingestPage: createIngest(connection, pages, changes),
    writeRun: (run: RunState | null) => {
      if (run === null) pages.forget();
      writeRun(connection, run);
    },
    beginPass: (run: RunState) => {
      pages.forget();
      if (run.kind === 'claims' && run.pass === 1) deferClaimIndexes(connection);
      beginPass(connection, run);
    },
    digestPass: (input: { kind: ListKind; pass: number }) => {
      buildDeferredIndexes(connection);
      return pages.digest(input.kind, input.pass);
    },
    /** After a first read that was interrupted, also by a killed process. */
    buildIndexes: (_input: null) => buildDeferredIndexes(connection),
    /** Writes the next few records again that an older Claimdesk kept in another way; true while there are more. */
    writeAgain: (_input: null) => rewrite(),
    countUnseen: (input: { kind: ListKind; pass: number }) =>
      countUnseen(connection, pages, input.kind, input.pass),
    settleMissing: (input: { kind: ListKind; pass: number; at: string; changes: ChangeSource }) =>
      settleMissing(connection, pages, changes, input),
    /** Stores the order in which a finished pass received the newest first. */
    learnOrder: (input: { kind: ListKind; pass: number }) =>
      writeOrder(connection, input.kind, findNewestFirst(connection, input.kind, input.pass)),
    renameChanges: (input: { from: string; to: string }) => changes.rename(input.from, input.to),
    markClaimsRead: (at: string) => markClaimsRead(connection, at),
    writeReceipt: (receipt: SyncReceipt) => {
      writeReceipt(connection, receipt);
      changes.prune();
    },
    writeCarriers: (carriers: readonly ConnectionCarrier[]) => writeCarriers(connection, carriers),
    ...createReviewWriter(connection),
    readRun: (_input: null) => readRun(connection),
    /** Brings facts and worklists up to date, some thousand claims at once; true while there are more. */
    settleClaims: createSettleOperation(connection),
    keepCounts: (counts: VersionedCounts) => keepCounts(connection, counts),
    optimize: (_input: null) => {
      buildDeferredIndexes(connection);
      connection.pragma('optimize');
      connection.pragma('wal_checkpoint(PASSIVE)');
      return null;
    },
  };
}

/** The operations of a reader, which run while the writer writes. */
export function createReadOperations(connection: Connection) {
  const records = createRecordReader(connection);
  const readVersion = createVersionReader(connection);

  const readRecord = (entity: Entity, key: number, isSsnShown: boolean): JsonObject | null => {
    const found = records[entity](key);
    if (found === null) return null;
    const record = isSsnShown ? found.record : maskRecord(found.record, entity);
    if (entity === 'lines') return { ...record, claim_id: found.parent };
    if (entity === 'dependents') return { ...record, member_id: found.parent };
    return record;
  };

  const countAll = () => {
    const setAside = connection.prepare('SELECT count(*) FROM set_aside').pluck().get() as number;
    const { counts, ...kept } = countRecords(connection);
    return { counts: { ...counts, setAside }, ...kept };
  };

  return {
    listKeys: (query: ListQuery): Float64Array => {
      const { text, values } = buildKeys(query);
      return Float64Array.from(connection.prepare(text).pluck().all(values) as number[]);
    },
    /** The first rows of a list, and the version of the records they belong to. */
    readFirst: connection.transaction(
      (input: { query: ListQuery; limit: number; fields?: readonly string[] | undefined }) => {
        const keys = readFirstKeys(connection, input.query, input.limit);
        return {
          rows: readRows(connection, input.query.entity, keys, input.fields),
          version: readVersion(input.query.entity),
        };
      },
    ),
    /** Rows by key, and the version of the records they belong to. */
    readWindow: connection.transaction(
      (input: { entity: Entity; keys: readonly number[]; fields?: readonly string[] | undefined }) => ({
        rows: readRows(connection, input.entity, input.keys, input.fields),
        version: readVersion(input.entity),
      }),
    ),
    readRows: (input: { entity: Entity; keys: number[]; fields?: readonly string[] | undefined }) =>
      readRows(connection, input.entity, input.keys, input.fields),
    /**
     * Whole records as JSON text, equal to what was sent except for masked SSNs; a row and its lists are of one
     * moment.
     */
    readRecords: connection.transaction(
      (input: { entity: Entity; keys: number[]; isSsnShown: boolean }): (string | null)[] =>
        input.keys.map((key) => {
          const record = readRecord(input.entity, key, input.isSsnShown);
          return record === null ? null : JSON.stringify(record);
        }),
    ),
    /** The key of a dependent by the service's id; for members and claims the key is the id. */
    findDependent: (input: { id: number }): number | null => {
      const found = connection
        .prepare('SELECT ref FROM dependents WHERE id=? ORDER BY ref LIMIT 1')
        .pluck()
        .get(input.id);
      return (found as number | undefined) ?? null;
    },
    readEmployer: connection.transaction((input: { id: number }) =>
      readEmployer(connection, (ref) => maskRecord(records.employer(ref), 'employers'), input.id),
    ),
    readTenant: connection.transaction((input: { id: number }) =>
      readTenant(connection, (ref) => maskRecord(records.tenant(ref), 'tenants'), input.id),
    ),
    listEmployerChoices: connection.transaction((_input: null) => listEmployerChoices(connection)),
    findMembersByEmail: (input: { email: string }) => findMembersByEmail(connection, input.email),
    countRecords: connection.transaction((_input: null) => countAll().counts),
    /** The same counts with what `keepCounts` needs of them. */
    countForKeeping: connection.transaction((_input: null) => countAll()),
    listSetAside: (_input: null) =>
      connection
        .prepare(
          'SELECT kind, reason, record_id AS recordId, seen_at AS seenAt FROM set_aside ORDER BY seen_at DESC LIMIT 1000',
        )
        .all() as { kind: string; reason: string; recordId: string | null; seenAt: string }[],
    readReceipts: (_input: null) => readReceipts(connection),
    readRun: (_input: null) => readRun(connection),
    readRetention: (_input: null) => readRetentionRules(connection),
    readOrders: (_input: null) => readOrders(connection),
    readChangeCounts: (input: { runId: string }) => readChangeCounts(connection, input.runId),
    listChanges: (input: Parameters<typeof listChanges>[1]) => listChanges(connection, input),
    /** Claims of these IDs as a review keeps them; unknown ones are left out. */
    readReviewedClaims: connection.transaction((input: { claimIds: readonly number[] }) =>
      readReviewedClaims(connection, records, input.claimIds),
    ),
    readReviewMark: (_input: null) => readReviewMark(connection),
    findUncompared: (_input: null) => findUncompared(connection),
    /** Up to when all claims were read, in the service's time; null: not noted yet. */
    readNotedRead: (_input: null) => readNotedRead(connection),
    listChangedReviews: (_input: null) => listChangedReviews(connection),
    freezeClaims: (input: { claimIds: Float64Array }) => freezeClaims(connection, input.claimIds),
    findNumbered: (input: { numbers: readonly string[] }) => findNumbered(connection, input.numbers),
    listUnknownFields: (input: { list: 'claims' | 'lines' }) => listUnknownFields(connection, input.list),
    findCarrier: (input: { policyHolderId: number }) => findCarrier(connection, input.policyHolderId),
    readMissingMark: (input: { kind: ListKind; id: number }) =>
      readMissingMark(connection, input.kind, input.id),
    /** What changed since duplicates were last looked for, compared; null: nothing to do. */
    lookForDuplicates: connection.transaction((_input: null) => lookForDuplicates(connection)),
    isSettled: connection.transaction((input: Parameters<typeof isSettled>[1]) =>
      isSettled(connection, input),
    ),
    readWorklistCounts: connection.transaction((input: { day: string }) =>
      readWorklistCounts(connection, input.day),
    ),
    readEligibleClaims: connection.transaction((input: { claimIds: readonly number[] }) =>
      readEligibleClaims(connection, input.claimIds),
    ),
    readReimbursed: connection.transaction((_input: null) => readReimbursed(connection)),
    readReasons: connection.transaction((input: { claimId: number; day: string }) =>
      readReasons(connection, input.claimId, input.day),
    ),
    findFingerprint: (input: { claimId: number; otherClaimId: number }) => findFingerprint(connection, input),
    /** The pairs of one claim side by side. */
    describePairs: connection.transaction((input: { claimId: number }) =>
      describePairs(connection, input.claimId),
    ),
    /** The same of some claims, without what they are compared by. */
    readPairs: connection.transaction((input: { claimIds: readonly number[] }) =>
      [...pairsOfClaims(connection, input.claimIds, maxShown)].map(([claimId, { pairs }]) => ({
        claimId,
        pairs,
      })),
    ),
    listConnectionsOf: (input: { memberId: number }) => listConnectionsOf(connection, input.memberId),
  };
}

export type WriteOperations = ReturnType<typeof createWriteOperations>;
export type ReadOperations = ReturnType<typeof createReadOperations>;
