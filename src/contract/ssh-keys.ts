import { z } from 'zod';

export const keyTypes = ['ed25519', 'rsa-3072', 'rsa-4096', 'ecdsa-256', 'ecdsa-384', 'ecdsa-521'] as const;
export type KeyType = (typeof keyTypes)[number];

/**
 * The public part of an SSH key. `publicKey` is the one-line OpenSSH form, `fingerprint` is `SHA256:…` as `ssh-keygen
 * -l` prints it. Times are ISO date-times. The private key never leaves the main process.
 */
export const sshKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  bits: z.int(),
  fingerprint: z.string(),
  publicKey: z.string(),
  createdAt: z.string(),
  lastSignedAt: z.string().nullable(),
  provenAt: z.string().nullable(),
  workspaceIds: z.array(z.string()),
  /** A key of the sample, which signs for no other workspace. */
  isSample: z.boolean(),
});
export type SshKey = z.infer<typeof sshKeySchema>;

/**
 * Source of an imported key. `file` and `clipboard` are read by main, where the shell can; `bytes` are the bytes of a
 * dropped file (an old PuTTY file is not UTF-8). Where only the passphrase was missing or wrong, main keeps the key for
 * some minutes under `details.sourceId`; the next call refers to it as `held`, so that the key is not sent, and the
 * file not chosen, a second time.
 */
export const keySourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().max(350_000) }),
  z.object({ kind: z.literal('bytes'), base64: z.base64().max(350_000) }),
  z.object({ kind: z.literal('file') }),
  z.object({ kind: z.literal('clipboard') }),
  z.object({ kind: z.literal('held'), sourceId: z.string().max(100) }),
]);
export type KeySource = z.infer<typeof keySourceSchema>;

/** The age of a key, and when a reminder to rotate it is due. */
export const keyDescriptionSchema = z.object({
  keyId: z.string(),
  ageDays: z.int(),
  /** Null: there is no reminder. */
  reminderDays: z.int().nullable(),
  isReminderDue: z.boolean(),
});

/** The result of a signed request: the service accepts the key, at this time, with this clock offset. */
export const keyProofSchema = z.object({
  keyId: z.string(),
  isAccepted: z.literal(true),
  provenAt: z.string(),
  clockOffsetSeconds: z.number(),
  requestId: z.string().nullable(),
});
export type KeyProof = z.infer<typeof keyProofSchema>;
