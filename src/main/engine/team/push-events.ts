import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { maxInlineBytes } from '../../../team-protocol/api.ts';
import { headerOf, readHeader } from '../../../team-protocol/entry.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { commitTo, headPart, seal as sealContent } from '../../../team-protocol/seal.ts';
import type { EngineHost } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { isByHolder, toPart } from '../review/signed-entry.ts';
import { readGroups, signedAtOnce, type WrittenEvent, writeTexts } from '../review/write-entries.ts';
import { unpackProof, unpackSeen } from '../store/file/packed-proofs.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { News } from './hear-news.ts';
import type { LogState } from './log-state.ts';
import { noteSent, type SentEntry } from './note-sent.ts';
import { resealParts } from './reseal-removal.ts';
import { answerOf, type TeamClient, toTeamError } from './team-client.ts';
import { newestKey } from './team-members.ts';

/** Errors after which the next entry is sent: the log already has this one, or will never accept it. */
const passedCodes = [
  'entry.differs',
  'entry.invalid',
  'entry.headInvalid',
  'entry.signatureInvalid',
] as const;

/**
 * The salt of an own entry. It follows from the event, so that its parts can be sent after a restart, and from the first
 * team key, which the server does not have.
 */
const saltOf = (teamKey: KeyObject, computer: string, id: string): Buffer =>
  createHmac('sha256', teamKey).update(`salt\n${computer}\n${id}`).digest().subarray(0, 16);

const firstKeyOf = ({ keys }: LogState['members']): KeyObject | null => {
  const key = keys.get(1);
  return key === undefined ? null : createSecretKey(key);
};

/**
 * Sends a part. `part.differs` is no error: the server has the part, sealed in other bytes by this computer or another
 * one.
 */
async function putPart(...[client, ...part]: [TeamClient, ...Parameters<TeamClient['putPart']>]) {
  await client.putPart(...part).catch((thrown) => {
    if (answerOf(thrown) !== 'part.differs' && answerOf(thrown) !== 'entry.removed') throw thrown;
  });
}

/** Sealed parts of an event are kept from when its header was written until they are sent, up to this many bytes. */
const maxKeptBytes = 32_000_000;
/** How many parts are sent at once: the way to the server and back takes longer than the part. */
const partsAtOnce = 4;

/** An event of which the header, as `text`, and the head are written. */
interface Prepared extends Omit<SentEntry, 'entry'> {
  readonly text: string;
  readonly head: string;
  /** Null: not kept. */
  readonly parts: readonly (Buffer | null)[];
}
type Sealed = SentEntry & Pick<Prepared, 'parts'>;

export interface PushPorts {
  readonly workspaceId: string;
  readonly team: string;
  readonly computer: string;
  readonly host: Pick<EngineHost, 'signHeaders'>;
  readonly userData: UserDataStore;
  /** An act on this many claims is about to be sent, and again with each of its parts; null: all is sent. */
  readonly onSending: (claims: number | null) => void;
}

type SealPart = (text: string, salt: Buffer, entryId: string, part: number) => Buffer;

