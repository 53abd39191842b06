import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TeamRemoval } from '../../../../contract/store.ts';
import type { SyncReceipt } from '../../../../contract/sync.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { ListQuery } from '../../../../rules/query.ts';
import { bindTo, type Database, inSnapshots } from '../file/database.ts';
import { findRemovedClaims } from '../maintenance/remove-records.ts';
import { buildKeys } from '../query/build-query.ts';
import { correctSearch } from '../query/correct-search.ts';
import { findMembersByEmail, listEmployerChoices, listEmployerIds } from '../query/employer-choices.ts';
import { readFirstKeys } from '../query/first-rows.ts';
import { matchDocument } from '../query/match-claims.ts';
import { findOrganization } from '../query/organizations.ts';
import { readRows } from '../query/read-rows.ts';
import { markClaimsRead, readNotedRead } from '../record/claim-reads.ts';
import {
  createReviewWriter,
  findUncompared,
  listChangedReviews,
  readReviewPosition,
} from '../record/claim-reviews.ts';
import type { JsonObject } from '../record/json.ts';
import { findKnownSsns, maskSsnsIn } from '../record/known-ssns.ts';
import type { ListKind } from '../record/list-kind.ts';
import { maskRecord } from '../record/mask.ts';
import { listUnknownFields } from '../record/odd-values.ts';
import { createRecordReader } from '../record/record-reader.ts';
import { readVersion } from '../record/records-version.ts';
import { findNumbered, freezeClaims, readReviewedClaims } from '../record/reviewed-claims.ts';
import { removeState } from '../record/state.ts';
import { createRewrite } from '../record/write-again.ts';
import { type ChangeSource, createChangeLog, listChanges, readChangeCounts } from '../sync/change-log.ts';
import {
  type ConnectionCarrier,
  findCarrier,
  listConnectionsOf,
  writeCarriers,
} from '../sync/connection-carriers.ts';
import { buildDeferredIndexes, deferClaimIndexes } from '../sync/deferred-indexes.ts';
import { createIngest } from '../sync/ingest.ts';
import { findNewestFirst } from '../sync/list-order.ts';
import { countUnseen, markMissing, readMissingSince } from '../sync/missing-records.ts';
import { createPassPages } from '../sync/pass-pages.ts';
import { countRecords, keepCounts, type VersionedCounts } from '../sync/record-counts.ts';
import {
  addTeamRule,
  adoptRules,
  readLeavingRules,
  readRetentionRules,
  readStoredRules,
  readTeamRules,
  readUnfinishedRemoval,
  type StoredRules,
  writeUnfinishedRemoval,
} from '../sync/retention.ts';
import {
  beginPass,
  readOrders,
  readReceipts,
  readSyncState,
  type SyncState,
  writeOrder,
  writeReceipt,
  writeSyncState,
} from '../sync/sync-state.ts';
import { describePairs, maxShown } from '../worklists/describe-pair.ts';
import { findFingerprint, pairsOfClaims } from '../worklists/duplicate-pairs.ts';
import { listProposed, propose, sumProposed, tryOpen } from '../worklists/propose.ts';
import { readChainMates } from '../worklists/read-chain-claims.ts';
import { readDeadline, readDueDays } from '../worklists/read-deadlines.ts';
import { readEligibleClaims } from '../worklists/read-eligible.ts';
import { readFamily } from '../worklists/read-family.ts';
import { readEarlierClaims, readOwed, readOwedClaims, readPaidClaims } from '../worklists/read-owed.ts';
import { readPeople } from '../worklists/read-people.ts';
import { readReimbursed } from '../worklists/read-report.ts';
import { readRunClaims, readRunLines, readRunRows, sumRuns } from '../worklists/read-runs.ts';
import { movedName, readReasons, readWorklistCounts } from '../worklists/read-worklists.ts';
import { tryPlanRules } from '../worklists/try-plan-rules.ts';
import { areFactsCurrent, createFactsUpdater, isBehind } from '../worklists/update-facts.ts';
import { lookForDuplicates } from '../worklists/write-duplicates.ts';

