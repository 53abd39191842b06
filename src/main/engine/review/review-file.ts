import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { reviewedReceiptSchema, reviewFactSchema } from '../../../contract/review.ts';
import { reviewedValuesSchema } from '../../../contract/reviewed-values.ts';
import {
  derivePassphraseKey,
  minPassphraseLength,
  scryptCostSchema,
  usualScryptCost,
} from '../../keychain/passphrase-key.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ReviewEntry } from '../store/user-data/reviews.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const mark = 'claimdesk reviews\n';
const tagBytes = 16;
/** A packed file cannot take more memory than this when it is unpacked. */
const maxUnpackedBytes = 1_000_000_000;

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
const headSchema = z.strictObject({
  version: z.literal(1),
  kdf: z.literal('scrypt'),
  cost: scryptCostSchema,
  salt: base64,
  cipher: z.literal('aes-256-gcm'),
  iv: base64,
});

/** JSON text that holds what a schema wants: what comes from elsewhere is looked at before it is kept. */
const jsonOf = (schema: z.ZodType) =>
  z.string().refine((text) => {
    try {
      return schema.safeParse(JSON.parse(text)).success;
    } catch {
      return false;
    }
  });
const detailSchema = z.strictObject({
  otherClaimId: z.number().int().optional(),
  fingerprint: z.string().max(200).optional(),
  payments: z.array(z.object({ amount: z.number().int(), day: z.iso.date() })).optional(),
  since: z.string().max(60).optional(),
  changed: z.array(z.string().max(80)).max(200).optional(),
  responsibility: z.number().int().nullable().optional(),
});
const entrySchema = z.strictObject({
  id: z.string().min(1).max(60),
  at: z.iso.datetime(),
  author: z.string().max(320),
  kind: z.string().max(40),
  fact: jsonOf(reviewFactSchema),
  filter: z.string().max(100_000).nullable(),
  undoes: z.string().max(60).nullable(),
  receipt: jsonOf(reviewedReceiptSchema).nullable(),
  claims: z.array(
    z.tuple([
      z.number().int(),
      jsonOf(reviewedValuesSchema).nullable(),
      z
        .string()
        .regex(/^[0-9a-f]*!?$/)
        .nullable(),
      jsonOf(detailSchema).nullable(),
    ]),
  ),
});

/**
 * Writes reviews as one file that only the passphrase opens: their JSON lines, packed, under AES-256-GCM with a key
 * made of the passphrase (scrypt).
 *
 * @throws DeskError `vault.weakPassphrase`
 */
export async function sealReviews(entries: readonly ReviewEntry[], passphrase: string): Promise<Buffer> {
  if (passphrase.length < minPassphraseLength) throw new DeskError('vault.weakPassphrase');
  const lines = entries.map(({ workspace_id: _workspaceId, is_imported: _isImported, ...entry }) =>
    JSON.stringify(entry),
  );
  const salt = randomBytes(32).toString('base64');
  const key = await derivePassphraseKey(passphrase, salt, usualScryptCost, 32);
  const iv = randomBytes(12);
  const head = Buffer.from(
    `${mark}${JSON.stringify({
      version: 1,
      kdf: 'scrypt',
      cost: usualScryptCost,
      salt,
      cipher: 'aes-256-gcm',
      iv: iv.toString('base64'),
    })}\n`,
  );
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(head);
  const packed = await compress(Buffer.from(lines.join('\n'), 'utf8'));
  return Buffer.concat([head, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Opens what `sealReviews` wrote.
 *
 * @throws DeskError `review.notAFile`, `review.wrongPassphrase` (also where the file was changed)
 */
export async function openReviews(
  file: Buffer,
  passphrase: string,
): Promise<Omit<ReviewEntry, 'workspace_id' | 'is_imported'>[]> {
  const headEnd = file.indexOf('\n', mark.length) + 1;
  if (!file.subarray(0, mark.length).equals(Buffer.from(mark)) || headEnd === 0)
    throw new DeskError('review.notAFile');
  let head: z.infer<typeof headSchema>;
  try {
    head = headSchema.parse(JSON.parse(file.subarray(mark.length, headEnd).toString('utf8')));
  } catch (thrown) {
    throw new DeskError('review.notAFile', { cause: (thrown as Error).name });
  }
  const key = await derivePassphraseKey(passphrase, head.salt, head.cost, 32);
  let packed: Buffer;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(head.iv, 'base64'), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(file.subarray(0, headEnd));
    decipher.setAuthTag(file.subarray(file.length - tagBytes));
    packed = Buffer.concat([
      decipher.update(file.subarray(headEnd, file.length - tagBytes)),
      decipher.final(),
    ]);
  } catch {
    throw new DeskError('review.wrongPassphrase');
  }
  try {
    const text = (await decompress(packed, { maxOutputLength: maxUnpackedBytes })).toString('utf8');
    return text === '' ? [] : text.split('\n').map((line) => entrySchema.parse(JSON.parse(line)));
  } catch (thrown) {
    // Not the cause's message: it quotes what was read.
    throw new DeskError('review.notAFile', { cause: (thrown as Error).name });
  }
}
