import { randomUUID } from 'node:crypto';
import {
  type CheckpointAct,
  checkpointEvery,
  digestMemberships,
  type MadeCheckpoint,
  writeCheckpoint,
} from '../../../team-protocol/checkpoint.ts';
import { createClaimTags } from '../../../team-protocol/claim-tags.ts';
import { headerOf, maxClaimsOfPart } from '../../../team-protocol/entry.ts';
import { readNumbered } from '../../../team-protocol/frame.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { isSignedBy } from '../../../team-protocol/sign-entry.ts';
import {
  readCertificates,
  readGroups,
  signedAtOnce,
  type WrittenEvent,
  writeTexts,
} from '../review/write-entries.ts';
import { unpackProof, unpackSeen } from '../store/file/packed-proofs.ts';
import type { CountingEvent } from '../store/user-data/counting-events.ts';
import type { KeptCheckpoint } from '../store/user-data/team-checkpoints.ts';
import { type CheckpointEvent, lineEnd, writeEventLine } from './checkpoint-lines.ts';
import { readPart } from './entry-parts.ts';
import type { OpenedLog } from './log-state.ts';
import { createPartSealer, postOpenEntry, type SealedPart } from './post-open-entry.ts';
import { firstKeyOf, type PushPorts, saltOf } from './push-events.ts';
import { checkpointDiffers, hasAll, readCountingHere } from './read-behind.ts';
import { isMade } from './read-checkpoint.ts';
import { newestKey } from './team-members.ts';

/** The largest length of the text of a part, unless one line is longer. */
const maxTextOfPart = 8_000_000;

type Author = Pick<OpenedLog, 'ports' | 'client' | 'userData' | 'state'> & { readonly push: PushPorts };

interface ToSign extends Pick<CountingEvent, 'number' | 'before'> {
  readonly written: WrittenEvent;
}

/** Converts events to `WrittenEvent`; an event with many claims is read in the parts that its author made. */
async function toWritten(
  { push }: Author,
  { number, before, event, count }: CountingEvent,
): Promise<ToSign[]> {
  if (event.claims.length === count)
    return [
      { number, before, written: { event, claims: null, readParts: () => (count === 0 ? [] : [event]) } },
    ];
  for await (const [written] of readGroups(push.userData, push.workspaceId, { id: event.id }))
    if (written !== undefined) return [{ number, before, written }];
  return [];
}

/** The lines of events, in groups; each event with its parts. @throws if an event is not complete here */
async function* writeLines(author: Author, seqs: readonly number[]): AsyncGenerator<string[]> {
  const { push, userData, state } = author;
  const { workspaceId, team, computer, main } = push;
  const firstKey = firstKeyOf(state.members);
  const teamKey = state.members.keys.get(1);
  if (firstKey === null || teamKey === undefined) return;
  const tagOf = createClaimTags(teamKey, team);
  const certificates = await readCertificates(userData, workspaceId);
  for (let at = 0; at < seqs.length; at += signedAtOnce) {
    const some = await userData.call('readCountingEvents', {
      ...{ workspaceId, seqs: seqs.slice(at, at + signedAtOnce), limit: 100 },
    });
    const toSign = (await Promise.all(some.map((event) => toWritten(author, event)))).flat();
    const texts = await Promise.all(
      toSign.map(async ({ number, before, written }) => {
        const { id, at: stamped, proof: packed, seen: packedSeen } = written.event;
        const proof = packed === null ? null : unpackProof(packed);
        const certificate = proof === null ? null : (certificates.get(proof.certificate) ?? null);
        const salt = proof === null ? saltOf(firstKey, computer, id) : Buffer.from(proof.salt, 'base64url');
        const seen = proof !== null ? proof.seen : packedSeen == null ? null : unpackSeen(packedSeen);
        const signedAt = proof?.at ?? stamped;
        const signingComputer = certificate?.signer.computer ?? computer;
        const lines: string[] = [];
        const { header, head } = await writeTexts(
          written,
          salt,
          { computer: signingComputer, team, at: signedAt, seen, tags: tagOf },
          (text) => lines.push(JSON.stringify(text)),
        );
        const event: Omit<CheckpointEvent, 'signature'> = {
          ...{ number, before, id, computer: signingComputer, at: signedAt, seen, head },
          salt: salt.toString('base64url'),
        };
        return { header, event, lines, signature: proof?.signature ?? null, key: certificate?.key ?? null };
      }),
    );
    const headers = texts.flatMap(({ header, signature }) => (signature === null ? [header] : []));
    const ownSignatures = headers.length === 0 ? [] : await main.signHeaders({ workspaceId, headers });
    const checked = await Promise.all(
      texts.map(async ({ header, signature, key }) => {
        if (signature === null) return true;
        return key !== null && isSignedBy(header, Buffer.from(signature, 'base64url'), key);
      }),
    );
    if (checked.includes(false)) throw checkpointDiffers();
    for (const { event, lines, signature } of texts) {
      const signed = { ...event, signature: signature ?? ownSignatures.shift() ?? '' };
      yield [writeEventLine(signed, lines.length), ...lines];
    }
  }
}

