import { z } from 'zod';
import { exportedFileSchema, exportFormats, exportSourceSchema } from './export.ts';

/** What the name of a receipt ends with, after that of its export. */
export const receiptExtension = '.receipt.json';

/**
 * What an export was, in a file beside it. `seal` is an HMAC-SHA-256 under a key of the profile over everything else,
 * as it stands; `content` is the SHA-256 of the rows as CSV for systems, whatever the form of the file. Sums are dollars
 * as decimals, by the path of their column.
 */
export const exportReceiptSchema = z.object({
  about: z.string(),
  version: z.literal(1),
  files: z.array(exportedFileSchema.omit({ path: true }).extend({ name: z.string() })).min(1),
  format: z.enum(exportFormats),
  source: exportSourceSchema,
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  isSsnShown: z.boolean(),
  rows: z.number().int(),
  sums: z.record(z.string(), z.string()),
  content: z.string(),
  /** The newest sync when the file was written; null: none. */
  sync: z
    .object({ runId: z.string(), finishedAt: z.string(), outcome: z.string(), digest: z.string() })
    .nullable(),
  workspaceId: z.string(),
  exportedAt: z.string(),
  exportedBy: z.string().nullable(),
  reason: z.string().nullable(),
  seal: z.string(),
});
export type ExportReceipt = z.infer<typeof exportReceiptSchema>;

const figuresSchema = z.object({ rows: z.number().int(), sums: z.record(z.string(), z.string()) });

/** Whether files are as they were exported, and whether the same export would be the same today. */
export const exportVerdictSchema = z.object({
  /**
   * `intact`: a receipt of this profile, with nothing in it changed. `elsewhere`: of a workspace that this profile does
   * not have, such as the sample's of another day: nothing here can tell whether it was changed.
   */
  receipt: z.enum(['intact', 'changed', 'elsewhere']),
  files: z.array(z.object({ name: z.string(), state: z.enum(['intact', 'changed', 'missing']) })),
  exportedAt: z.string(),
  exportedBy: z.string().nullable(),
  reason: z.string().nullable(),
  /** What the receipt says. */
  exported: figuresSchema,
  /** The same export from the records of now; null where it cannot be made. */
  now: figuresSchema.extend({ isSame: z.boolean() }).nullable(),
});
export type ExportVerdict = z.infer<typeof exportVerdictSchema>;

export const verifyRequestSchema = z.object({
  receipt: z.string().max(5_000_000),
  files: z
    .array(z.object({ name: z.string().max(300), bytes: z.number().int(), sha256: z.string().max(64) }))
    .max(10_000),
});
