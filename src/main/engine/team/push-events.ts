import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { maxInlineBytes, maxPageEntries } from '../../../team-protocol/api.ts';
import type { Entry } from '../../../team-protocol/entry.ts';
import { readHeader } from '../../../team-protocol/entry.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { commitTo, headPart, seal } from '../../../team-protocol/seal.ts';
import type { EngineHost } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { isByHolder, toPart } from '../review/signed-entry.ts';
import { readGroups, signedAtOnce, type WrittenEvent, writeTexts } from '../review/write-entries.ts';
import { unpackProof, unpackSeen } from '../store/file/packed-proofs.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { LogState } from './pull-log.ts';
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

interface Prepared {
  readonly header: string;
  readonly head: string;
  readonly salt: Buffer;
  readonly event: WrittenEvent;
}

export interface PushPorts {
  readonly workspaceId: string;
  readonly team: string;
  readonly computer: string;
  readonly host: Pick<EngineHost, 'signHeaders'>;
  readonly userData: UserDataStore;
}

/**
 * Sends the events of this computer that are not in the team's log, in their order. They count as sent only once they
 * are read from the log. Returns whether anything was sent.
 *
 * @throws DeskError `team.*`
 */
export async function pushEvents(
  { workspaceId, team, computer, host, userData }: PushPorts,
  { position, members: state }: LogState,
  client: TeamClient,
): Promise<boolean> {
  const teamKey = newestKey(state, computer);
  const firstKey = firstKeyOf(state);
  const certificate = state.certificates.get(computer);
  if (teamKey === null || firstKey === null || certificate === undefined)
    throw new DeskError('team.notMember');
  const { number, hash } = position;
  const seenNow = number === 0 ? null : { number, hash };

  const prepare = async (event: WrittenEvent): Promise<Prepared | null> => {
    const { id, at } = event.event;
    const salt = saltOf(firstKey, computer, id);
    // An event from before this computer joined the team counts as made with what it has read by now.
    const seen = event.event.seen == null ? seenNow : unpackSeen(event.event.seen);
    const { header, head } = await writeTexts(event, salt, { computer, team, at, seen });
    // Events under another email, or in a form of before the first release, stay on this computer.
    return readHeader(header) === null || !isByHolder(certificate, event.event)
      ? null
      : { header, head, salt, event };
  };
  const sealPart = (text: string, salt: Buffer, entryId: string, part: number): Buffer =>
    seal({ text, salt }, { team, entryId, part }, teamKey);

  let isSent = false;
  for await (const group of readGroups(userData, workspaceId, { isUnsent: true })) {
    const prepared = (await Promise.all(group.map(prepare))).filter((one) => one !== null);
    for (let at = 0; at < prepared.length; at += Math.min(signedAtOnce, maxPageEntries)) {
      const some = prepared.slice(at, at + Math.min(signedAtOnce, maxPageEntries));
      const signatures = await host.signHeaders({ workspaceId, headers: some.map(({ header }) => header) });
      const later: Prepared[] = [];
      const entries: Entry[] = [];
      let inlineBytes = 0;
      for (const [index, one] of some.entries()) {
        const { header, head, salt, event } = one;
        const { id } = event.event;
        const count = readHeader(header)?.parts.length ?? 0;
        let parts: (Buffer | null)[] = Array.from({ length: count }, () => null);
        if (count === 1) {
          const sealed: Buffer[] = [];
          for await (const { claims } of event.readParts())
            sealed.push(sealPart(toPart(claims), salt, id, 0));
          const bytes = sealed[0]?.length ?? 0;
          if (bytes <= maxInlineBytes) parts = sealed;
          inlineBytes += bytes;
        }
        if (parts.includes(null)) later.push(one);
        const signature = Buffer.from(signatures[index] ?? '', 'base64url');
        entries.push({ header, signature, head: sealPart(head, salt, id, headPart), parts });
      }
      if (inlineBytes === 0 && entries.length === 0) continue;
      const { results } = await client.post(entries, number);
      for (const result of results) {
        if (!('error' in result)) isSent = true;
        else if (!(passedCodes as readonly string[]).includes(result.error.code))
          throw toTeamError(result.error.code);
      }
      for (const { event, salt } of later) {
        let part = 0;
        for await (const { claims } of event.readParts()) {
          await putPart(client, event.event.id, part, sealPart(toPart(claims), salt, event.event.id, part));
          part += 1;
        }
      }
    }
  }
  return isSent;
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
    const header = readHeader(entry.header);
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
          await putPart(client, id, part, seal({ text, salt }, { team, entryId: id, part }, teamKey));
        part += 1;
      }
    }
  }
}
