import { z } from 'zod';
import { exportFormats } from './export.ts';
import { notices } from './notices.ts';
import { policySchema } from './policy.ts';
import { reimbursementRulesSchema } from './reimbursement.ts';

export const workspaceColors = ['blue', 'teal', 'grape', 'orange', 'gray'] as const;

/**
 * Headers that carry something else: hop by hop (RFC 9110 §7.6.1), set by the network library, or forbidden
 * by what Claimdesk promises (no cookie, no Origin). Compared in lower case.
 */
const takenHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'via'],
  ...['host', 'content-length', 'content-type', 'content-encoding', 'date', 'user-agent', 'accept'],
  ...['cookie', 'cookie2', 'set-cookie', 'set-cookie2', 'origin', 'referer', 'dnt'],
]);
const takenPrefixes = ['proxy-', 'sec-', 'accept-', 'access-control-', 'if-', ':'];

/**
 * The header in which a token travels: a name of RFC 9110's token grammar that carries nothing else. A name
 * from here is put into every signed request, so a bad one would break or leak all of them.
 */
export const tokenHeaderSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,59}$/)
  .refine((name) => {
    const lower = name.toLowerCase();
    return !takenHeaders.has(lower) && !takenPrefixes.some((prefix) => lower.startsWith(prefix));
  });
/** The word before the token. */
export const tokenSchemeSchema = z.string().regex(/^[A-Za-z][A-Za-z0-9._-]{0,39}$/);

/**
 * A connection to one service under one account email. Holds no secret and no record. `header` and `scheme`
 * say how the token travels: `Authorization: SSH-JWT …` unless the service wants it otherwise
 * (docs/service.md, "SSH-JWT").
 */
export const workspaceSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  name: z.string().min(1).max(80),
  baseUrl: z.string(),
  email: z.string(),
  header: tokenHeaderSchema,
  scheme: z.string(),
  color: z.enum(workspaceColors),
  isSample: z.boolean(),
  keyId: z.string().nullable(),
  createdAt: z.string(),
  /** How far off the service's clock may be by a person's word, beyond the ten minutes that are believed. */
  acceptedClock: z.object({ offsetSeconds: z.number().int(), until: z.string() }).optional(),
  /** Records a page that the service serves, where it refused larger pages, and when that was last seen. */
  pageSize: z.object({ perPage: z.number().int().positive(), learnedAt: z.string() }).optional(),
});
export type Workspace = z.infer<typeof workspaceSchema>;

export const keyTypes = ['ed25519', 'rsa-3072', 'rsa-4096', 'ecdsa-256', 'ecdsa-384', 'ecdsa-521'] as const;
export type KeyType = (typeof keyTypes)[number];

/**
 * The public side of an SSH key. `publicKey` is the one-line OpenSSH form, `fingerprint` is `SHA256:…` as
 * ssh-keygen -l prints it. Times are ISO date-times. The private side never leaves the main process.
 */
export const sshKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  bits: z.number().int(),
  fingerprint: z.string(),
  publicKey: z.string(),
  createdAt: z.string(),
  lastSignedAt: z.string().nullable(),
  provenAt: z.string().nullable(),
  workspaceIds: z.array(z.string()),
  /** A key of the sample, which signs for no real workspace. */
  isSample: z.boolean(),
});
export type SshKey = z.infer<typeof sshKeySchema>;

/**
 * Where a key that is imported comes from. `file` and `clipboard` are read by main, where the shell can;
 * `bytes` is a dropped file as it is (an old PuTTY file is no UTF-8). Where only the passphrase was missing or
 * wrong, main keeps what it was given for some minutes and `details.sourceId` names it: the next call says
 * `held`, so that no key goes inward twice and nobody chooses a file again.
 */
export const keySourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().max(350_000) }),
  z.object({ kind: z.literal('bytes'), base64: z.base64().max(350_000) }),
  z.object({ kind: z.literal('file') }),
  z.object({ kind: z.literal('clipboard') }),
  z.object({ kind: z.literal('held'), sourceId: z.string().max(100) }),
]);
export type KeySource = z.infer<typeof keySourceSchema>;