/** The operations of the one writer. Each is one transaction. */
export function createWriteOperations(database: Database) {
  const pages = createPassPages(database);
  const changes = createChangeLog(database);
  const rewrite = createRewrite(database);
  return {
    ingestPage: createIngest(database, pages, changes),
    writeSyncState: (sync: SyncState | null) => {
      if (sync === null) pages.forget();
      writeSyncState(database, sync);
    },
    beginPass: (sync: SyncState) => {
      pages.forget();
      if (sync.kind === 'claims' && sync.pass === 1) deferClaimIndexes(database);
      beginPass(database, sync);
    },
    digestPass: (input: { kind: ListKind; pass: number }) => {
      buildDeferredIndexes(database);
      return pages.digest(input.kind, input.pass);
    },
    /** Builds the indexes that an interrupted first read, or a killed process, left out. */
    buildIndexes: (_input: null) => buildDeferredIndexes(database),
    /** Rewrites some records that an older version stored in a different form; true while there are more. */
    writeAgain: (_input: null) => rewrite(),
    countUnseen: (input: { kind: ListKind; pass: number }) =>
      countUnseen(database, pages, input.kind, input.pass),
    markMissing: (input: { kind: ListKind; pass: number; at: string; changes: ChangeSource }) =>
      markMissing(database, pages, changes, input),
    /** Stores the order in which a finished pass received the newest records first. */
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
    readSyncState: (_input: null) => readSyncState(database),
    readUnfinishedRemoval: (_input: null) => readUnfinishedRemoval(database),
    endRemoval: (_input: null) => writeUnfinishedRemoval(database, null),
    addTeamRule: (removal: TeamRemoval | null) => addTeamRule(database, removal),
    adoptRules: (rules: StoredRules) => adoptRules(database, rules),
    /** Updates facts and worklists, several thousand claims at once; true while there are more. */
    updateFacts: createFactsUpdater(database),
    dismissMoved: () => removeState(database, movedName),
    keepCounts: (counts: VersionedCounts) => keepCounts(database, counts),
    optimize: (_input: null) => {
      buildDeferredIndexes(database);
      database.pragma('optimize');
      database.pragma('wal_checkpoint(PASSIVE)');
      return null;
    },
  };
}

const reading = {
  countForKeeping: countAll,
  findFingerprint,
  findUncompared,
  isBehind,
  areFactsCurrent,
  listChangedReviews,
  listChanges,
  listEmployerChoices,
  listEmployerIds,
  listSetAside,
  /** Compares the claims that changed since the last search for duplicates; null: nothing to do. */
  lookForDuplicates,
  /** When all claims were last read, in the service's time; null: unknown. */
  readNotedRead,
  readOrders,
  readReceipts,
  readReimbursed,
  findRemovedClaims,
  readLeavingRules,
  readRetention: readRetentionRules,
  readStoredRules,
  readTeamRules,
  readReviewPosition,
  readSyncState,
};

function countAll(database: Database) {
  const setAside = database.prepare('SELECT count(*) FROM set_aside').pluck().get() as number;
  const { counts, ...kept } = countRecords(database);
  return { counts: { ...counts, setAside }, ...kept };
}

function listSetAside(database: Database) {
  const rows = database.prepare(
    'SELECT kind, reason, record_id AS recordId, seen_at AS seenAt FROM set_aside ORDER BY seen_at DESC LIMIT 1000',
  );
  return rows.all() as { kind: string; reason: string; recordId: string | null; seenAt: string }[];
}

/** Columns of rows; all columns if undefined. */
type Fields = readonly string[] | undefined;

const toTexts = (records: readonly (JsonObject | null)[]): (string | null)[] =>
  records.map((record) => (record === null ? null : JSON.stringify(record)));

