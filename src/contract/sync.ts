import { z } from 'zod';

export const syncPhases = ['connecting', 'members', 'claims', 'proving'] as const;

/** How far a sync is. Counts are records; `secondsLeft` is null until there is a rate to judge by. */
export const syncProgressSchema = z.object({
  workspaceId: z.string(),
  runId: z.string(),
  phase: z.enum(syncPhases),
  pass: z.number().int(),
  read: z.number().int(),
  total: z.number().int().nullable(),
  recordsPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
});
export type SyncProgress = z.infer<typeof syncProgressSchema>;

/**
 * What a sync ended with, kept and shown. `proof` is 'complete' only when two successive full reads gave
 * the same ids and digests and both equal a steady `total`; else `reason` says in plain words why not.
 */
export const syncReceiptSchema = z.object({
  runId: z.string(),
  outcome: z.enum(['complete', 'notProven', 'canceled', 'failed']),
  proof: z.enum(['complete', 'not-proven']),
  reason: z.string().nullable(),
  errorCode: z.string().nullable(),
  requestId: z.string().nullable(),
  startedAt: z.string(),
  finishedAt: z.string(),
  seconds: z.number(),
  passes: z.number().int(),
  pages: z.number().int(),
  failedRequests: z.number().int(),
  members: z.number().int(),
  dependents: z.number().int(),
  claims: z.number().int(),
  lines: z.number().int(),
  setAside: z.number().int(),
  digest: z.string(),
});
export type SyncReceipt = z.infer<typeof syncReceiptSchema>;

export const syncStatusSchema = z.object({
  running: syncProgressSchema.nullable(),
  lastReceipt: syncReceiptSchema.nullable(),
  lastComplete: syncReceiptSchema.nullable(),
  /** A sync was interrupted and goes on where it was when started again. */
  isResumable: z.boolean(),
});
export type SyncStatus = z.infer<typeof syncStatusSchema>;

export const exportProgressSchema = z.object({
  exportId: z.string(),
  rows: z.number().int(),
  total: z.number().int(),
  rowsPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
});
export type ExportProgress = z.infer<typeof exportProgressSchema>;

export const exportResultSchema = z.object({
  exportId: z.string(),
  rows: z.number().int(),
  path: z.string(),
  sha256: z.string(),
  seconds: z.number(),
});
export type ExportResult = z.infer<typeof exportResultSchema>;
