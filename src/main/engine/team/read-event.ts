import type { KeyObject } from 'node:crypto';
import { createClaimTags, writeTags } from '../../../team-protocol/claim-tags.ts';
import { type Content, headPart } from '../../../team-protocol/commitment.ts';
import { countClaims, type EntryHeader, headerOf, maxOpenedOf } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { findMember, isWaiting } from '../../../team-protocol/membership.ts';
import { generationOf, open } from '../../../team-protocol/seal.ts';
import { isSignedBy, readSigningKey } from '../../../team-protocol/sign-entry.ts';
import { type EntryFields, type FiledEntry, readFields, withClaims } from '../review/filed-entry.ts';
import { isByHolder, type ReadCertificate, readHead, readPart } from '../review/signed-entry.ts';
import { packProof } from '../store/file/packed-proofs.ts';
import { memo } from '../store/record/memo.ts';
import type { ReviewClaimRow } from '../store/user-data/write-event.ts';
import type { TeamMembers } from './team-members.ts';

/** The result of reading an entry of a team's log. */
export type ReadEntry =
  /** An event, as entries with some of its claims each; `length`: that of its opened texts, in UTF-16 units. */
  | { readonly kind: 'event'; readonly filed: readonly FiledEntry[]; readonly length: number }
  /** Parts of it were not sent yet. */
  | { readonly kind: 'incomplete'; readonly missing: readonly number[] }
  /** An event whose content was deleted; a removal must confirm that. */
  | { readonly kind: 'removed' }
  /**
   * Its author may not write it, or did not sign this content; nothing of it is used. `isByAuthor`: its author signed
   * what is wrong with it, so no one else can have caused it.
   */
  | { readonly kind: 'refused'; readonly isByAuthor: boolean };

const refused: ReadEntry = { kind: 'refused', isByAuthor: false };
const refusedOfAuthor: ReadEntry = { kind: 'refused', isByAuthor: true };

/** Checks the signature of an entry by this key. */
export type SignatureCheck = (
  entry: Pick<NumberedEntry, 'header' | 'signature'>,
  key: KeyObject,
) => Promise<boolean>;
const checkSignature: SignatureCheck = ({ header, signature }, key) => isSignedBy(header, signature, key);

/**
 * Begins to check all signatures of a page at once, on threads of Node's pool, with the keys that the members have
 * before it; the others are checked when they are requested.
 */
export function checkSignatures(
  page: readonly NumberedEntry[],
  { certificates }: TeamMembers,
): SignatureCheck {
  const begun = new Map(
    page.map((entry) => {
      const key = certificates.get(headerOf(entry)?.computer ?? '')?.key;
      return [entry, key && { key, isSigned: checkSignature(entry, key) }];
    }),
  );
  return (entry, key) => {
    const check = begun.get(entry as NumberedEntry);
    return check?.key === key ? check.isSigned : checkSignature(entry, key);
  };
}

/** Why the author of an entry may not have written it. */
type Refusal = 'author' | 'role' | 'signature';

/**
 * Checks, by the members before an entry, that its author was allowed to write it: a member or, for a membership, also
 * the recovery key or the first admin. Null: allowed. For a membership, only the signature is checked; `create` is
 * signed with the key in its own certificate, so it is checked by the members after it.
 */
export async function checkAuthor(
  entry: Pick<NumberedEntry, 'header' | 'signature'>,
  header: EntryHeader,
  { members, certificates }: TeamMembers,
  check = checkSignature,
): Promise<Refusal | null> {
  const author = findMember(members, header.computer);
  const member = author !== null && isWaiting(author, header.at) ? null : author;
  const trusted = member === null ? undefined : certificates.get(header.computer);
  const recovery = members?.recovery;
  const isRecovery = header.kind === 'membership' && recovery?.computer === header.computer;
  const key =
    trusted?.key ?? (isRecovery ? readSigningKey(Buffer.from(recovery.signingKey, 'base64url')) : undefined);
  if (key === undefined || header.team !== members?.team) return 'author';
  if (!(await check(entry, key))) return 'signature';
  return header.kind === 'event' && member?.role === 'reader' ? 'role' : null;
}

