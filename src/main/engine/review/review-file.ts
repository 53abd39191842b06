import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { reviewedReceiptSchema } from '../../../contract/review.ts';
import { reviewedValuesSchema } from '../../../contract/reviewed-values.ts';
import {
  derivePassphraseKey,
  minPassphraseLength,
  scryptCostSchema,
  usualScryptCost,
} from '../../keychain/passphrase-key.ts';
import { DeskError } from '../../lib/errors.ts';
import { type ReviewDetail, readFact } from '../store/user-data/fold-review.ts';
import type { ReviewEntry } from '../store/user-data/reviews.ts';
import { appAuthor, isReopeningId, makeReopeningId } from './reopening-id.ts';

const mark = 'claimdesk reviews\n';
const tagBytes = 16;
/** The longest line of a decompressed file in bytes, which limits memory. */
const maxLineBytes = 200_000_000;
const decryptAtOnce = 1_000_000;

/** The version of the file's form. Additions of newer versions to events do not change it; another form does. */
const formVersion = 1;
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
const headSchema = z.strictObject({
  version: z.literal(formVersion),
  kdf: z.literal('scrypt'),
  cost: scryptCostSchema,
  salt: base64,
  cipher: z.literal('aes-256-gcm'),
  iv: base64,
});

/** Schema of JSON text with this content: a file from another computer is checked before it is stored. */
const jsonOf = (schema: z.ZodType) =>
  z.string().refine((text) => {
    try {
      return schema.safeParse(JSON.parse(text)).success;
    } catch {
      return false;
    }
  });
/** Loose, because a newer version of Claimdesk may have written more fields. */
const detailSchema = z.looseObject({
  otherClaimId: z.number().int().optional(),
  fingerprint: z.string().max(200).optional(),
  payments: z.array(z.object({ amount: z.int().min(1), day: z.iso.date() })).optional(),
  amounts: z.object({ eligible: z.number().int(), byRules: z.number().int().nullable() }).optional(),
  since: z.string().max(60).optional(),
  changed: z.array(z.string().max(80)).max(200).optional(),
  responsibility: z.number().int().nullable().optional(),
});
/** An event of an unknown kind, or of a known kind in another form, from a newer version of Claimdesk. */
const factSchema = z.looseObject({ kind: z.string().max(40) });
const entryShape = z.looseObject({
  id: z.string().min(1).max(60),
  at: z.iso.datetime(),
  folds_at: z
    .string()
    .regex(/^2\d{3}(-\d\d){2}T\d\d(:\d\d){2}\.\d{3}Z( [\dTZ.: -]*)?$/)
    .max(1000)
    .optional(),
  // Without control characters, as it is shown and recorded.
  author: z.string().regex(/^\P{C}{0,320}$/u),
  kind: z.string().max(40),
  fact: jsonOf(factSchema),
  filter: z.string().max(100_000).nullable(),
  undoes: z.string().max(60).nullable(),
  receipt: jsonOf(reviewedReceiptSchema).nullable(),
  claims: z.array(
    z.tuple([
      z.number().int(),
      jsonOf(reviewedValuesSchema).nullable(),
      z.string().max(200).nullable(),
      jsonOf(detailSchema).nullable(),
    ]),
  ),
});

/**
 * Whether an entry has what Claimdesk writes for its kind: only an undo refers to what it undoes, and only Claimdesk
 * reopens, with the ID that follows from the change (a random one before version 0.3).
 */
function isOfKind({ id, author, kind, undoes, fact: text, claims }: z.infer<typeof entryShape>): boolean {
  if ((JSON.parse(text) as z.infer<typeof factSchema>).kind !== kind) return false;
  const fact = readFact(text);
  if (fact === null) return true;
  if ((undoes !== null) !== (kind === 'undo') || (author === appAuthor) !== (kind === 'reopened'))
    return false;
  if (!isReopeningId(id)) return true;
  const [claimId, , digest, detail] = claims[0] ?? ([0, null, null, null] as const);
  const { since = '' } = JSON.parse(detail ?? '{}') as ReviewDetail;
  return claims.length === 1 && id === makeReopeningId({ claimId, since, digest: digest ?? '' });
}

