import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DeskError } from '../lib/errors.ts';
import { derivePassphraseKey, type ScryptCost, scryptCostSchema, usualScryptCost } from './passphrase-key.ts';
import { parseRecoveryCode } from './recovery-code.ts';

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
const sealedParts = { iv: base64, tag: base64, data: base64 };

const passphraseWrapSchema = z.strictObject({
  kdf: z.literal('scrypt'),
  cost: scryptCostSchema,
  salt: base64,
  ...sealedParts,
});
const recoveryWrapSchema = z.strictObject({ kdf: z.literal('hkdf-sha256'), salt: base64, ...sealedParts });

const headShape = {
  version: z.literal(1),
  /** The ID of the profile, after which its keychain entry is named. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** The profile key is unencrypted in the keychain. This is never combined with a passphrase. */
  inKeychain: z.boolean(),
  passphrase: passphraseWrapSchema.nullable(),
  recovery: recoveryWrapSchema.nullable(),
};
const headSchema = z.strictObject(headShape);
const fileSchema = z.strictObject({
  ...headShape,
  cipher: z.literal('aes-256-gcm'),
  ...sealedParts,
  /** SHA-256 over all of the above. It protects nothing, but distinguishes a damaged file from a wrong passphrase. */
  digest: base64,
});

/** The part that is readable without the profile key: the ways to obtain it. */
export type SealedHead = z.infer<typeof headSchema>;
export type SealedFile = z.infer<typeof fileSchema>;

const contentSchema = z.strictObject({
  /** Account → value in base64. */
  secrets: z.record(z.string(), z.string()),
  /** Keychain entries that are no longer needed and could not be deleted yet. */
  leftovers: z.array(z.string()),
  /** The start of the hash chain that counts failed unlocks; null before the first. */
  tries: z.strictObject({ begin: base64 }).nullable(),
});
export type SealedContent = z.infer<typeof contentSchema>;

export const emptyContent: SealedContent = { secrets: {}, leftovers: [], tries: null };

/** Encrypts the content to the text of its file, with a fresh nonce; the head is authenticated with it. */
export function sealContent(head: SealedHead, content: SealedContent, profileKey: Buffer): string {
  const sealed = encrypt(Buffer.from(JSON.stringify(content)), profileKey, describeHead(head));
  const file = { ...head, cipher: 'aes-256-gcm' as const, ...sealed };
  return `${JSON.stringify({ ...file, digest: digestOf(file) })}\n`;
}

/** @throws DeskError `vault.damaged` */
export function parseSealedFile(text: string): SealedFile {
  try {
    const file = fileSchema.parse(JSON.parse(text));
    const { digest, ...rest } = file;
    if (digest !== digestOf(rest)) throw new Error('The digest does not fit.');
    return file;
  } catch (error) {
    throw new DeskError('vault.damaged', { cause: error });
  }
}

/** Decrypts the content. @throws DeskError `vault.damaged`, also for another file's key */
export function openContent(file: SealedFile, profileKey: Buffer): SealedContent {
  try {
    return contentSchema.parse(JSON.parse(decrypt(file, profileKey, describeHead(file)).toString('utf8')));
  } catch (error) {
    // The cause's message is left out: a JSON error quotes what it could not parse.
    throw new DeskError('vault.damaged', { cause: (error as Error).name });
  }
}

export async function wrapByPassphrase(
  profileKey: Buffer,
  id: string,
  passphrase: string,
  cost: ScryptCost = usualScryptCost,
): Promise<NonNullable<SealedHead['passphrase']>> {
  const salt = randomBytes(32).toString('base64');
  const key = await derivePassphraseKey(passphrase, salt, cost);
  return { kdf: 'scrypt', cost, salt, ...encrypt(profileKey, key, `passphrase ${id}`) };
}

/** @throws DeskError `vault.wrongPassphrase` */
export async function unwrapByPassphrase(
  { passphrase: wrap, id }: SealedHead,
  typed: string,
): Promise<Buffer> {
  if (wrap === null) throw new DeskError('vault.wrongPassphrase');
  const key = await derivePassphraseKey(typed, wrap.salt, wrap.cost);
  return open(() => decrypt(wrap, key, `passphrase ${id}`), 'vault.wrongPassphrase');
}

export function wrapByRecoveryCode(
  profileKey: Buffer,
  id: string,
  code: string,
): NonNullable<SealedHead['recovery']> {
  const salt = randomBytes(32).toString('base64');
  return { kdf: 'hkdf-sha256', salt, ...encrypt(profileKey, recoveryKey(code, salt), `recovery ${id}`) };
}

/** @throws DeskError `unlock.badCode`, `unlock.wrongCode` */
export function unwrapByRecoveryCode({ recovery: wrap, id }: SealedHead, typed: string): Buffer {
  const key = recoveryKey(typed, wrap?.salt ?? '');
  if (wrap === null) throw new DeskError('unlock.wrongCode');
  return open(() => decrypt(wrap, key, `recovery ${id}`), 'unlock.wrongCode');
}

/** Derives the key from the code. It has 136 random bits, so no slow derivation is needed. */
function recoveryKey(code: string, salt: string): Buffer {
  const secret = parseRecoveryCode(code);
  return Buffer.from(hkdfSync('sha256', secret, Buffer.from(salt, 'base64'), 'claimdesk recovery', 32));
}

function open(decryptKey: () => Buffer, code: 'vault.wrongPassphrase' | 'unlock.wrongCode'): Buffer {
  try {
    return decryptKey();
  } catch {
    throw new DeskError(code);
  }
}

type Sealed = { iv: string; tag: string; data: string };

function encrypt(plain: Buffer, key: Buffer, about: string): Sealed {
  if (key.length !== 32) throw new Error('A key has not 32 bytes.');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(`claimdesk ${about}`));
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return {
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

function decrypt({ iv, tag, data }: Sealed, key: Buffer, about: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(`claimdesk ${about}`));
  decipher.setAuthTag(Buffer.from(tag, 'base64'));
  return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]);
}

const describeHead = ({ version, id, inKeychain, passphrase, recovery }: SealedHead): string =>
  `secrets ${JSON.stringify([version, id, inKeychain, listWrap(passphrase), listWrap(recovery)])}`;

function listWrap(wrap: SealedHead['passphrase'] | SealedHead['recovery']): unknown {
  if (wrap === null) return null;
  const cost = wrap.kdf === 'scrypt' ? [wrap.cost.n, wrap.cost.r, wrap.cost.p] : null;
  return [wrap.kdf, cost, wrap.salt, wrap.iv, wrap.tag, wrap.data];
}

function digestOf(file: Omit<SealedFile, 'digest'>): string {
  const parts = [describeHead(file), file.cipher, file.iv, file.tag, file.data];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