/** Opens the head (`headPart`) or a part of an event; null if it is not what its author signed. */
export function openContent(
  header: EntryHeader,
  sealed: Uint8Array,
  part: number,
  keys: TeamMembers['keys'],
): Content | null {
  const generation = generationOf(sealed);
  const teamKey = generation === null ? undefined : keys.get(generation);
  const commitment = part === headPart ? header.head : header.parts[part]?.[1];
  if (generation === null || teamKey === undefined || commitment === undefined) return null;
  const position = { team: header.team, entryId: header.id, part };
  return open(sealed, position, { generation, key: teamKey }, commitment);
}

/** Caches heads that were read: an author's decisions often have the same one. */
const fieldsBefore = new Map<string, EntryFields>();
const [maxRemembered, maxRememberedLength] = [1_000, 1_000];

/**
 * Reads the head of an event. The returned function takes the claims of a part, none for an event without parts, and
 * returns an entry with them. @throws where the head or the part is in another form than a member's computer writes
 */
export function createFiler(
  { signature }: Pick<NumberedEntry, 'signature'>,
  { id, at, seen, tags, parts }: EntryHeader,
  certificate: ReadCertificate,
  head: Content,
): (claims: readonly ReviewClaimRow[], part: number) => FiledEntry {
  const read = (): EntryFields => readFields(readHead(head.text));
  const isShort = head.text.length <= maxRememberedLength;
  const fields = isShort ? memo(fieldsBefore, head.text, read, maxRemembered) : read();
  if (!isByHolder(certificate, fields)) throw new Error('The author is another one.');
  const proof = packProof({
    certificate: certificate.signer.certificate,
    ...{ at, seen, tags },
    salt: Buffer.from(head.salt).toString('base64url'),
    signature: Buffer.from(signature).toString('base64url'),
  });
  return (claims, part) => {
    if (claims.length !== (parts[part]?.[0] ?? 0)) throw new Error('The part is another one.');
    // A team's events are ordered only by their signed time.
    return withClaims(fields, { id, at, claims }, { proof, signer: certificate.signer });
  };
}

/** Whether the tags of a header are those of its claims, so that a removal finds it. */
function hasRightTags(
  { team, tags }: EntryHeader,
  filed: readonly Pick<FiledEntry, 'claims'>[],
  { keys }: TeamMembers,
): boolean {
  const firstKey = keys.get(1);
  if (firstKey === undefined || team === null) return false;
  const claimIds = filed.flatMap(({ claims }) => claims.map(([claimId]) => claimId));
  return tags === writeTags(claimIds, createClaimTags(firstKey, team));
}

/** Whether a part is not the one that its author committed to, as far as it can be opened here. */
export function isWrongPart(
  header: EntryHeader,
  part: number,
  sealed: Uint8Array,
  keys: TeamMembers['keys'],
): boolean {
  const generation = generationOf(sealed);
  // Its key may come with the next membership.
  if (generation !== null && !keys.has(generation)) return false;
  return openContent(header, sealed, part, keys) === null;
}

/** Opens an entry that was checked before: all of its parts may have arrived since. */
export function openEntry(entry: NumberedEntry, state: TeamMembers): ReadEntry {
  const header = headerOf(entry);
  const certificate = state.certificates.get(header?.computer ?? '');
  if (header === null || certificate === undefined) return refused;
  const head = openContent(header, entry.head, headPart, state.keys);
  if (entry.head.length === 0) return { kind: 'removed' };
  if (head === null) return refused;
  const missing = header.parts.flatMap((_part, index) => (entry.parts[index] == null ? [index] : []));
  if (missing.length > 0) return { kind: 'incomplete', missing };
  const maxLength = maxOpenedOf(countClaims(header));
  try {
    const file = createFiler(entry, header, certificate, head);
    let { length } = head.text;
    const filed: FiledEntry[] = [];
    for (const index of header.parts.keys()) {
      const part = openContent(header, entry.parts[index] as Uint8Array, index, state.keys);
      if (part === null) return refused;
      length += part.text.length;
      // Small parts can contain very large texts, and all of them are in memory together.
      if (length > maxLength) return refusedOfAuthor;
      filed.push(file(readPart(part.text), index));
    }
    if (!hasRightTags(header, filed, state)) return refusedOfAuthor;
    return { kind: 'event', filed: filed.length === 0 ? [file([], 0)] : filed, length };
  } catch {
    // Content in an invalid form, such as a member's faulty client could write.
    return refusedOfAuthor;
  }
}
