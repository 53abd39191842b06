import { hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import {
  type Certificate,
  certificateSchema,
  certifiedComputer,
  readCertificateBody,
} from '../../../team-protocol/certificate.ts';
import type { ClaimTag } from '../../../team-protocol/claim-tags.ts';
import { commitTo, headPart } from '../../../team-protocol/commitment.ts';
import {
  bytesSchema,
  type EntryHeader,
  protocolVersion,
  readHeader,
  writeHeader,
} from '../../../team-protocol/entry.ts';
import { isSignedBy, readSigningKey } from '../../../team-protocol/sign-entry.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { type EventProof, packProof } from '../store/file/packed-proofs.ts';
import type { KeptCertificate } from '../store/user-data/certificates.ts';
import type { ReviewClaimRow, ReviewEntry } from '../store/user-data/write-event.ts';
import { type FiledEntry, fromLine, type Signer } from './filed-entry.ts';

/** A certificate that was checked, with its derived values. */
export interface ReadCertificate {
  readonly kept: KeptCertificate;
  readonly email: string;
  readonly service: string;
  readonly team: string | null;
  readonly signer: Signer;
  readonly key: KeyObject;
}

/** Reads a certificate by its checked fingerprint; null for a body in another form. */
export function readCertificate(
  { body, signature }: Certificate,
  fingerprint: string,
): ReadCertificate | null {
  const read = readCertificateBody(body);
  if (read === null) return null;
  const id = hash('sha256', `${fingerprint}\n${body}`, 'base64url').slice(0, 22);
  return {
    kept: { id, body, signature, fingerprint },
    email: read.email,
    service: read.service,
    team: read.team,
    signer: { certificate: id, computer: certifiedComputer(read), fingerprint },
    key: readSigningKey(Buffer.from(read.signingKey, 'base64url')),
  };
}

/** Whether the holder of a certificate is the author of an event. */
export const isByHolder = ({ email }: ReadCertificate, { author }: Pick<ReviewEntry, 'author'>): boolean =>
  author === email;

/**
 * Returns the content of an entry's head: the fields of an event without its claims, sorted by name; on a separate line
 * the filter of its list, which may name people who are removed later.
 */
export function toHead({ author, kind, fact, filter, undoes, receipt, more }: ReviewEntry): string {
  const beside = more === null ? {} : (JSON.parse(more) as object);
  const fields = Object.entries({ ...beside, author, kind, fact, undoes, receipt });
  const ordered = Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(ordered)}\n${JSON.stringify(filter)}`;
}

/** The fields of a head. @throws SyntaxError for another text */
export function readHead(text: string): { author: string; filter: unknown } {
  const [fields, filter, ...others] = text.split('\n');
  if (fields === undefined || filter === undefined || others.length > 0)
    throw new SyntaxError('It is no head.');
  return { ...(JSON.parse(fields) as { author: string }), filter: JSON.parse(filter) as unknown };
}

/** The content of a part of an entry: a line for each claim. */
export const toPart = (claims: readonly ReviewClaimRow[]): string =>
  claims.map((claim) => JSON.stringify(claim)).join('\n');

/** The claims of a part. @throws SyntaxError for another text */
export const readPart = (text: string): ReviewClaimRow[] =>
  text.split('\n').map((line) => JSON.parse(line) as ReviewClaimRow);

/** The header of an event's entry. */
export function toHeader(
  { id }: Pick<ReviewEntry, 'id'>,
  { computer, team, at, seen }: HeaderFacts,
  { tags, head, parts }: Pick<EntryHeader, 'tags' | 'head' | 'parts'>,
): string {
  const kind = 'event';
  return writeHeader({ protocol: protocolVersion, team, id, kind, computer, at, seen, tags, head, parts });
}

/** The fields of a header besides the commitments. `tags`: those of its claims, or the function that makes them. */
export interface HeaderFacts extends Pick<EventProof, 'at' | 'seen'> {
  readonly computer: string;
  readonly team: string | null;
  readonly tags: string | null | ClaimTag;
}

/** A line with a certificate; later entries refer to it by its number among the certificates, from 0. */
const certificateLine = z.strictObject({ certificate: certificateSchema });
/** A line with a signed entry. Its parts follow, each on a line. `folds_at`: as in an unsigned entry. */
const signedLine = z.strictObject({
  header: z.string(),
  signature: bytesSchema(64),
  by: z.int().min(0),
  salt: bytesSchema(16),
  head: z.string(),
  folds_at: z.string().optional(),
});
export type SignedLine = z.infer<typeof signedLine>;
const partLine = z.strictObject({ part: z.string() });

/** The entry whose parts are being read. */
interface OpenEntry {
  readonly fields: object;
  readonly proof: Uint8Array;
  readonly signer: Signer;
  readonly salt: Buffer;
  readonly parts: readonly (readonly [number, string])[];
  next: number;
}

/**
 * Reads the entries of a file of reviews. `check` checks form and signatures of the whole file: the holder of its
 * certificate signed each signed entry, for this service. `read` assumes that `check` succeeded.
 * @throws DeskError while it is checked: `review.notAFile`, `review.badSignature`, `review.otherService`
 */
export function createEntryReader(
  lines: () => AsyncIterable<unknown>,
  { service, checkCertificate }: { service: string } & Pick<MainCalls, 'checkCertificate'>,
) {
  /** The certificates of the file, by their number. */
  const certificates: ReadCertificate[] = [];

  const takeCertificate = async (line: unknown): Promise<void> => {
    const { certificate } = certificateLine.parse(line);
    const fingerprint = await checkCertificate(certificate);
    const read = fingerprint === null ? null : readCertificate(certificate, fingerprint);
    if (read === null) throw new DeskError('review.badSignature');
    if (read.service !== service) throw new DeskError('review.otherService');
    certificates.push(read);
  };

  const openEntry = async (line: unknown, isChecked: boolean): Promise<OpenEntry> => {
    const { header: text, signature, by, salt, head, folds_at } = signedLine.parse(line);
    const certificate = certificates[by];
    const header = readHeader(text);
    if (certificate === undefined || header === null || header.kind !== 'event')
      throw new DeskError('review.badSignature');
    const { signer, team, key } = certificate;
    const content = { text: head, salt: Buffer.from(salt, 'base64url') };
    const fields = readHead(head);
    if (!isChecked) {
      const isSigned =
        header.computer === signer.computer &&
        header.team === team &&
        header.head === commitTo(content, headPart) &&
        isByHolder(certificate, fields) &&
        (await isSignedBy(text, Buffer.from(signature, 'base64url'), key));
      if (!isSigned) throw new DeskError('review.badSignature');
    }
    const { id, at, seen, tags, parts } = header;
    const proof: EventProof = { certificate: signer.certificate, at, seen, tags, salt, signature };
    return {
      fields: { ...fields, id, at, ...(folds_at === undefined ? {} : { folds_at }) },
      proof: packProof(proof),
      signer,
      salt: content.salt,
      parts,
      next: 0,
    };
  };

  const takePart = ({ fields, proof, signer, salt, parts, next }: OpenEntry, line: unknown): FiledEntry => {
    const { part: text } = partLine.parse(line);
    const claims = readPart(text);
    const [count, commitment] = parts[next] ?? [];
    if (claims.length !== count || commitTo({ text, salt }, next) !== commitment)
      throw new DeskError('review.badSignature');
    return fromLine({ ...fields, claims }, { proof, signer });
  };

  async function* readAll(isChecked: boolean): AsyncGenerator<FiledEntry> {
    let open: OpenEntry | null = null;
    for await (const line of lines()) {
      const names = line as { certificate?: unknown; header?: unknown };
      if (open !== null) {
        yield takePart(open, line);
        open.next += 1;
      } else if (names.certificate !== undefined) {
        if (!isChecked) await takeCertificate(line);
      } else if (names.header !== undefined) {
        open = await openEntry(line, isChecked);
        if (open.parts.length === 0) yield fromLine({ ...open.fields, claims: [] }, open);
      } else yield fromLine(line);
      if (open !== null && open.next >= open.parts.length) open = null;
    }
    if (open !== null) throw new DeskError('review.badSignature');
  }

  async function* guarded(isChecked: boolean): AsyncGenerator<FiledEntry> {
    try {
      yield* readAll(isChecked);
    } catch (thrown) {
      if (thrown instanceof DeskError) throw thrown;
      // The cause's message is left out, because it quotes what was read.
      throw new DeskError('review.notAFile', { cause: (thrown as Error).name });
    }
  }

  return { certificates, check: () => guarded(false), read: () => guarded(true) };
}
