import { hash } from 'node:crypto';
import { z } from 'zod';

/**
 * The version of entries. It changes with the form of a header, a seal or a signature, not with a new kind of event:
 * only computers open events, and they keep kinds that they do not know.
 */
export const protocolVersion = 2;

/** The largest number of claims in a part of an entry. */
export const maxClaimsOfPart = 2_500;
/** The largest length of a head or part in bytes of UTF-8, before it is compressed and sealed. */
export const maxOpenedBytes = 32_000_000;
/** The largest length of a head and all parts of an entry together, before they are compressed and sealed. */
const maxEntryBytes = 1_000_000_000;
/**
 * Returns that limit for an entry with this many claims, at 4,000 bytes each on average.
 * @example maxOpenedOf(1_000) // 36_000_000
 */
export const maxOpenedOf = (claims: number): number =>
  Math.min(maxEntryBytes, maxOpenedBytes + 4_000 * claims);
/** The largest length of a sealed head or part in bytes. */
export const maxSealedBytes = 16_000_000;
/** The largest number of parts: ten million claims. */
export const maxParts = 4_000;
/** The largest length of a header in bytes of UTF-8: all parts with their commitments. */
export const maxHeaderBytes = 300_000;

/** The length of the tag of a claim as text, and how many tags a header has at most. */
export const tagLength = 16;
export const maxTagsOfEntry = 100;

/** The possible last characters of base64url, by how many bytes are left after groups of three. */
const lastCharacter = ['[\\w-]', '[AQgw]', '[AEIMQUYcgkosw048]'] as const;

/** This number of bytes as base64url without padding, in its only canonical form. */
export const bytesSchema = (bytes: number): z.ZodType<string> =>
  z
    .string()
    .regex(
      new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3) - 1}}${lastCharacter[(bytes % 3) as 0 | 1 | 2]}$`),
    );

/** SHA-256 as base64url. */
export const digestSchema = bytesSchema(32);

/**
 * A moment in UTC with milliseconds, from 2000 to 2999, so that the order of texts is the order of times. Only days and
 * hours that exist, so that it can be stored as a number: JavaScript reads February 30 as March 2.
 */
export const momentSchema = z
  .string()
  .regex(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .refine((text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text);

/** The ID of an entry: random, so that no other entry can be sent under it first. */
export const entryIdSchema = z.string().regex(/^[A-Za-z0-9:_-]{1,60}$/);

const entryKinds = ['event', 'membership', 'removal', 'checkpoint'] as const;
export type EntryKind = (typeof entryKinds)[number];

/**
 * The header of an entry: all that a team server reads of it. Its author's computer signs the header, so the signature
 * holds for the content through the commitments, and stays valid when the content is sealed again under another key.
 */
const headerSchema = z.strictObject({
  protocol: z.literal(protocolVersion),
  /** The team's ID, 16 bytes as base64url; null in a file without a team. */
  team: bytesSchema(16).nullable(),
  id: entryIdSchema,
  /**
   * The kind of the head: a sealed event of a review; a change of the members, a removal or a checkpoint,
   * which are not encrypted.
   */
  kind: z.enum(entryKinds),
  /** The author's computer: the digest of its public signing key (`computerIdOf`). */
  computer: digestSchema,
  /** When the author made it. */
  at: momentSchema,
  /** The last number of the team that the author had seen, and the chain's hash there; null before the first. */
  seen: z
    .strictObject({ number: z.int().min(1).max(Number.MAX_SAFE_INTEGER), hash: digestSchema })
    .nullable(),
  /**
   * The keyed tags of its claims (`claim-tags.ts`), each once and in order, one after the other; null where there are more
   * than `maxTagsOfEntry`.
   */
  tags: z
    .string()
    .max(maxTagsOfEntry * tagLength)
    .regex(/^[A-Za-z0-9_-]*$/)
    .refine((text) => text.length % tagLength === 0)
    .nullable(),
  /** Commitment to the lines of the head (`commitment.ts`). */
  head: digestSchema,
  /** The number of claims of each part, which is that of its lines, and the commitment to them. */
  parts: z.array(z.tuple([z.int().min(1).max(maxClaimsOfPart), digestSchema])).max(maxParts),
});
export type EntryHeader = z.infer<typeof headerSchema>;

/**
 * How many claims all parts of an entry have.
 * @example countClaims({ parts: [[2_500, ''], [40, '']] }) // 2_540
 */
export const countClaims = ({ parts }: Pick<EntryHeader, 'parts'>): number =>
  parts.reduce((sum, [claims]) => sum + claims, 0);

/** The text of a header, in the order of the schema: what is signed, sent and stored. */
export function writeHeader(header: EntryHeader): string {
  const { protocol, team, id, kind, computer, at, seen, tags, head, parts } = header;
  const ordered = seen === null ? null : { number: seen.number, hash: seen.hash };
  return JSON.stringify({ protocol, team, id, kind, computer, at, seen: ordered, tags, head, parts });
}

/** Reads the text of a header; null for any other text, also for one that `writeHeader` would write differently. */
export function readHeader(text: string): EntryHeader | null {
  if (text.length > maxHeaderBytes) return null;
  try {
    const header = headerSchema.parse(JSON.parse(text));
    return writeHeader(header) === text ? header : null;
  } catch {
    return null;
  }
}

/**
 * Whether a text is a header of another version of entries.
 * @example isOfOtherVersion('{"protocol":1}') // true
 */
export function isOfOtherVersion(text: string): boolean {
  try {
    const { protocol } = JSON.parse(text) as { protocol?: unknown };
    return typeof protocol === 'number' && protocol !== protocolVersion;
  } catch {
    return false;
  }
}

const headers = new WeakMap<Pick<Entry, 'header'>, EntryHeader | null>();

/** The header of an entry by `readHeader`. Each entry's is read once, because that takes longer than to open it. */
export function headerOf(entry: Pick<Entry, 'header'>): EntryHeader | null {
  const cached = headers.get(entry);
  if (cached !== undefined) return cached;
  const header = readHeader(entry.header);
  headers.set(entry, header);
  return header;
}

/** An entry of which the header is known. */
export function withHeader<One extends Pick<Entry, 'header'>>(entry: One, header: EntryHeader): One {
  headers.set(entry, header);
  return entry;
}

/** The ID of a computer: SHA-256 of its public signing key (32 bytes, Ed25519), as base64url. */
export const computerIdOf = (signingKey: Uint8Array): string => hash('sha256', signingKey, 'base64url');

/**
 * An entry in its sent and stored form: the text of its header, the signature (64 bytes), the head, and the
 * parts, null where one was not sent with it. Head and parts of kind `event` are sealed (`seal.ts`). The head
 * of a `membership` is not encrypted, and it has no parts; of a `removal` and a `checkpoint` the head is not
 * encrypted and the parts are sealed. An event whose content was removed for the team has an empty head and
 * no part.
 */
export interface Entry {
  readonly header: string;
  readonly signature: Uint8Array;
  readonly head: Uint8Array;
  readonly parts: readonly (Uint8Array | null)[];
}