/** Sends the parts of an entry that is in the log. */
async function putParts(
  client: TeamClient,
  { header: { id }, salt, event, parts }: Sealed,
  sealPart: SealPart,
): Promise<void> {
  const readAll = async function* (): AsyncGenerator<[number, Buffer]> {
    if (!parts.includes(null)) return yield* (parts as Buffer[]).entries();
    let part = 0;
    for await (const { claims } of event.readParts()) {
      yield [part, parts[part] ?? sealPart(toPart(claims), salt, id, part)];
      part += 1;
    }
  };
  const all = readAll();
  const putEach = async (): Promise<void> => {
    for await (const [part, sealed] of all) await putPart(client, id, part, sealed);
  };
  // Also where one fails, all are waited for: none is under way when the next exchange begins.
  const ended = await Promise.allSettled(Array.from({ length: partsAtOnce }, putEach));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/**
 * Sends the events of this computer that are not in the team's log, in their order. They count as sent only once this
 * computer knows their place in the log. Returns the server's head after them; null: nothing was sent.
 *
 * @throws DeskError `team.*`
 */
export async function pushEvents(
  { workspaceId, team, computer, host, userData, onSending }: PushPorts,
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

  const sealPart: SealPart = (text, salt, entryId, part) =>
    sealContent({ text, salt }, { team, entryId, part }, teamKey);
  const prepare = async (event: WrittenEvent): Promise<Prepared | null> => {
    const { id, at } = event.event;
    const salt = saltOf(firstKey, computer, id);
    // An event from before this computer joined the team counts as made with what it has read by now.
    const seen = event.event.seen == null ? seenNow : unpackSeen(event.event.seen);
    const parts: (Buffer | null)[] = [];
    let left = maxKeptBytes;
    const facts = { computer, team, at, seen };
    if (event.claims !== null) onSending(event.claims);
    const { header: text, head } = await writeTexts(event, salt, facts, (content, part) => {
      if (event.claims !== null) onSending(event.claims);
      const sealed = left > 0 ? sealPart(content, salt, id, part) : null;
      left -= sealed?.length ?? 0;
      parts.push(sealed);
    });
    const header = readHeader(text);
    // Events under another email, or in a form of before the first release, stay on this computer.
    return header === null || !isByHolder(certificate, event.event)
      ? null
      : { header, text, head, salt, event, parts };
  };

  /** Seals and signs what one request sends. */
  const seal = async (some: readonly Prepared[]): Promise<Sealed[]> => {
    const signatures = await host.signHeaders({ workspaceId, headers: some.map(({ text }) => text) });
    return some.map(({ header, text, head, salt, event, parts }, index): Sealed => {
      const isInline = parts.length === 1 && (parts[0]?.length ?? 0) <= maxInlineBytes;
      const entry = {
        header: text,
        signature: Buffer.from(signatures[index] ?? '', 'base64url'),
        head: sealPart(head, salt, header.id, headPart),
        parts: isInline ? parts : parts.map(() => null),
      };
      return { entry, header, salt, event, parts };
    });
  };
  const readSealed = async function* (): AsyncGenerator<Sealed[]> {
    for await (const group of readGroups(userData, workspaceId, { isUnsent: true })) {
      const prepared = (await Promise.all(group.map(prepare))).filter((one) => one !== null);
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
    for (const one of some) if (one.entry.parts.includes(null)) await putParts(client, one, sealPart);
    await noteSent({ workspaceId, computer, userData }, log, client, some, results);
  };
  let posting = Promise.resolve();
  try {
    for await (const some of readSealed()) {
      await posting;
      // The next ones are sealed and signed meanwhile.
      posting = post(some);
      posting.catch(() => undefined);
    }
  } finally {
    await posting.finally(() => onSending(null));
  }
  return sent;
}

/**
 * Sends parts that the server lacks of events that are here, because their author's computer ended while it sent them, or
 * the server lost them.
 *
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
  for (const entry of waiting.values()) {
    const header = headerOf(entry);
    if (header === null || !entry.parts.includes(null)) continue;
    const { id } = header;
    for (const [part, sealed] of resealParts(header, removals.all, state.keys, teamKey).entries())
      if (entry.parts[part] === null && sealed !== null) await putPart(client, id, part, sealed);
    for await (const [event] of readGroups(userData, workspaceId, { id })) {
      if (event === undefined) continue;
      const { proof } = event.event;
      const salt =
        proof === null ? saltOf(firstKey, computer, id) : Buffer.from(unpackProof(proof).salt, 'base64url');
      let part = 0;
      for await (const { claims } of event.readParts()) {
        const text = toPart(claims);
        const isWanted =
          entry.parts[part] === null && header.parts[part]?.[1] === commitTo({ text, salt }, part);
        if (isWanted)
          await putPart(client, id, part, sealContent({ text, salt }, { team, entryId: id, part }, teamKey));
        part += 1;
      }
    }
  }
}
