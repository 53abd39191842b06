import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { DeskError } from '../lib/errors.ts';

/** Upper bounds, so that a forged file cannot make scrypt use all memory. */
export const scryptCostSchema = z.strictObject({
  n: z
    .number()
    .int()
    .min(2 ** 14)
    .max(2 ** 20)
    .refine((n) => (n & (n - 1)) === 0),
  r: z.number().int().min(1).max(16),
  p: z.number().int().min(1).max(4),
});
export type ScryptCost = z.infer<typeof scryptCostSchema>;

/** The cost for new passphrases takes a third of a second and 128 MB. */
export const usualScryptCost: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };

/** The minimum length of a new passphrase, in characters; an older, shorter passphrase still works. */
export const minPassphraseLength = 12;

/** @throws DeskError `vault.weakPassphrase` */
export function requireStrong(passphrase: string): void {
  if (passphrase.length < minPassphraseLength) throw new DeskError('vault.weakPassphrase');
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Derives a key of 32 bytes from a passphrase. `salt` is base64. */
export function derivePassphraseKey(passphrase: string, salt: string, cost: ScryptCost): Promise<Buffer> {
  // NFKC: another system may encode the same typed passphrase with other code points.
  return derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, {
    N: cost.n,
    r: cost.r,
    p: cost.p,
    maxmem: 128 * cost.n * cost.r + 64 * 1024 * 1024,
  });
}
