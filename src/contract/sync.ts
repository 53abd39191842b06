import { z } from 'zod';

export const syncPhases = ['connecting', 'members', 'claims', 'proving'] as const;

/** How far a sync is. Counts are records; `secondsLeft` is null until there is a rate to judge by. */
export const syncProgressSchema = z.object({
  workspaceId: z.string(),
  runId: z.string(),
  phase: z.enum(syncPhases),
  pass: z.int(),
  read: z.int(),
  total: z.int().nullable(),
  recordsPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
});
export type SyncProgress = z.infer<typeof syncProgressSchema>;

export const syncedLists = ['members', 'claims'] as const;

/** One full reading of one list. `ids` counts different records, odd ones included; times are ISO date-times. */
export const syncReadSchema = z.object({
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

/** A request that failed, by the id the service gave it; no address and no record. */
export const failedRequestSchema = z.object({
  at: z.string(),
  code: z.string(),
  requestId: z.string().nullable(),
});
export type FailedRequest = z.infer<typeof failedRequestSchema>;

/** As many failed requests as a receipt names; `failedRequests` counts all of them. */
export const maxFailuresKept = 50;

/** How many records a sync changed here, by what happened to them. `new` is not recorded singly on a first sync. */
export const changeCountsSchema = z.object({
  new: z.int(),
  changed: z.int(),
  missing: z.int(),
  confirmed: z.int(),
  returned: z.int(),
});
export type ChangeCounts = z.infer<typeof changeCountsSchema>;

/** Whether one list is proven complete; `reason` says in plain words why not. */
export const listProofSchema = z.object({
  list: z.enum(syncedLists),
  isProven: z.boolean(),
  reason: z.string().nullable(),
});

/**
 * What a sync ended with, kept and shown. `proof` is 'complete' only when two successive full reads gave
 * the same ids and digests and both equal a steady `total`; else `reason` says in plain words why not.
 * `coverage` says in plain words what the proof covers and what it does not. `refreshed` is a quick refresh,
 * which proves nothing.
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
  /** The newest of them; at most `maxFailuresKept`. */
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

/** So many records are missing in one sync that a person is asked before any is marked. */
export const lossQuestionSchema = z.object({
  askedAt: z.string(),
  losses: z.array(z.object({ list: z.enum(syncedLists), here: z.int(), missing: z.int() })),
});
export type LossQuestion = z.infer<typeof lossQuestionSchema>;

/** Whether a quick refresh makes sense; `reason` says in plain words what it covers, or why it does not. */
export const quickRefreshSchema = z.object({ isOffered: z.boolean(), reason: z.string() });
export type QuickRefresh = z.infer<typeof quickRefreshSchema>;

export const syncStatusSchema = z.object({
  running: syncProgressSchema.nullable(),
  lastReceipt: syncReceiptSchema.nullable(),
  lastComplete: syncReceiptSchema.nullable(),
  /** A sync was interrupted and continues from there when it is started again. */
  isResumable: z.boolean(),
  /** A person paused it. */
  isPaused: z.boolean(),
  lossQuestion: lossQuestionSchema.nullable(),
  quickRefresh: quickRefreshSchema,
  /** Whether the last request reached the service, of whatever kind it was; null: none since the engine began. */
  isServiceReachable: z.boolean().nullable(),
});
export type SyncStatus = z.infer<typeof syncStatusSchema>;

/** A sync that changed something; `at` is when its first change was written. */
export const changedRunSchema = z.object({ runId: z.string(), at: z.string(), counts: changeCountsSchema });
export type ChangedRun = z.infer<typeof changedRunSchema>;

export const changeKinds = ['new', 'changed', 'missing', 'confirmed', 'returned'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/**
 * What one sync did to one record. `fields` are the paths that differ with their values before and after as
 * JSON text (null: the field was absent; SSNs masked); long values and many fields are cut, and then `isCut`.
 * `missing`: a proven sync did not return it; `confirmed`: the next proven one did not either.
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
});
export type RecordChange = z.infer<typeof recordChangeSchema>;

/** The service no longer returns a record: since when, and whether a second proven sync confirmed it. */
export const missingMarkSchema = z.object({ since: z.string(), confirmedAt: z.string().nullable() });
export type MissingMark = z.infer<typeof missingMarkSchema>;

/** What a narrow fetch brought. */
export const narrowResultSchema = z.object({
  runId: z.string(),
  records: z.int(),
  added: z.int(),
  changed: z.int(),
  requests: z.int(),
  requestId: z.string().nullable(),
});
export type NarrowResult = z.infer<typeof narrowResultSchema>;