/** How old a key is, and whether the settings want a reminder to change it. */
export const keyDescriptionSchema = z.object({
  keyId: z.string(),
  ageDays: z.number().int(),
  /** null: no reminder is wanted. */
  reminderDays: z.number().int().nullable(),
  isReminderDue: z.boolean(),
});

/** What a signed request showed about a key: accepted by the service, at this time, with this clock offset. */
export const keyProofSchema = z.object({
  keyId: z.string(),
  isAccepted: z.literal(true),
  provenAt: z.string(),
  clockOffsetSeconds: z.number(),
  requestId: z.string().nullable(),
});
export type KeyProof = z.infer<typeof keyProofSchema>;

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  lockAfterMinutes: z.number().int().min(1).max(60),
  density: z.enum(['compact', 'comfortable']),
  /** The age at which a key is due for rotation; 0: no reminder. */
  keyReminderDays: z.number().int().min(0).max(3650),
  /** How old the last sync may get before the next begins by itself; 0: never. */
  autoRefreshMinutes: z.number().int().min(0).max(1440),
  /** Birth dates, diagnoses and notes are masked too, for a desk that people pass by. */
  isDeskMode: z.boolean(),
  /** Desktop app: a newer version is fetched, and installed when a person quits. */
  installsUpdates: z.boolean(),
  /** The month in which plan years begin; 1: with the calendar year. */
  planYearStart: z.number().int().min(1).max(12),
  /** How long audit entries are kept. */
  auditYears: z.number().int().min(1).max(50),
  /** The same for employers whose plan years begin in another month, by `employerKeyOf`. */
  planYearStarts: z.record(z.string().max(2100), z.number().int().min(1).max(12)),
  /** The first day of service whose claims are to be reviewed, by workspace ID; else that of this plan year. */
  reviewsFrom: z.record(z.string().max(120), z.iso.date()),
  /** What is reimbursed, by `employerKeyOf`; by `serviceOf` for employers without rules of their own. */
  reimbursementRules: z.record(z.string().max(2100), reimbursementRulesSchema),
  /** Why claims are declined, in the order in which they are offered, by workspace ID; else `usualCauses`. */
  declineCauses: z.record(z.string().max(120), z.array(z.string().trim().min(1).max(200)).max(50)),
  /** The form of the last export. */
  exportFormat: z.enum(exportFormats),
  /** Whether the last export was to be signed. */
  exportIsSigned: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** What each setting is until a person chooses. */
export const defaultSettings: Settings = {
  theme: 'system',
  lockAfterMinutes: 10,
  density: 'compact',
  keyReminderDays: 365,
  autoRefreshMinutes: 0,
  isDeskMode: false,
  installsUpdates: true,
  planYearStart: 1,
  auditYears: 6,
  planYearStarts: {},
  reviewsFrom: {},
  reimbursementRules: {},
  declineCauses: {},
  exportFormat: 'xlsx',
  exportIsSigned: false,
};

/** Where secrets are kept, and whether they can be had right now. */
export const secretsStateSchema = z.object({
  kind: z.enum(['keychain', 'vault', 'ephemeral']),
  state: z.enum(['ready', 'locked', 'missing']),
});

export const appInfoSchema = z.object({
  version: z.string(),
  shell: z.enum(['electron', 'browser', 'cli']),
  /** Whether this copy fetches new versions of itself, where settings and policy allow it. */
  canUpdate: z.boolean(),
  platform: z.string(),
  secrets: secretsStateSchema,
  isReadOnly: z.boolean(),
  isLocked: z.boolean(),
  /** What an administrator prescribes on this computer. */
  policy: policySchema,
  notices: z.array(z.enum(notices)),
});
export type AppInfo = z.infer<typeof appInfoSchema>;
