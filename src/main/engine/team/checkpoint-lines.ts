import { z } from 'zod';
import { nextChainHash } from '../../../team-protocol/chain.ts';
import { type ClaimTag, writeTags } from '../../../team-protocol/claim-tags.ts';
import { commitTo, headPart } from '../../../team-protocol/commitment.ts';
import { type EntryHeader, maxParts, protocolVersion, withHeader } from '../../../team-protocol/entry.ts';
import { isSignedBy } from '../../../team-protocol/sign-entry.ts';
import { readPart, toHeader } from '../review/signed-entry.ts';
import type { Ready } from './log-state.ts';
import { createFiler } from './read-event.ts';
import type { TeamMembers } from './team-members.ts';

// The parts of a checkpoint are lines. A line contains an event without its parts and is followed by a line for each
// part; an event without claims has none. The commitments of its header are computed from them again.

/** Ends a line. A part has one commitment, because a removal never leaves some of its lines: it ends the checkpoint. */
export const lineEnd = '\u001e';

type LineValues = [number, string, string, string, string, number, string, string, string, string, number];
/** How many values a line has, and which are numbers; checking a schema would take as long as the line's hashes. */
const [lineLength, numbersAt] = [11, [0, 5, 10]];

/** An event of a checkpoint as its author signed it; salt and signature as base64url. */
export interface CheckpointEvent extends Pick<EntryHeader, 'id' | 'computer' | 'at' | 'seen'> {
  readonly number: number;
  /** The chain's hash before it. */
  readonly before: string;
  readonly salt: string;
  readonly signature: string;
  readonly head: string;
}

export const writeEventLine = (
  { number, before, id, computer, at, seen, salt, signature, head }: CheckpointEvent,
  parts: number,
): string =>
  JSON.stringify([
    ...[number, before, id, computer, at, seen?.number ?? 0, seen?.hash ?? ''],
    ...[salt, signature, head, parts],
  ]);

const readEventLine = (line: string): CheckpointEvent & { parts: number } => {
  const read = JSON.parse(line) as LineValues;
  const isLine =
    read.length === lineLength &&
    read.every((line, index) =>
      numbersAt.includes(index) ? Number.isSafeInteger(line) : typeof line === 'string',
    );
  const [number, before, id, computer, at, seenNumber, hash, salt, signature, head, parts] = read;
  if (!isLine || number < 1 || seenNumber < 0 || parts < 0 || parts > maxParts)
    throw new Error('It is no line of an event.');
  const seen = seenNumber === 0 ? null : { number: seenNumber, hash };
  return { number, before, id, computer, at, seen, salt, signature, head, parts };
};

/** An event whose parts are being read. */
export interface OpenEvent {
  readonly event: CheckpointEvent & { parts: number };
  readonly parts: string[];
}

/** The ports for reading lines: `membersAt` returns the members at an event, by its number. */
export interface CheckpointReader {
  readonly team: string;
  readonly tagOf: ClaimTag;
  readonly membersAt: (number: number) => TeamMembers;
}

/**
 * Returns an event of a checkpoint, once its author's signature was checked. @throws if the signature is not the
 * author's
 */
async function takeEvent(
  { team, tagOf, membersAt }: CheckpointReader,
  { event, parts: texts }: OpenEvent,
): Promise<Ready> {
  const { number, before, id, computer, at, seen, head: text } = event;
  const { members, certificates } = membersAt(number);
  const member = members?.computers.get(computer);
  const certificate = certificates.get(computer);
  const isWriter = member !== undefined && member.until === null && member.role !== 'reader';
  if (!isWriter || certificate === undefined) throw new Error('The author is no member.');
  const salt = Buffer.from(event.salt, 'base64url');
  const claims = texts.map(readPart);
  const commitments = {
    tags: writeTags(
      claims.flatMap((some) => some.map(([claimId]) => claimId)),
      tagOf,
    ),
    head: commitTo({ text, salt }, headPart),
    parts: texts.map((part, index): [number, string] => [
      claims[index]?.length ?? 0,
      commitTo({ text: part, salt }, index),
    ]),
  };
  const header = toHeader({ id }, { computer, team, at, seen, tags: commitments.tags }, commitments);
  const signature = Buffer.from(event.signature, 'base64url');
  const file = createFiler(
    { signature },
    { protocol: protocolVersion, team, id, kind: 'event', computer, at, seen, ...commitments },
    certificate,
    { text, salt },
  );
  if (!(await isSignedBy(header, signature, certificate.key))) throw new Error('It is not signed.');
  const filed = claims.length === 0 ? [file([], 0)] : claims.map(file);
  const entry = withHeader(
    {
      ...{ number, header, signature },
      hash: nextChainHash(before, number, { header, signature }),
      head: new Uint8Array(),
      parts: [],
    },
    { protocol: protocolVersion, team, id, kind: 'event', computer, at, seen, ...commitments },
  );
  return { entry, filed, facts: [] };
}

/**
 * Reads the lines of a part, the first of which may continue an event. `ready` rejects if a line is in another form, or
 * not by its author: signatures are still being checked, on threads of Node's pool.
 */
export function readEventLines(
  reader: CheckpointReader,
  lines: readonly string[],
  open: OpenEvent | null,
): { ready: Promise<Ready[]>; open: OpenEvent | null } {
  const taken: Promise<Ready>[] = [];
  let current = open;
  try {
    for (const line of lines) {
      if (current === null) current = { event: readEventLine(line), parts: [] };
      else current.parts.push(z.string().parse(JSON.parse(line)));
      if (current.parts.length < current.event.parts) continue;
      taken.push(takeEvent(reader, current));
      current = null;
    }
  } catch (thrown) {
    taken.push(Promise.reject(thrown));
    current = null;
  }
  return { ready: Promise.all(taken), open: current };
}
