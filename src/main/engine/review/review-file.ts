import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import {
  derivePassphraseKey,
  minPassphraseLength,
  scryptCostSchema,
  usualScryptCost,
} from '../../keychain/passphrase-key.ts';
import { DeskError } from '../../lib/errors.ts';

const mark = 'claimdesk reviews\n';
const tagBytes = 16;
/** The longest line of a decompressed file in bytes, which limits memory. */
const maxLineBytes = 200_000_000;
const decryptAtOnce = 1_000_000;

/**
 * The version of the file's format. Fields that newer versions add to events do not change it; a different format does.
 * Up to version 0.2 it was 1, in which every line is an unsigned entry.
 */
const formVersion = 2;
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
const headSchema = z.strictObject({
  version: z.union([z.literal(1), z.literal(formVersion)]),
  kdf: z.literal('scrypt'),
  cost: scryptCostSchema,
  salt: base64,
  cipher: z.literal('aes-256-gcm'),
  iv: base64,
});

/** Compresses or decompresses a stream; an error of its source is thrown. */
const packed = (source: Readable, through: ReturnType<typeof createGzip | typeof createGunzip>) =>
  // `pipeline` passes the error to `through`, whose reader throws it.
  pipeline(source, through, () => undefined) as AsyncIterable<Buffer>;

/**
 * Writes reviews as one file that only the passphrase opens: JSON lines, compressed with gzip and encrypted by
 * AES-256-GCM with a key derived from the passphrase (scrypt). Lines are made while the file is written, so only a few
 * are in memory.
 *
 * @throws DeskError `vault.weakPassphrase`
 */
export async function* sealReviews(lines: AsyncIterable<object>, passphrase: string): AsyncGenerator<Buffer> {
  if (passphrase.length < minPassphraseLength) throw new DeskError('vault.weakPassphrase');
  const salt = randomBytes(32).toString('base64');
  const key = await derivePassphraseKey(passphrase, salt, usualScryptCost);
  const iv = randomBytes(12);
  const head = Buffer.from(
    `${mark}${JSON.stringify({
      version: formVersion,
      kdf: 'scrypt',
      cost: usualScryptCost,
      salt,
      cipher: 'aes-256-gcm',
      iv: iv.toString('base64'),
    })}\n`,
  );
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(head);
  yield head;
  const joined = async function* (): AsyncGenerator<Buffer> {
    let between = '';
    for await (const line of lines) {
      yield Buffer.from(`${between}${JSON.stringify(line)}`, 'utf8');
      between = '\n';
    }
  };
  for await (const bytes of packed(Readable.from(joined()), createGzip())) yield cipher.update(bytes);
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
}

/**
 * Opens what `sealReviews` wrote. The whole file is authenticated before any of it is returned; the result
 * yields its lines again on each call.
 *
 * @throws DeskError `review.notAFile`, `review.newerFile`, `review.wrongPassphrase` (also for a changed file)
 */
export async function openReviews(file: Buffer, passphrase: string): Promise<() => AsyncGenerator<unknown>> {
  const headEnd = file.indexOf('\n', mark.length) + 1;
  if (!file.subarray(0, mark.length).equals(Buffer.from(mark)) || headEnd === 0)
    throw new DeskError('review.notAFile');
  let head: z.infer<typeof headSchema>;
  try {
    const written: unknown = JSON.parse(file.subarray(mark.length, headEnd).toString('utf8'));
    const { success, data } = z.looseObject({ version: z.int() }).safeParse(written);
    if (success && data.version > formVersion) throw new DeskError('review.newerFile');
    head = headSchema.parse(written);
  } catch (thrown) {
    if (thrown instanceof DeskError) throw thrown;
    throw new DeskError('review.notAFile', { cause: (thrown as Error).name });
  }
  const key = await derivePassphraseKey(passphrase, head.salt, head.cost);
  const decrypt = function* (): Generator<Buffer> {
    const end = file.length - tagBytes;
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(head.iv, 'base64'), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(file.subarray(0, headEnd));
    decipher.setAuthTag(file.subarray(end));
    for (let at = headEnd; at < end; at += decryptAtOnce)
      yield decipher.update(file.subarray(at, Math.min(at + decryptAtOnce, end)));
    yield decipher.final();
  };
  try {
    for (const _part of decrypt());
  } catch {
    throw new DeskError('review.wrongPassphrase');
  }
  return async function* () {
    for await (const line of splitLines(packed(Readable.from(decrypt()), createGunzip())))
      yield JSON.parse(line);
  };
}

/** Splits at line feeds only: JSON text may contain other characters that Node would treat as line ends. */
async function* splitLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  const join = (): string => {
    const line = Buffer.concat(parts).toString('utf8');
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      yield join();
      from = end + 1;
    }
    length += chunk.length - from;
    if (length > maxLineBytes) throw new RangeError('a line is too long');
    parts.push(chunk.subarray(from));
  }
  if (length > 0) yield join();
}
