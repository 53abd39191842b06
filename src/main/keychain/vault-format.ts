import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { DeskError } from '../lib/errors.ts';

/** Account → value in base64. */
export type VaultSecrets = Record<string, string>;

/** What a passphrase and a salt derive to: one key to encrypt, one to recognise the passphrase by. */
export type VaultKeys = {
  readonly salt: string;
  readonly cost: VaultCost;
  readonly encryption: Buffer;
  readonly recognition: Buffer;
};

type VaultCost = { n: number; r: number; p: number };

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

/** Upper bounds: a forged file must not make scrypt take all memory. */
const fileSchema = z.strictObject({
  version: z.literal(1),
  kdf: z.literal('scrypt'),
  cost: z.strictObject({
    n: z
      .number()
      .int()
      .min(2 ** 14)
      .max(2 ** 20)
      .refine((n) => (n & (n - 1)) === 0),
    r: z.number().int().min(1).max(16),
    p: z.number().int().min(1).max(4),
  }),
  salt: base64,
  /** HMAC of the salt under the recognition key. */
  check: base64,
  cipher: z.literal('aes-256-gcm'),
  iv: base64,
  tag: base64,
  data: base64,
  /** SHA-256 over all of the above: no protection, but tells a damaged file from a wrong passphrase. */
  digest: base64,
});
type VaultFile = z.infer<typeof fileSchema>;

const secretsSchema = z.record(z.string(), z.string());
const newCost: VaultCost = { n: 2 ** 17, r: 8, p: 1 };
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * Encrypts the secrets of a vault to the text of its file, with a fresh nonce; `keys` saves deriving anew.
 * The salt stays for the life of a vault.
 */
export async function sealVault(
  secrets: VaultSecrets,
  passphrase: string,
  keys: VaultKeys | null,
): Promise<{ text: string; keys: VaultKeys }> {
  const used = keys ?? (await deriveKeys(passphrase, randomBytes(32).toString('base64'), newCost));
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', used.encryption, iv);
  cipher.setAAD(Buffer.from(used.salt));
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
  const file = {
    version: 1 as const,
    kdf: 'scrypt' as const,
    cost: used.cost,
    salt: used.salt,
    check: makeCheck(used).toString('base64'),
    cipher: 'aes-256-gcm' as const,
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return { text: `${JSON.stringify({ ...file, digest: digestOf(file) })}\n`, keys: used };
}

/**
 * Decrypts the text of a vault's file. The digest is looked at before the passphrase, so that a flipped bit
 * is never reported as a wrong passphrase, nor the other way round.
 * @throws DeskError `vault.damaged`, `vault.wrongPassphrase`
 */
export async function openVault(
  text: string,
  passphrase: string,
  keys: VaultKeys | null,
): Promise<{ secrets: VaultSecrets; keys: VaultKeys }> {
  const file = parseFile(text);
  const isSame = keys !== null && keys.salt === file.salt && isSameCost(keys.cost, file.cost);
  const used = isSame ? keys : await deriveKeys(passphrase, file.salt, file.cost);
  const check = Buffer.from(file.check, 'base64');
  const expected = makeCheck(used);
  if (check.length !== expected.length || !timingSafeEqual(check, expected)) {
    throw new DeskError('vault.wrongPassphrase');
  }
  try {
    const decipher = createDecipheriv('aes-256-gcm', used.encryption, Buffer.from(file.iv, 'base64'), {
      authTagLength: 16,
    });
    decipher.setAAD(Buffer.from(used.salt));
    decipher.setAuthTag(Buffer.from(file.tag, 'base64'));
    const data = Buffer.concat([decipher.update(Buffer.from(file.data, 'base64')), decipher.final()]);
    return { secrets: secretsSchema.parse(JSON.parse(data.toString('utf8'))), keys: used };
  } catch (error) {
    throw new DeskError('vault.damaged', { cause: error });
  }
}

function parseFile(text: string): VaultFile {
  try {
    const file = fileSchema.parse(JSON.parse(text));
    const { digest, ...rest } = file;
    if (digest !== digestOf(rest)) throw new Error('The digest does not fit.');
    return file;
  } catch (error) {
    throw new DeskError('vault.damaged', { cause: error });
  }
}

async function deriveKeys(passphrase: string, salt: string, cost: VaultCost): Promise<VaultKeys> {
  // NFKC: the same passphrase typed on another system may come as other code points.
  const derived = await derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 64, {
    N: cost.n,
    r: cost.r,
    p: cost.p,
    maxmem: 128 * cost.n * cost.r + 64 * 1024 * 1024,
  });
  return { salt, cost, encryption: derived.subarray(0, 32), recognition: derived.subarray(32) };
}

function makeCheck(keys: VaultKeys): Buffer {
  return createHmac('sha256', keys.recognition).update('claimdesk-vault').update(keys.salt).digest();
}

function digestOf(file: Omit<VaultFile, 'digest'>): string {
  const { version, kdf, cost, salt, check, cipher, iv, tag, data } = file;
  const parts = [version, kdf, cost.n, cost.r, cost.p, salt, check, cipher, iv, tag, data];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

function isSameCost(a: VaultCost, b: VaultCost): boolean {
  return a.n === b.n && a.r === b.r && a.p === b.p;
}
