import { z } from 'zod';

/** What is written down, each under its own name. A name never changes its meaning. */
export const auditActions = [
  'ssn.revealed',
  'ssn.searched',
  'records.copied',
  'export.begun',
  'export.written',
  'key.made',
  'key.imported',
  'key.backedUp',
  'key.chosen',
  'key.proven',
  'key.retired',
  'key.renamed',
  'key.publicSaved',
  'rotation.begun',
  'rotation.ended',
  'key.publicCopied',
  'profile.removed',
  'vault.made',
  'desk.locked',
  'desk.unlocked',
  'settings.changed',
  'workspace.added',
  'workspace.renamed',
  'workspace.changed',
  'workspace.removed',
  'workspace.clockAccepted',
  'records.removed',
  'sync.lossAccepted',
  'sync.lossDeclined',
  'retention.lifted',
  'store.repaired',
  'store.asideRemoved',
  'connect.settingsChanged',
  'connect.memberBroughtIn',
  'connect.memberForgotten',
  'connect.loginSubmitted',
  'connect.loginCorrected',
  'connect.patientAccessBegun',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** `details` names records by id and counts them; it holds no name, no SSN and no secret. */
export const auditRecordSchema = z.object({
  action: z.enum(auditActions),
  workspaceId: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string().max(300), z.number(), z.boolean(), z.null()])),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;

/** One link of the chain: `hash` is SHA-256 over the hash before it and this entry. */
export const auditEntrySchema = auditRecordSchema.extend({
  seq: z.number().int(),
  at: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** `firstBad` is the number of the first entry that is altered or missing. */
export const auditVerdictSchema = z.object({
  isIntact: z.boolean(),
  entries: z.number().int(),
  firstBad: z.number().int().nullable(),
  reason: z.enum(['altered', 'missing', 'endMissing', 'anchorMissing']).nullable(),
});
export type AuditVerdict = z.infer<typeof auditVerdictSchema>;
