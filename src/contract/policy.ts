import { z } from 'zod';

/**
 * The rules that an administrator sets for every profile of a computer, in a file that users can read but not
 * write. Absent rules are not set. An unknown name is an error, so that a misspelled rule is not ignored.
 */
export const policySchema = z.strictObject({
  allowedServices: z.array(z.url({ protocol: /^https?$/ })).optional(),
  /** Addresses of the team servers that may be used. */
  teamServers: z.array(z.url({ protocol: /^https?$/ })).optional(),
  allowSsnExport: z.boolean().optional(),
  requireExportReason: z.boolean().optional(),
  maxLockMinutes: z.int().min(1).max(60).optional(),
  requireUnlockPassphrase: z.boolean().optional(),
  allowUpdates: z.boolean().optional(),
  minAuditYears: z.int().min(1).max(50).optional(),
});
export type Policy = z.infer<typeof policySchema>;
