import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sideFilesOf, writeSideFile } from './side-files.ts';

const checkSchema = z.object({
  version: z.literal(1),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  mac: z.string().regex(/^[0-9a-f]{64}$/),
  /** Checksum of the two fields above, so that a damaged check is not mistaken for a wrong key. */
  sum: z.string(),
});

const sumOf = (nonce: string, mac: string): string =>
  createHash('sha256').update(`${nonce} ${mac}`).digest('hex').slice(0, 16);

function macOf(key: Uint8Array, nonce: Buffer): Buffer {
  const derivedKey = Buffer.from(hkdfSync('sha256', key, nonce, 'claimdesk key check', 32));
  return createHmac('sha256', derivedKey).update(nonce).digest();
}

/**
 * Checks whether this is the key of the file, without opening it: to SQLite, a flipped byte in page 1 looks like a
 * wrong key. `unknown` where there is no check, or it can't be read.
 */
export function checkStoreKey(filePath: string, key: Uint8Array): 'right' | 'wrong' | 'unknown' {
  let check: z.infer<typeof checkSchema>;
  try {
    check = checkSchema.parse(JSON.parse(readFileSync(sideFilesOf(filePath).keyCheck, 'utf8')));
  } catch {
    return 'unknown';
  }
  if (check.sum !== sumOf(check.nonce, check.mac)) return 'unknown';
  const expected = macOf(key, Buffer.from(check.nonce, 'hex'));
  return timingSafeEqual(expected, Buffer.from(check.mac, 'hex')) ? 'right' : 'wrong';
}

/** Writes the key check of a file that was just opened with this key. It does not reveal the key. */
export function writeKeyCheck(filePath: string, key: Uint8Array): void {
  const nonce = randomBytes(16);
  const [text, mac] = [nonce.toString('hex'), macOf(key, nonce).toString('hex')];
  const check = { version: 1, nonce: text, mac, sum: sumOf(text, mac) };
  writeSideFile(sideFilesOf(filePath).keyCheck, `${JSON.stringify(check)}\n`);
}