/**
 * Divides lines into the texts of parts. A part begins with an event, or within one that is too large for a part: a
 * computer that reads it has all parts of such an event in memory.
 */
export async function* toTexts(groups: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let [part, length]: [string[], number] = [[], 0];
  const canTake = (lines: number, longer: number): boolean =>
    part.length === 0 || (part.length + lines <= maxClaimsOfPart && length + longer <= maxTextOfPart);
  for await (const group of groups) {
    const longer = group.reduce((sum, line) => sum + line.length, 0);
    for (const [index, line] of group.entries()) {
      if (!(index === 0 ? canTake(group.length, longer) : canTake(1, line.length))) {
        yield part;
        [part, length] = [[], 0];
      }
      part.push(line);
      length += line.length;
    }
  }
  if (part.length > 0) yield part;
}

/** Sends an entry about checkpoints. @throws DeskError `team.*` */
const send = (
  { push, client, state }: Author,
  act: CheckpointAct,
  id: string = randomUUID(),
  parts: readonly SealedPart[] = [],
): Promise<void> =>
  postOpenEntry(
    { ...push, client, log: { state } },
    { id, kind: 'checkpoint', tags: '', head: writeCheckpoint(act), parts },
  );

async function digestOfMembers({ ports, userData }: Author, upTo: number): Promise<string> {
  const { memberships } = await userData.call('readTeamLog', { workspaceId: ports.workspaceId });
  return digestMemberships(memberships.filter(({ number }) => number <= upTo));
}

async function make(author: Author): Promise<void> {
  const { push, state } = author;
  const { number, hash } = state.position;
  const key = newestKey(state.members, push.computer);
  if (key === null) return;
  const { seqs, digest } = await readCountingHere(author, number);
  const id = randomUUID();
  const sealPart = createPartSealer(push.team, id, key);
  const parts: SealedPart[] = [];
  for await (const lines of toTexts(writeLines(author, seqs)))
    parts.push(sealPart(lines.join(lineEnd), 1, parts.length));
  const act: MadeCheckpoint = {
    ...{ act: 'make', number, hash, members: await digestOfMembers(author, number) },
    events: digest,
  };
  await send(author, act, id, parts);
}

/** Compares a checkpoint of another computer with the log that is here, and sends whether it is correct. */
async function confirm(author: Author, checkpoint: string, act: MadeCheckpoint): Promise<void> {
  const { ports, userData } = author;
  const { workspaceId } = ports;
  const { number } = act;
  const [at] = await userData.call('readTeamHashes', { workspaceId, number, limit: 1 });
  const isRight =
    at?.number === number &&
    at.hash === act.hash &&
    (await digestOfMembers(author, number)) === act.members &&
    (await readCountingHere(author, number)).digest === act.events;
  if (!isRight) ports.onFailed(checkpointDiffers());
  await send(author, { act: 'judge', checkpoint, isRight });
}

/**
 * Confirms the newest checkpoint of another computer, or denies it; makes one if this many entries have none. Only a
 * computer that has the whole log does so. Returns whether it sent anything.
 * @throws DeskError `team.*`, `store.*`
 */
export async function tendCheckpoints(author: Author, every = checkpointEvery): Promise<boolean> {
  const { push, state } = author;
  const { position, waiting, behind, hasLost, removals } = state;
  const role = findMember(state.members.members, push.computer)?.role ?? 'reader';
  const isWhole = behind === null && waiting.size === 0 && !hasLost && (await hasAll(author));
  if (role === 'reader' || !isWhole) return false;
  const removal = removals.all.reduce((newest, { frame, says }) => {
    const [entry] = says === null ? [] : (readNumbered(frame) ?? []);
    return Math.max(newest, entry?.number ?? 0);
  }, 0);
  const sent = state.checkpoints.map(({ act, ...checkpoint }) => ({
    ...checkpoint,
    act: JSON.parse(act) as CheckpointAct,
  }));
  const newest = sent.findLast(({ entry, act }) => isMade(act) && entry > removal);
  if (newest !== undefined && isMade(newest.act)) {
    const { id, computer, act } = newest;
    const isConfirmed = sent.some(
      (checkpoint) =>
        checkpoint.act.act === 'judge' &&
        checkpoint.act.checkpoint === id &&
        checkpoint.computer === push.computer,
    );
    if (computer !== push.computer && !isConfirmed) {
      if (!(await hasParts(author, newest))) return false;
      await confirm(author, id, act);
      return true;
    }
    if (position.number - act.number < every) return false;
  } else if (position.number - removal < every) return false;
  await make(author);
  return true;
}

/** Whether the last part of a checkpoint is on the server. */
async function hasParts(
  { client, state }: Author,
  { entry }: Pick<KeptCheckpoint, 'entry'>,
): Promise<boolean> {
  const [sentEntry] = await client.entries(entry - 1, { count: 1 });
  const header = sentEntry === undefined ? null : headerOf(sentEntry);
  if (header === null) return false;
  const { length } = header.parts;
  return length === 0 || (await readPart(client, header, length - 1, state.members.keys)) !== null;
}
