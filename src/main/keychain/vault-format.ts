import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { DeskError } from '../lib/errors.ts';
import { derivePassphraseKey, scryptCostSchema } from './passphrase-key.ts';

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

const fileSchema = z.strictObject({
  version: z.literal(1),
  kdf: z.literal('scrypt'),
  cost: scryptCostSchema,
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

/**
 * Decrypts a vault of version 0.1, as account → value in base64. Only read: its secrets are carried over into
 * the sealed file. The digest is looked at before the passphrase, so that a flipped bit is never reported as
 * a wrong passphrase, nor the other way round.
 * @throws DeskError `vault.damaged`, `vault.wrongPassphrase`
 */
export async function openVault(text: string, passphrase: string): Promise<Record<string, string>> {
  const file = parseFile(text);
  const derived = await derivePassphraseKey(passphrase, file.salt, file.cost, 64);
  const [encryption, recognition] = [derived.subarray(0, 32), derived.subarray(32)];
  const check = Buffer.from(file.check, 'base64');
  const expected = createHmac('sha256', recognition).update('claimdesk-vault').update(file.salt).digest();
  if (check.length !== expected.length || !timingSafeEqual(check, expected)) {
    throw new DeskError('vault.wrongPassphrase');
  }
  try {
    const decipher = createDecipheriv('aes-256-gcm', encryption, Buffer.from(file.iv, 'base64'), {
      authTagLength: 16,
    });
    decipher.setAAD(Buffer.from(file.salt));
    decipher.setAuthTag(Buffer.from(file.tag, 'base64'));
    const data = Buffer.concat([decipher.update(Buffer.from(file.data, 'base64')), decipher.final()]);
    return secretsSchema.parse(JSON.parse(data.toString('utf8')));
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

function digestOf(file: Omit<VaultFile, 'digest'>): string {
  const { version, kdf, cost, salt, check, cipher, iv, tag, data } = file;
  const parts = [version, kdf, cost.n, cost.r, cost.p, salt, check, cipher, iv, tag, data];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
