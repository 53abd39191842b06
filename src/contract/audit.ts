import { z } from 'zod';

/** The kinds of entries that the audit log page filters by. */
export const auditKinds = [
  'seen',
  'copied',
  'exported',
  'unlocked',
  'keys',
  'carriers',
  'data',
  'settings',
  'log',
] as const;
export type AuditKind = (typeof auditKinds)[number];

/** Every action that the audit log records, by name, with its kind. A name never changes its meaning. */
export const auditKindOf = {
  'record.opened': 'seen',
  'ssn.revealed': 'seen',
  'ssn.searched': 'seen',
  'identifier.searched': 'seen',
  'records.copied': 'copied',
  'key.publicCopied': 'copied',
  'claim.printed': 'exported',
  'list.printed': 'exported',
  'records.listed': 'exported',
  'export.begun': 'exported',
  'export.written': 'exported',
  'document.opened': 'seen',
  'document.saved': 'exported',
  'document.removed': 'data',
  'document.printed': 'exported',
  'reviews.exported': 'exported',
  'reviews.imported': 'data',
  'payments.imported': 'data',
  'audit.exported': 'exported',
  'team.exported': 'exported',
  'calendar.exported': 'exported',
  'key.made': 'keys',
  'key.imported': 'keys',
  'key.backedUp': 'keys',
  'key.chosen': 'keys',
  'key.proven': 'keys',
  'key.retired': 'keys',
  'key.renamed': 'keys',
  'key.publicSaved': 'keys',
  'rotation.begun': 'keys',
  'rotation.ended': 'keys',
  'desk.locked': 'unlocked',
  'desk.unlocked': 'unlocked',
  'unlock.failed': 'unlocked',
  'unlock.passphraseSet': 'unlocked',
  'unlock.passphraseRemoved': 'unlocked',
  'unlock.recoveryCodeMade': 'unlocked',
  'unlock.recovered': 'unlocked',
  'settings.changed': 'settings',
  'view.made': 'settings',
  'view.changed': 'settings',
  'view.removed': 'settings',
  'rule.changed': 'settings',
  'rule.moved': 'settings',
  'rule.removed': 'settings',
  'rule.decided': 'data',
  'rule.undone': 'data',
  'workspace.added': 'settings',
  'workspace.renamed': 'settings',
  'workspace.changed': 'settings',
  'workspace.clockAccepted': 'settings',
  'team.joined': 'settings',
  'team.left': 'settings',
  'team.settingsChanged': 'settings',
  'team.logFollowed': 'settings',
  'team.logsDismissed': 'settings',
  'team.recovered': 'settings',
  'team.recoveryKeyReplaced': 'settings',
  'workspace.removed': 'data',
  'profile.removed': 'data',
  'records.removalBegun': 'data',
  'records.removed': 'data',
  'team.removalBegun': 'data',
  'team.removed': 'data',
  'sync.lossAccepted': 'data',
  'sync.lossDeclined': 'data',
  'retention.lifted': 'data',
  'backup.begun': 'exported',
  'backup.set': 'settings',
  'backup.restored': 'data',
  'store.repaired': 'data',
  'store.asideRemoved': 'data',
  'connect.settingsChanged': 'carriers',
  'connect.memberBroughtIn': 'carriers',
  'connect.memberForgotten': 'carriers',
  'connect.loginSubmitted': 'carriers',
  'connect.loginCorrected': 'carriers',
  'connect.patientAccessBegun': 'carriers',
  'audit.accepted': 'log',
  'audit.trimAnnounced': 'log',
  'audit.trimmed': 'log',
} as const satisfies Readonly<Record<string, AuditKind>>;
export type AuditAction = keyof typeof auditKindOf;
export const auditActions = Object.keys(auditKindOf) as [AuditAction, ...AuditAction[]];

/**
 * `details` refers to records by ID and counts them. It holds no SSN, no secret, and of people only the authors of
 * imported reviews.
 */
const auditRecordSchema = z.object({
  action: z.enum(auditActions),
  workspaceId: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string().max(300), z.number(), z.boolean(), z.null()])),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;

/**
 * An entry as a link of the chain. `hash` is `hmac:` and HMAC-SHA-256 under the profile's key over the hash
 * before it and this entry. `actor` is the unverified name of the computer's account; null: none.
 */
export const auditEntrySchema = auditRecordSchema.extend({
  seq: z.int(),
  at: z.string(),
  actor: z.string().nullable(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Entries of some kinds, from one moment on and up to another (not included), or about one record. */
export const auditFilterSchema = z.object({
  kinds: z.array(z.enum(auditKinds)).min(1).optional(),
  since: z.iso.datetime().optional(),
  before: z.iso.datetime().optional(),
  record: z
    .object({
      workspaceId: z.string(),
      list: z.enum(['members', 'dependents', 'claims']),
      id: z.int(),
    })
    .optional(),
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const auditFindings = [
  'altered',
  'missing',
  'endMissing',
  'anchorMissing',
  'logMissing',
  'keyMissing',
] as const;

/**
 * The result of checking the log. `from` is the number of the first entry that is checked: 1, or a later one
 * where the retention setting removed older entries or the user accepted a finding. `firstBad` is the number
 * of the first entry that is altered or missing.
 */
export const auditVerdictSchema = z.object({
  isIntact: z.boolean(),
  entries: z.int(),
  from: z.int(),
  firstBad: z.int().nullable(),
  reason: z.enum(auditFindings).nullable(),
});
export type AuditVerdict = z.infer<typeof auditVerdictSchema>;
