import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { createClaimTags } from '../../../team-protocol/claim-tags.ts';
import { commitTo, headPart } from '../../../team-protocol/commitment.ts';
import { type EntryHeader, headerOf, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { seal as sealContent } from '../../../team-protocol/seal.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { isByHolder, toPart } from '../review/signed-entry.ts';
import { readGroups, signedAtOnce, type WrittenEvent, writeTexts } from '../review/write-entries.ts';
import { unpackProof, unpackSeen } from '../store/file/packed-proofs.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { confirmSent, type SentEntry } from './confirm-sent.ts';
import { numberParts, sendParts, toInline } from './entry-parts.ts';
import type { LogState } from './log-state.ts';
import { resealParts } from './reseal-removal.ts';
import { type TeamClient, toTeamError } from './team-client.ts';
import { newestKey } from './team-members.ts';
import type { News } from './wait-for-news.ts';

/** Errors after which the next entry is sent: the log already has this one, or will never accept it. */
const passedCodes = [
  'entry.differs',
  'entry.invalid',
  'entry.headInvalid',
  'entry.signatureInvalid',
] as const;

/**
 * The salt of an entry of this computer. It is derived from the event, so that its parts can be sent after a restart,
 * and from the first team key, which the server does not have.
 */
export const saltOf = (teamKey: KeyObject, computer: string, id: string): Buffer =>
  createHmac('sha256', teamKey).update(`salt\n${computer}\n${id}`).digest().subarray(0, 16);

export const firstKeyOf = ({ keys }: LogState['members']): KeyObject | null => {
  const key = keys.get(1);
  return key === undefined ? null : createSecretKey(key);
};

/** Sealed parts of an event are kept from when its header is written until they are sent, up to this many bytes. */
const maxKeptBytes = 32_000_000;

/** An event whose header, as `text`, and head are written. */
interface Prepared extends Omit<SentEntry, 'entry'> {
  readonly text: string;
  readonly head: string;
  /** Null: the part is not kept. */
  readonly parts: readonly (Buffer | null)[];
}
type Sealed = SentEntry & Pick<Prepared, 'parts'>;

export interface PushPorts {
  readonly workspaceId: string;
  readonly team: string;
  readonly computer: string;
  readonly main: Pick<MainCalls, 'signHeaders'>;
  readonly userData: UserDataStore;
  /** Called before an act on this many claims is sent, and again with each of its parts; null: everything is sent. */
  readonly onSending: (claims: number | null) => void;
}

type SealPart = (text: string, salt: Buffer, entryId: string, part: number) => Buffer;

/** The sealed parts of an event: those that are kept, and the others sealed again. */
async function* readSealedParts(
  { header: { id }, salt, event, parts }: Sealed,
  sealPart: SealPart,
): AsyncGenerator<[part: number, sealed: Uint8Array]> {
  if (!parts.includes(null)) return yield* numberParts(parts);
  let part = 0;
  for await (const { claims } of event.readParts()) {
    yield [part, parts[part] ?? sealPart(toPart(claims), salt, id, part)];
    part += 1;
  }
}

/**
 * Sends the events of this computer that are not in the team's log, in their order. They count as sent only once this
 * computer knows their position in the log. Returns the server's head after them; null: nothing was sent.
 * @throws DeskError `team.*`
 */
export async function pushEvents(
  { workspaceId, team, computer, main, userData, onSending }: PushPorts,
  log: LogState,
  client: TeamClient,
): Promise<News | null> {
  const { position, members: state } = log;
  const teamKey = newestKey(state, computer);
  const firstKey = firstKeyOf(state);
  const certificate = state.certificates.get(computer);
  if (teamKey === null || firstKey === null || certificate === undefined)
    throw new DeskError('team.notMember');
  const { number, hash } = position;
  const seenNow = number === 0 ? null : { number, hash };

  const tagOf = createClaimTags(state.keys.get(1) as Uint8Array, team);
  const sealPart: SealPart = (text, salt, entryId, part) =>
    sealContent({ text, salt }, { team, entryId, part }, teamKey);
  const prepare = async (event: WrittenEvent): Promise<Prepared | null> => {
    const { id, at } = event.event;
    const salt = saltOf(firstKey, computer, id);
    // An event from before this computer joined the team counts as made with what it has read by now. A change of
    // settings counts only if its author has read this log, including after it went back.
    const isOfNow = event.event.seen == null || event.event.kind === 'teamSettings';
    const seen = isOfNow ? seenNow : unpackSeen(event.event.seen as Uint8Array);
    const parts: (Buffer | null)[] = [];
    let left = maxKeptBytes;
    const facts = { computer, team, at, seen, tags: tagOf };
    if (event.claims !== null) onSending(event.claims);
    const { header: text, head } = await writeTexts(event, salt, facts, (content, part) => {
      if (event.claims !== null) onSending(event.claims);
      const sealed = left > 0 ? sealPart(content, salt, id, part) : null;
      left -= sealed?.length ?? 0;
      parts.push(sealed);
    });
    const header = readHeader(text);
    // Events with another email, or in a form from before the first release, stay on this computer.
    return header === null || !isByHolder(certificate, event.event)
      ? null
      : { header, text, head, salt, event, parts };
  };

  /** Seals and signs what one request sends. */
  const seal = async (some: readonly Prepared[]): Promise<Sealed[]> => {
    const signatures = await main.signHeaders({ workspaceId, headers: some.map(({ text }) => text) });
    return some.map(({ header, text, head, salt, event, parts }, index): Sealed => {
      const entry = {
        header: text,
        signature: Buffer.from(signatures[index] ?? '', 'base64url'),
        head: sealPart(head, salt, header.id, headPart),
        parts: parts.length === 1 ? toInline(parts) : parts.map(() => null),
      };
      return { entry, header, salt, event, parts };
    });
  };
  const readSealed = async function* (): AsyncGenerator<Sealed[]> {
    for await (const group of readGroups(userData, workspaceId, { isUnsent: true })) {
      const prepared = (await Promise.all(group.map(prepare))).filter((entry) => entry !== null);
      for (let at = 0; at < prepared.length; at += signedAtOnce)
        yield seal(prepared.slice(at, at + signedAtOnce));
    }
  };
  let sent: News | null = null;
  const post = async (some: readonly Sealed[]): Promise<void> => {
    const { results, head } = await client.post(
      some.map(({ entry }) => entry),
      number,
    );
    for (const result of results)
      if (!('error' in result)) sent = head;
      else if (!(passedCodes as readonly string[]).includes(result.error.code))
        throw toTeamError(result.error.code);
    for (const sealed of some)
      if (sealed.entry.parts.includes(null)) {
        const { id, parts } = sealed.header;
        await sendParts(client, { id, length: parts.length }, readSealedParts(sealed, sealPart));
      }
    await confirmSent({ workspaceId, computer, userData }, log, client, some, results);
  };
  let posting = Promise.resolve();
  try {
    for await (const some of readSealed()) {
      await posting;
      // The next ones are sealed and signed in the meantime.
      posting = post(some);
      posting.catch(() => undefined);
    }
  } finally {
    await posting.finally(() => onSending(null));
  }
  return sent;
}

/**
 * Sends parts that the server lacks for events that are here, because their author's computer ended while it sent them,
 * or the server lost them.
 * @throws DeskError `team.*`
 */
export async function pushMissing(
  { workspaceId, team, computer, userData }: PushPorts,
  { members: state, waiting, removals }: LogState,
  client: TeamClient,
): Promise<void> {
  const teamKey = newestKey(state, computer);
  const firstKey = firstKeyOf(state);
  const isReader = findMember(state.members, computer)?.role === 'reader';
  if (teamKey === null || firstKey === null || isReader) return;
  /** The missing parts of an entry that are here, sealed. */
  const findParts = async function* (
    { parts }: NumberedEntry,
    header: EntryHeader,
  ): AsyncGenerator<[part: number, sealed: Uint8Array]> {
    for await (const sealedPart of numberParts(resealParts(header, removals.all, state.keys, teamKey)))
      if (parts[sealedPart[0]] === null) yield sealedPart;
    const { id } = header;
    for await (const [event] of readGroups(userData, workspaceId, { id })) {
      if (event === undefined) continue;
      const { proof } = event.event;
      const salt =
        proof === null ? saltOf(firstKey, computer, id) : Buffer.from(unpackProof(proof).salt, 'base64url');
      let part = 0;
      for await (const { claims } of event.readParts()) {
        const text = toPart(claims);
        if (parts[part] === null && header.parts[part]?.[1] === commitTo({ text, salt }, part))
          yield [part, sealContent({ text, salt }, { team, entryId: id, part }, teamKey)];
        part += 1;
      }
    }
  };
  for (const entry of waiting.values()) {
    const header = headerOf(entry);
    if (header === null || !entry.parts.includes(null)) continue;
    await sendParts(client, { id: header.id, length: header.parts.length }, findParts(entry, header));
  }
}
