import { z } from 'zod';
import { errorCodes } from './error-codes.ts';

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

/**
 * Every action that the audit log records: its kind, then those of its details that are free of personal data, which
 * alone are forwarded to the organization. A name never changes its meaning.
 */
const auditTable = {
  'record.opened': ['seen', 'list'],
  'ssn.revealed': ['seen', 'list', 'count'],
  'ssn.searched': ['seen', 'list', 'hits'],
  'identifier.searched': ['seen', 'list', 'hits', 'by'],
  'records.copied': ['copied', 'list', 'rows', 'columns'],
  'key.publicCopied': ['copied', 'keyId'],
  'claim.printed': ['exported', 'list'],
  'list.printed': ['exported', 'list', 'rows', 'columns'],
  'records.listed': ['exported', 'list', 'rows', 'columns', 'isSsnShown'],
  'export.begun': ['exported', 'exportId', 'list', 'format', 'columns', 'isSsnShown', 'removal'],
  'export.written': ['exported', 'exportId', 'rows', 'files', 'sha256'],
  'document.opened': ['seen'],
  'document.saved': ['exported', 'bytes'],
  'document.removed': ['data'],
  'document.printed': ['exported'],
  'reviews.exported': ['exported', 'events', 'claims'],
  'reviews.imported': ['data', 'events', 'claims', 'people', 'leftOut'],
  'payments.imported': ['data', 'claims'],
  'audit.exported': ['exported'],
  'team.exported': ['exported', 'entries', 'isWhole', 'sha256'],
  'calendar.exported': ['exported', 'claims'],
  'key.made': ['keys', 'keyId', 'type', 'rotationId'],
  'key.imported': ['keys', 'keyId', 'type', 'from'],
  'key.backedUp': ['keys', 'keyId'],
  'key.chosen': ['keys', 'keyId', 'rotationId'],
  'key.proven': ['keys', 'keyId', 'rotationId'],
  'key.retired': ['keys', 'keyId', 'rotationId'],
  'key.renamed': ['keys', 'keyId'],
  'key.publicSaved': ['keys', 'keyId'],
  'rotation.begun': ['keys', 'rotationId', 'oldKeyId', 'newKeyId', 'type'],
  'rotation.ended': ['keys', 'rotationId', 'end'],
  'desk.locked': ['unlocked', 'lockedAt'],
  'desk.unlocked': ['unlocked'],
  'unlock.failed': ['unlocked', 'count', 'isCountIntact', 'firstAt', 'lastAt'],
  'unlock.passphraseSet': ['unlocked'],
  'unlock.passphraseRemoved': ['unlocked'],
  'unlock.recoveryCodeMade': ['unlocked'],
  'unlock.recovered': ['unlocked'],
  'settings.changed': ['settings', 'names'],
  'view.made': ['settings', 'viewId'],
  'view.changed': ['settings', 'viewId'],
  'view.removed': ['settings', 'viewId'],
  'rule.changed': ['settings', 'ruleId', 'version', 'state', 'confirmed'],
  'rule.moved': ['settings', 'ruleId', 'to'],
  'rule.removed': ['settings', 'ruleId'],
  'rule.decided': ['data', 'ruleId', 'version', 'claims'],
  'rule.undone': ['data', 'ruleId', 'claims'],
  'workspace.added': ['settings'],
  'workspace.renamed': ['settings'],
  'workspace.changed': ['settings', 'names'],
  'workspace.clockAccepted': ['settings', 'offsetSeconds'],
  'team.joined': ['settings'],
  'team.left': ['settings'],
  'team.settingsChanged': ['settings', 'names', 'by'],
  'team.logFollowed': ['settings', 'isFollowed'],
  'team.logsDismissed': ['settings', 'number'],
  'team.recovered': ['settings', 'computer', 'role'],
  'team.recoveryKeyReplaced': ['settings'],
  'workspace.removed': ['data'],
  'profile.removed': ['data'],
  'records.removalBegun': ['data', 'what', 'isOfTeam', 'members', 'claims', 'reviews'],
  'records.removed': ['data', 'what', 'isOfTeam', 'members', 'claims', 'reviews'],
  'team.removalBegun': ['data'],
  'team.removed': ['data'],
  'sync.lossAccepted': ['data', 'members', 'dependents', 'claims'],
  'sync.lossDeclined': ['data', 'members', 'dependents', 'claims'],
  'retention.lifted': ['data'],
  'backup.begun': ['exported'],
  'backup.set': ['settings'],
  'backup.restored': ['data', 'at', 'events', 'documents'],
  'store.repaired': ['data', 'file', 'steps', 'lost'],
  'store.asideRemoved': ['data', 'files'],
  'connect.settingsChanged': ['carriers', 'changed', 'isDemo', 'hasSecret'],
  'connect.memberBroughtIn': ['carriers'],
  'connect.memberForgotten': ['carriers'],
  'connect.loginSubmitted': ['carriers'],
  'connect.loginCorrected': ['carriers'],
  'connect.patientAccessBegun': ['carriers'],
  'audit.accepted': ['log', 'found', 'firstBad', 'entries', 'follows'],
  'audit.trimAnnounced': ['log', 'before', 'entries', 'through'],
  'audit.trimmed': ['log', 'before', 'entries', 'through', 'hash'],
} as const satisfies Readonly<Record<string, readonly [AuditKind, ...string[]]>>;
export type AuditAction = keyof typeof auditTable;
export const auditActions = Object.keys(auditTable) as [AuditAction, ...AuditAction[]];
export const kindOfAction = (action: AuditAction): AuditKind => auditTable[action][0];
/** The details of an action that may leave this computer; none of an action of a newer version. */
export const openDetailsOf = (action: string): readonly string[] =>
  Object.hasOwn(auditTable, action) ? auditTable[action as AuditAction].slice(1) : [];

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

/**
 * How far the log was sent to the address of the policy: up to entry `through` of `newest`. `failing`: since when
 * nothing is accepted, and why; null: it is.
 */
export const auditForwardingSchema = z.object({
  address: z.string(),
  through: z.int(),
  newest: z.int(),
  failing: z.object({ since: z.iso.datetime(), code: z.enum(errorCodes) }).nullable(),
});
export type AuditForwarding = z.infer<typeof auditForwardingSchema>;
