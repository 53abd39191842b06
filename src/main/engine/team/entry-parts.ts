import { maxInlineBytes } from '../../../team-protocol/api.ts';
import type { Content } from '../../../team-protocol/commitment.ts';
import type { EntryHeader } from '../../../team-protocol/entry.ts';
import { isWrongPart, openContent } from './read-event.ts';
import { answerOf, type TeamClient } from './team-client.ts';
import type { TeamMembers } from './team-members.ts';

/** How many parts are sent or read at once: a round trip to the server takes longer than the part itself. */
export const partsAtOnce = 4;

/** The parts as they are sent with their entry; without them if they are too large for that. */
export const toInline = <Part extends Uint8Array>(parts: readonly (Part | null)[]): (Part | null)[] =>
  parts.reduce((sum, part) => sum + (part?.length ?? 0), 0) <= maxInlineBytes
    ? [...parts]
    : parts.map(() => null);

/**
 * Sends parts of an entry that is in the log, the last one separately: with it, all are there. It is not an error if
 * this computer has sent the part before, sealed in other bytes, or if the entry was removed in the meantime. @throws
 * DeskError `team.*`
 */
export async function sendParts(
  client: Pick<TeamClient, 'putPart'>,
  { id, length }: { readonly id: string; readonly length: number },
  sealed: AsyncIterator<[part: number, sealed: Uint8Array]>,
): Promise<void> {
  const put = (part: number, bytes: Uint8Array): Promise<unknown> =>
    client.putPart(id, part, bytes).catch((thrown: unknown) => {
      if (answerOf(thrown) !== 'part.differs' && answerOf(thrown) !== 'entry.removed') throw thrown;
    });
  const last: [number, Uint8Array][] = [];
  const putEach = async (): Promise<void> => {
    for (let next = await sealed.next(); next.done !== true; next = await sealed.next()) {
      const { value } = next;
      if (value[0] === length - 1) last.push(value);
      else await put(...value);
    }
  };
  // All are awaited even if one fails, so that none is in progress when the next exchange begins.
  const ended = await Promise.allSettled(Array.from({ length: partsAtOnce }, putEach));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  for (const lastPart of last) await put(...lastPart);
}

/** Parts with their numbers; missing parts are left out. */
export async function* numberParts(
  parts: readonly (Uint8Array | null)[],
): AsyncGenerator<[part: number, sealed: Uint8Array]> {
  for (const [part, sealed] of parts.entries()) if (sealed !== null) yield [part, sealed];
}

/** The first version of a part for which `take` does not return null. Null: no computer has sent one. */
export async function findVersion<Taken>(
  client: Pick<TeamClient, 'part'>,
  { id }: Pick<EntryHeader, 'id'>,
  part: number,
  take: (sealed: Uint8Array) => Taken | null,
): Promise<Taken | null> {
  for (let version = 0; ; version += 1) {
    const sealed = await client.part(id, part, version).catch((thrown: unknown) => {
      if (answerOf(thrown) === 'part.notThere') return null;
      throw thrown;
    });
    const taken = sealed === null ? null : take(sealed);
    if (sealed === null || taken !== null) return taken;
  }
}

/**
 * Reads the part of an entry that its author committed to, from any sender; also a part whose key may come with the
 * next membership. Null: no computer has sent it. @throws DeskError `team.*`
 */
export const readPart = (
  client: Pick<TeamClient, 'part'>,
  header: EntryHeader,
  part: number,
  keys: TeamMembers['keys'],
): Promise<Uint8Array | null> =>
  findVersion(client, header, part, (sealed) => (isWrongPart(header, part, sealed, keys) ? null : sealed));

/**
 * The content of such a part, opened with the keys that are here. Null: no computer has sent it. @throws DeskError
 * `team.*`
 */
export const readOpenPart = (
  client: Pick<TeamClient, 'part'>,
  header: EntryHeader,
  part: number,
  keys: TeamMembers['keys'],
): Promise<Content | null> =>
  findVersion(client, header, part, (sealed) => openContent(header, sealed, part, keys));

/** The parts of an entry: those that were sent with it, and the others from the server. */
export async function readParts(
  client: Pick<TeamClient, 'part'>,
  header: EntryHeader,
  parts: readonly (Uint8Array | null)[],
  keys: TeamMembers['keys'],
): Promise<(Uint8Array | null)[]> {
  const read: (Uint8Array | null)[] = [];
  for (let at = 0; at < parts.length; at += partsAtOnce)
    read.push(
      ...(await Promise.all(
        parts
          .slice(at, at + partsAtOnce)
          .map((part, index) => part ?? readPart(client, header, at + index, keys)),
      )),
    );
  return read;
}
