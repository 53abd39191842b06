import { type EntryHeader, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { type Content, generationOf, headPart, open } from '../../../team-protocol/seal.ts';
import { isSignedBy, readSigningKey } from '../../../team-protocol/sign-entry.ts';
import { type FiledEntry, fromLine } from '../review/filed-entry.ts';
import { isByHolder } from '../review/signed-entry.ts';
import type { EventProof } from '../store/user-data/certificates.ts';
import type { TeamMembers } from './team-members.ts';

/** What an entry of a team's log is to this computer. */
export type ReadEntry =
  | { readonly kind: 'membership' }
  /** An event, as entries with some of its claims each. */
  | { readonly kind: 'event'; readonly filed: readonly FiledEntry[] }
  /** Parts of it have not come. */
  | { readonly kind: 'incomplete'; readonly missing: readonly number[] }
  /** It is not by a member who may write it, or not what its author signed; nothing of it is used. */
  | { readonly kind: 'refused' };

const refused: ReadEntry = { kind: 'refused' };

/** The signing key of who wrote an entry: a member, or for a membership also the recovery key or the first admin. */
function findKey({ members, certificates }: TeamMembers, header: EntryHeader): string | null {
  const member = findMember(members, header.computer);
  if (member !== null && certificates.has(header.computer)) return member.signingKey;
  const recovery = members?.recovery;
  return header.kind === 'membership' && recovery?.computer === header.computer ? recovery.signingKey : null;
}

/**
 * Checks an entry by the members before it, and opens it. A membership is only checked for its signature; `create` is
 * signed by the key in its own certificate, so it is checked by the members after it.
 */
export async function readEntry(entry: NumberedEntry, state: TeamMembers): Promise<ReadEntry> {
  const header = readHeader(entry.header);
  const key = header === null ? null : findKey(state, header);
  if (header === null || key === null || header.team !== state.members?.team) return refused;
  const signingKey = readSigningKey(Buffer.from(key, 'base64url'));
  if (!(await isSignedBy(entry.header, entry.signature, signingKey))) return refused;
  if (header.kind === 'membership') return { kind: 'membership' };
  if (findMember(state.members, header.computer)?.role === 'reader') return refused;
  return openEntry(entry, state);
}

/** Opens an entry that was checked before: all of its parts may have come since. */
export function openEntry(entry: NumberedEntry, state: TeamMembers): ReadEntry {
  const header = readHeader(entry.header);
  const certificate = state.certificates.get(header?.computer ?? '');
  if (header === null || certificate === undefined) return refused;
  const openPart = (sealed: Uint8Array, part: number, commitment: string): Content | null => {
    const generation = generationOf(sealed);
    const teamKey = generation === null ? undefined : state.keys.get(generation);
    if (generation === null || teamKey === undefined) return null;
    const position = { team: header.team, entryId: header.id, part };
    return open(sealed, position, { generation, key: teamKey }, commitment);
  };
  const head = openPart(entry.head, headPart, header.head);
  if (head === null) return refused;
  const missing = header.parts.flatMap((_part, index) => (entry.parts[index] == null ? [index] : []));
  if (missing.length > 0) return { kind: 'incomplete', missing };
  try {
    const fields = JSON.parse(head.text) as { author: string };
    if (!isByHolder(certificate, fields)) return refused;
    const { id, at, seen } = header;
    const proof: EventProof = {
      certificate: certificate.signer.certificate,
      ...{ at, seen },
      salt: Buffer.from(head.salt).toString('base64url'),
      signature: Buffer.from(entry.signature).toString('base64url'),
    };
    const toFiled = (claims: unknown): FiledEntry => ({
      // The order of a team's events goes by their signed time alone.
      ...fromLine({ ...fields, folds_at: undefined, id, at, claims }),
      proof: JSON.stringify(proof),
      signer: certificate.signer,
    });
    const filed = header.parts.map(([count, commitment], index) => {
      const part = openPart(entry.parts[index] as Uint8Array, index, commitment);
      const claims: unknown = part === null ? null : JSON.parse(part.text);
      if (!Array.isArray(claims) || claims.length !== count) throw new Error('The part is another one.');
      return toFiled(claims);
    });
    return { kind: 'event', filed: filed.length === 0 ? [toFiled([])] : filed };
  } catch {
    // Content in a form that is none, as a broken client of a member could write.
    return refused;
  }
}