const entrySchema = entryShape.refine(isOfKind);

/** An event in a file of reviews. A large event is several entries, each with some of its claims. */
export type FiledEntry = Omit<ReviewEntry, 'workspace_id' | 'is_imported'>;

/** An entry as a line of the file. Fields that this version does not know are written as they were received. */
function toLine(entry: ReviewEntry): string {
  const { workspace_id: _workspaceId, is_imported: _isImported, folds_at, more, ...known } = entry;
  const beside = more === null ? {} : (JSON.parse(more) as object);
  return JSON.stringify({ ...beside, ...known, ...(folds_at === null ? {} : { folds_at }) });
}

function fromLine(line: z.infer<typeof entrySchema>): FiledEntry {
  const { id, at, folds_at = null, author, kind, fact, filter, undoes, receipt, claims, ...beside } = line;
  const more = Object.keys(beside).length === 0 ? null : JSON.stringify(beside);
  return { id, at, folds_at, author, kind, fact, filter, undoes, receipt, more, claims };
}

/** Compresses or decompresses a stream; an error of its source is thrown. */
const packed = (source: Readable, through: ReturnType<typeof createGzip | typeof createGunzip>) =>
  // `pipeline` passes the error to `through`, whose reader throws it.
  pipeline(source, through, () => undefined) as AsyncIterable<Buffer>;

/**
 * Writes reviews as one file that only the passphrase opens: JSON lines, compressed with gzip and encrypted by
 * AES-256-GCM with a key derived from the passphrase (scrypt). Entries are read while the file is written, so only a
 * few are in memory.
 *
 * @throws DeskError `vault.weakPassphrase`
 */
export async function* sealReviews(
  entries: AsyncIterable<ReviewEntry> | Iterable<ReviewEntry>,
  passphrase: string,
): AsyncGenerator<Buffer> {
  if (passphrase.length < minPassphraseLength) throw new DeskError('vault.weakPassphrase');
  const salt = randomBytes(32).toString('base64');
  const key = await derivePassphraseKey(passphrase, salt, usualScryptCost, 32);
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
  const lines = async function* (): AsyncGenerator<Buffer> {
    let between = '';
    for await (const entry of entries) {
      yield Buffer.from(`${between}${toLine(entry)}`, 'utf8');
      between = '\n';
    }
  };
  for await (const bytes of packed(Readable.from(lines()), createGzip())) yield cipher.update(bytes);
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
}

/**
 * Opens what `sealReviews` wrote. The whole file is authenticated before any of it is returned; after that it can be
 * read repeatedly. `check` parses every line by the schema of reviews; `read` assumes that `check` succeeded.
 *
 * @throws DeskError `review.notAFile` (also while it is checked), `review.newerFile`, `review.wrongPassphrase` (also
 *   where the file was changed)
 */
export async function openReviews(file: Buffer, passphrase: string) {
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
  const key = await derivePassphraseKey(passphrase, head.salt, head.cost, 32);
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
  const entriesBy = (parse: (line: unknown) => FiledEntry) =>
    async function* (): AsyncGenerator<FiledEntry> {
      try {
        for await (const line of splitLines(packed(Readable.from(decrypt()), createGunzip())))
          yield parse(JSON.parse(line));
      } catch (thrown) {
        // Without the cause's message: it quotes what was read.
        throw new DeskError('review.notAFile', { cause: (thrown as Error).name });
      }
    };
  return {
    check: entriesBy((line) => fromLine(entrySchema.parse(line))),
    read: entriesBy((line) => fromLine(line as z.infer<typeof entrySchema>)),
  };
}

/** Splits at line feeds only: JSON text may hold other characters that Node would take for line ends. */
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
