import { z } from 'zod';
import { errorReportSchema } from './result.ts';

const syncPhases = ['connecting', 'members', 'claims', 'proving'] as const;

/** Progress of a sync. Counts are records; `secondsLeft` is null until the speed is known. */
export const syncProgressSchema = z.object({
  workspaceId: z.string(),
  syncId: z.string(),
  phase: z.enum(syncPhases),
  pass: z.int(),
  read: z.int(),
  total: z.int().nullable(),
  recordsPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
});
export type SyncProgress = z.infer<typeof syncProgressSchema>;

const syncedLists = ['members', 'claims'] as const;

/**
 * One complete reading of one list. `ids` counts distinct records, unreadable ones included; times are ISO date-times.
 */
const syncReadSchema = z.object({
  list: z.enum(syncedLists),
  pass: z.int(),
  pages: z.int(),
  ids: z.int(),
  total: z.int().nullable(),
  isSteady: z.boolean(),
  digest: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
});

/** A request that failed, with the ID that the service gave it. Contains no address and no record. */
const failedRequestSchema = z.object({
  at: z.string(),
  code: z.string(),
  requestId: z.string().nullable(),
});
export type FailedRequest = z.infer<typeof failedRequestSchema>;

/** The most failed requests that a receipt lists; `failedRequests` counts all of them. */
export const maxFailuresKept = 50;

/**
 * Counts of the records that a sync changed, by kind of change. New records are not recorded individually on a first
 * sync.
 */
export const changeCountsSchema = z.object({
  new: z.int(),
  changed: z.int(),
  missing: z.int(),
  confirmed: z.int(),
  returned: z.int(),
});
export type ChangeCounts = z.infer<typeof changeCountsSchema>;

/** Whether one list is verified complete; `reason` explains in plain words why not. */
const listProofSchema = z.object({
  list: z.enum(syncedLists),
  isProven: z.boolean(),
  reason: z.string().nullable(),
});

/**
 * The stored result of a sync. `proof` is 'complete' only when two successive full reads had the same IDs and digests
 * and both equal an unchanged `total`; otherwise `reason` explains in plain words why not. `coverage` explains in plain
 * words what was verified and what was not. `refreshed` is a quick refresh, which verifies nothing.
 */
export const syncReceiptSchema = z.object({
  runId: z.string(),
  outcome: z.enum(['complete', 'notProven', 'refreshed', 'canceled', 'failed']),
  proof: z.enum(['complete', 'not-proven']),
  reason: z.string().nullable(),
  coverage: z.string(),
  errorCode: z.string().nullable(),
  requestId: z.string().nullable(),
  startedAt: z.string(),
  finishedAt: z.string(),
  seconds: z.number(),
  passes: z.int(),
  pages: z.int(),
  failedRequests: z.int(),
  /** The newest ones; at most `maxFailuresKept`. */
  failures: z.array(failedRequestSchema),
  reads: z.array(syncReadSchema),
  lists: z.array(listProofSchema),
  changes: changeCountsSchema,
  members: z.int(),
  dependents: z.int(),
  claims: z.int(),
  lines: z.int(),
  setAside: z.int(),
  digest: z.string(),
});
export type SyncReceipt = z.infer<typeof syncReceiptSchema>;

/** The question whether to mark so many records as missing, which a sync asks the user first. */
const lossQuestionSchema = z.object({
  askedAt: z.string(),
  losses: z.array(z.object({ list: z.enum(syncedLists), here: z.int(), missing: z.int() })),
});
export type LossQuestion = z.infer<typeof lossQuestionSchema>;

/** Whether a quick refresh is possible; `reason` explains in plain words what it reads, or why it is not possible. */
const quickRefreshSchema = z.object({ isOffered: z.boolean(), reason: z.string() });
export type QuickRefresh = z.infer<typeof quickRefreshSchema>;

export const syncStatusSchema = z.object({
  running: syncProgressSchema.nullable(),
  lastReceipt: syncReceiptSchema.nullable(),
  lastComplete: syncReceiptSchema.nullable(),
  /** A sync was interrupted; the next `sync:start` continues it. */
  isResumable: z.boolean(),
  isPaused: z.boolean(),
  lossQuestion: lossQuestionSchema.nullable(),
  /** Why reviews were not compared with new records, or rules did not decide; null: they did. The next sync does it again. */
  unsettled: errorReportSchema.nullable(),
  quickRefresh: quickRefreshSchema,
  /** Whether the last request of any kind reached the service; null: none since the engine started. */
  isServiceReachable: z.boolean().nullable(),
});
export type SyncStatus = z.infer<typeof syncStatusSchema>;

/** A sync that changed records; `at` is when its first change was written. */
export const changedSyncSchema = z.object({ syncId: z.string(), at: z.string(), counts: changeCountsSchema });
export type ChangedSync = z.infer<typeof changedSyncSchema>;

export const changeKinds = ['new', 'changed', 'missing', 'confirmed', 'returned'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/**
 * How one sync changed one record. `fields` are the paths that differ, with their values before and after as JSON text
 * (null: the field was absent; SSNs masked). Long values and long lists of fields are cut, and then `isCut` is set.
 * `missing`: a verified sync did not return it; `confirmed`: the next verified one did not either.
 */
export const recordChangeSchema = z.object({
  list: z.enum(syncedLists),
  id: z.int(),
  change: z.enum(changeKinds),
  at: z.string(),
  fields: z.array(
    z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  isCut: z.boolean(),
  /** Who decided the claim; null: it is open, or a member. */
  decidedBy: z.string().nullable(),
});
export type RecordChange = z.infer<typeof recordChangeSchema>;

/** The service no longer returns a record: since when, and when a second verified sync confirmed it. */
export const missingSinceSchema = z.object({ since: z.string(), confirmedAt: z.string().nullable() });
export type MissingSince = z.infer<typeof missingSinceSchema>;

/** The result of reading single members or claims again. */
export const narrowResultSchema = z.object({
  syncId: z.string(),
  records: z.int(),
  added: z.int(),
  changed: z.int(),
  requests: z.int(),
  requestId: z.string().nullable(),
});
export type NarrowResult = z.infer<typeof narrowResultSchema>;
