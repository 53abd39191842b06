import { type EntryHeader, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import {
  type RemovalAct,
  type RemovalRest,
  type RemovalStatement,
  readRemoval,
  restSchema,
  statementSchema,
} from '../../../team-protocol/removal.ts';
import { isSignedBy } from '../../../team-protocol/sign-entry.ts';
import { type FiledEntry, fromLine } from '../review/filed-entry.ts';
import { isByHolder } from '../review/signed-entry.ts';
import { packProof } from '../store/file/packed-proofs.ts';
import { openContent } from './read-entry.ts';
import type { TeamMembers } from './team-members.ts';

export type ReadRemoval =
  | {
      readonly kind: 'removal';
      readonly statement: RemovalStatement;
      /** The entries whose content it removes. */
      readonly removedIds: readonly string[];
      /** What is left of them. */
      readonly rests: readonly FiledEntry[];
    }
  | { readonly kind: 'done'; readonly removals: readonly string[] }
  | { readonly kind: 'incomplete'; readonly missing: readonly number[] }
  | { readonly kind: 'refused' };

const refused: ReadRemoval = { kind: 'refused' };

/** Whether the author of a removal may write it: only admins remove, every member acknowledges. */
export const mayRemove = (act: RemovalAct, header: EntryHeader, { members }: TeamMembers): boolean =>
  act.act === 'done' || findMember(members, header.computer)?.role === 'admin';

/** The lists of a removal's further parts. @throws where a part is in another form */
export function readRests(text: string): RemovalRest[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error('The part is another one.');
  return list.map((one) => restSchema.parse(one));
}

/**
 * An event as far as it is left: its author signed the header, and the remover says what of the content is left. Null
 * where the author did not.
 */
async function fileRest(
  rest: RemovalRest,
  { members, certificates }: TeamMembers,
): Promise<FiledEntry | null> {
  const header = readHeader(rest.header);
  const certificate = certificates.get(header?.computer ?? '');
  if (header === null || certificate === undefined || header.team !== members?.team) return null;
  const fields = JSON.parse(rest.head) as { author: string };
  const signature = Buffer.from(rest.signature, 'base64');
  if (header.kind !== 'event' || !isByHolder(certificate, fields)) return null;
  if (!(await isSignedBy(rest.header, signature, certificate.key))) return null;
  const { id, at, seen } = header;
  const proof = packProof({
    ...{ certificate: certificate.signer.certificate, at, seen },
    // Without the salt, what was removed cannot be guessed by the commitments.
    salt: '',
    signature: signature.toString('base64url'),
  });
  return {
    ...fromLine({ ...fields, filter: null, folds_at: undefined, id, at, claims: rest.claims }),
    proof,
    signer: certificate.signer,
  };
}

/**
 * Opens an entry of kind removal, whose signature was checked. `isRemoved`: whether a later removal has removed what is
 * left of events in this one, so that only its statement is there.
 */
export async function openRemoval(
  entry: NumberedEntry,
  header: EntryHeader,
  state: TeamMembers,
  isRemoved: boolean,
): Promise<ReadRemoval> {
  const act = readRemoval(header, entry.head);
  if (act === null) return refused;
  if (act.act === 'done') return { kind: 'done', removals: act.removals };
  const missing = header.parts.flatMap((_part, index) =>
    entry.parts[index] == null && !(isRemoved && index > 0) ? [index] : [],
  );
  if (missing.length > 0) return { kind: 'incomplete', missing };
  try {
    const texts = header.parts.map((_part, index) => {
      const sealed = entry.parts[index];
      if (sealed == null) return null;
      const content = openContent(header, sealed, index, state.keys);
      if (content === null) throw new Error('The part is another one.');
      return content.text;
    });
    const statement = statementSchema.parse(JSON.parse(texts[0] ?? ''));
    const rests: FiledEntry[] = [];
    for (const text of texts.slice(1))
      for (const rest of text === null ? [] : readRests(text)) {
        const filed = await fileRest(rest, state);
        if (filed !== null) rests.push(filed);
      }
    return { kind: 'removal', statement, removedIds: act.entries, rests };
  } catch {
    return refused;
  }
}
