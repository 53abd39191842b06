import { type EntryHeader, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { readOneForm } from '../../../team-protocol/open-head.ts';
import {
  headLines,
  isRestProven,
  type RemovalAct,
  type RemovalRest,
  type RemovalStatement,
  readRemoval,
  restSchema,
  statementSchema,
} from '../../../team-protocol/removal.ts';
import { isSignedBy } from '../../../team-protocol/sign-entry.ts';
import { type FiledEntry, fromLine } from '../review/filed-entry.ts';
import { isByHolder, readHead } from '../review/signed-entry.ts';
import { packProof } from '../store/file/packed-proofs.ts';
import { openContent } from './read-event.ts';
import type { TeamMembers } from './team-members.ts';

type ReadRemoval =
  | {
      readonly kind: 'removal';
      readonly statement: RemovalStatement;
      /** The entries whose content it removes. */
      readonly removedIds: readonly string[];
      /** The rests of these entries, and the number of other rests that their authors did not sign. */
      readonly rests: readonly FiledEntry[];
      readonly unproven: number;
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
  const list = readOneForm(text);
  if (!Array.isArray(list)) throw new Error('The part is another one.');
  return list.map((rest) => restSchema.parse(rest));
}

/** Converts the rest of an event; null if its author did not sign it. */
async function fileRest(
  rest: RemovalRest,
  { members, certificates }: TeamMembers,
): Promise<FiledEntry | null> {
  const header = readHeader(rest.header);
  const certificate = certificates.get(header?.computer ?? '');
  if (header === null || certificate === undefined || header.team !== members?.team) return null;
  if (header.kind !== 'event' || !isRestProven(header, rest)) return null;
  // A removed filter is read as no filter.
  const fields = readHead([...rest.head.lines, 'null'].slice(0, headLines).join('\n'));
  const signature = Buffer.from(rest.signature, 'base64');
  if (!isByHolder(certificate, fields)) return null;
  if (!(await isSignedBy(rest.header, signature, certificate.key))) return null;
  const { id, at, seen, tags } = header;
  const proof = packProof({
    ...{ certificate: certificate.signer.certificate, at, seen, tags },
    // The salt is left out: without it, the commitments do not help to guess what was removed.
    salt: '',
    signature: signature.toString('base64url'),
  });
  const claims = rest.claims.lines.map((line) => JSON.parse(line) as unknown);
  return fromLine(
    { ...fields, filter: null, folds_at: undefined, id, at, claims },
    { proof, signer: certificate.signer },
  );
}

/**
 * Opens an entry of kind removal whose signature was checked. `isRemoved`: whether a later removal has removed the
 * rests of events in this one, so that only its statement is there.
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
    const statement = statementSchema.parse(readOneForm(texts[0] ?? ''));
    const rests: FiledEntry[] = [];
    let unproven = 0;
    for (const text of texts.slice(1))
      for (const rest of text === null ? [] : readRests(text)) {
        const filed = await fileRest(rest, state);
        if (filed === null) unproven += 1;
        else rests.push(filed);
      }
    return { kind: 'removal', statement, removedIds: act.entries, rests, unproven };
  } catch {
    return refused;
  }
}