/** The operations of a reader, which run while the writer writes. */
export function createReadOperations(database: Database) {
  const records = createRecordReader(database);
  const readRecord = (entity: Entity, key: number, isSsnShown: boolean): JsonObject | null => {
    const stored = records[entity](key);
    if (stored === null) return null;
    const record = isSsnShown ? stored.record : maskRecord(stored.record, entity);
    if (entity === 'lines') return { ...record, claim_id: stored.parent };
    if (entity === 'dependents') return { ...record, member_id: stored.parent };
    return record;
  };

  return inSnapshots(database, {
    ...bindTo(database, reading),
    listKeys: (query: ListQuery): Float64Array => {
      const { text, values } = buildKeys(correctSearch(database, query));
      return Float64Array.from(database.prepare(text).pluck().all(values) as number[]);
    },
    /** The first rows of a list, the version of the records they belong to, and whether its search was corrected. */
    readFirst(asked: { query: ListQuery; limit: number; fields?: Fields }) {
      const typed = readFirstKeys(database, asked.query, asked.limit);
      const query = typed.length > 0 ? asked.query : correctSearch(database, asked.query);
      const keys = query === asked.query ? typed : readFirstKeys(database, query, asked.limit);
      return {
        rows: readRows(database, query.entity, keys, asked.fields),
        version: readVersion(database, query.entity),
        isSimilar: query !== asked.query,
      };
    },
    readWindow: ({ entity, keys, fields }: { entity: Entity; keys: readonly number[]; fields?: Fields }) => ({
      rows: readRows(database, entity, keys, fields),
      version: readVersion(database, entity),
    }),
    readRows: (input: { entity: Entity; keys: number[]; fields?: Fields }) =>
      readRows(database, input.entity, input.keys, input.fields),
    /** Whole records as JSON text, equal to what was sent except for the masked fields of SSNs. */
    readRecords: (input: { entity: Entity; keys: number[]; isSsnShown: boolean }): (string | null)[] =>
      toTexts(input.keys.map((key) => readRecord(input.entity, key, input.isSsnShown))),
    /** The same, with the SSNs of the workspace's people masked in all texts as well. */
    readMaskedRecords: ({ entity, keys }: { entity: Entity; keys: number[] }): (string | null)[] => {
      const records = keys.map((key) => readRecord(entity, key, false));
      return toTexts(maskSsnsIn(database, records));
    },
    /** Free space on the disk of the records, in bytes; unlimited where the system does not say. */
    readFreeBytes: (_input: null): number => {
      const { bavail, bsize, blocks } = statfsSync(dirname(database.name));
      return blocks > 0 ? bavail * bsize : Number.POSITIVE_INFINITY;
    },
    findKnownSsns: (digits: readonly string[]) => findKnownSsns(database, digits),
    /** The key of a dependent by the service's id; for members and claims the key is the id. */
    findDependent: ({ id }: { id: number }): number | null => {
      const find = database.prepare('SELECT ref FROM dependents WHERE id=? ORDER BY ref LIMIT 1').pluck();
      return (find.get(id) as number | undefined) ?? null;
    },
    /** One employer with its payers, as JSON text, and its members' tenants; null where there is none with this ID. */
    readEmployer: ({ id }: { id: number }) => {
      const employer = findOrganization(database, 'employers', id);
      if (employer === null) return null;
      const record = maskRecord(records.employer(employer.ref), 'employers');
      return { employer: JSON.stringify(record), tenants: employer.others };
    },
    /** One tenant with its vendor tenants, as JSON text, and its members' employers. */
    readTenant: ({ id }: { id: number }) => {
      const tenant = findOrganization(database, 'tenants', id);
      if (tenant === null) return null;
      const record = maskRecord(records.tenant(tenant.ref), 'tenants');
      return { tenant: JSON.stringify(record), employers: tenant.others };
    },
    matchDocument: ({ text }: { text: string }) => matchDocument(database, text),
    findMembersByEmail: ({ email }: { email: string }) => findMembersByEmail(database, email),
    countRecords: (_input: null) => countAll(database).counts,
    readChangeCounts: ({ syncId }: { syncId: string }) => readChangeCounts(database, syncId),
    /** Claims of these IDs with the values that a review stores; unknown ones are left out. */
    readReviewedClaims: ({ claimIds }: { claimIds: readonly number[] }) =>
      readReviewedClaims(database, records, claimIds),
    freezeClaims: ({ claimIds }: { claimIds: Float64Array }) => freezeClaims(database, claimIds),
    findNumbered: (input: { ids: readonly string[]; numbers: readonly string[] }) =>
      findNumbered(database, input),
    listUnknownFields: ({ list }: { list: 'claims' | 'lines' }) => listUnknownFields(database, list),
    findCarrier: ({ policyHolderId }: { policyHolderId: number }) => findCarrier(database, policyHolderId),
    readMissingSince: ({ kind, id }: { kind: ListKind; id: number }) => readMissingSince(database, kind, id),
    readPeople: (input: Parameters<typeof readPeople>[1]) => readPeople(database, input),
    readWorklistCounts: ({ person = null }: { person?: string | null }) =>
      readWorklistCounts(database, person),
    readRunClaims: ({ claimIds }: { claimIds: readonly number[] }) => readRunClaims(database, claimIds),
    readRunLines: ({ claimIds }: { claimIds: readonly number[] }) => readRunLines(database, claimIds),
    readRunRows: ({ runId }: { runId: string }) => readRunRows(database, runId),
    sumRuns: (_input: null) => sumRuns(database),
    readChainMates: (input: Parameters<typeof readChainMates>[1]) => readChainMates(database, input),
    readEligibleClaims: (input: Parameters<typeof readEligibleClaims>[1]) =>
      readEligibleClaims(database, input),
    readFamily: (input: Parameters<typeof readFamily>[1]) => readFamily(database, input),
    tryRuleOpen: (request: Parameters<typeof tryOpen>[2]) => tryOpen(database, records, request),
    readProposals: (request: Parameters<typeof propose>[2]) => propose(database, records, request),
    listProposed: (request: Parameters<typeof listProposed>[1]) => listProposed(database, request),
    sumProposed: (_input: null) => sumProposed(database),
    tryPlanRules: (input: Parameters<typeof tryPlanRules>[1]) => tryPlanRules(database, input),
    readReasons: (input: { claimId: number }) => readReasons(database, input.claimId),
    readDeadline: ({ claimId }: { claimId: number }) => readDeadline(database, claimId),
    readDueDays: () => readDueDays(database),
    readOwed: ({ limit }: { limit: number }) => readOwed(database, limit),
    readOwedClaims: ({ memberIds }: { memberIds: readonly number[] }) => readOwedClaims(database, memberIds),
    readEarlierClaims: ({ memberId }: { memberId: number }) => readEarlierClaims(database, memberId),
    readPaidClaims: ({ memberId }: { memberId: number }) => readPaidClaims(database, memberId),
    /** The pairs of duplicates of one claim, side by side. */
    describePairs: ({ claimId }: { claimId: number }) => describePairs(database, claimId),
    /** The same for some claims, without the compared values. */
    readPairs: ({ claimIds }: { claimIds: readonly number[] }) =>
      [...pairsOfClaims(database, claimIds, maxShown)].map(([claimId, { pairs }]) => ({ claimId, pairs })),
    listConnectionsOf: ({ memberId }: { memberId: number }) => listConnectionsOf(database, memberId),
  });
}

export type WriteOperations = ReturnType<typeof createWriteOperations>;
export type ReadOperations = ReturnType<typeof createReadOperations>;
