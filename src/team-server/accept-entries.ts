import type { KeyObject } from 'node:crypto';
import { type ApiErrorCode, maxAheadMs, maxInlineBytes } from '../team-protocol/api.ts';
import { readCertificateBody } from '../team-protocol/certificate.ts';
import { nextChainHash } from '../team-protocol/chain.ts';
import { readCheckpoint } from '../team-protocol/checkpoint.ts';
import { computerIdOf, type Entry, type EntryHeader, headerOf } from '../team-protocol/entry.ts';
import {
  applyMembership,
  findMember,
  isWaiting,
  type Members,
  type MembershipAct,
  readMembership,
} from '../team-protocol/membership.ts';
import { dependsOnPosition, isInPosition } from '../team-protocol/place.ts';
import { type RemovalAct, readRemoval } from '../team-protocol/removal.ts';
import { generationOf } from '../team-protocol/seal.ts';
import { isSignedBy, readSigningKey } from '../team-protocol/sign-entry.ts';
import type { AppendState, Usage } from './store/entry-store.ts';
import { countBytes } from './store/insert-rows.ts';
import type { NewEntry } from './store/new-entry.ts';

/** An entry that is valid by itself: it is signed by the computer that its header names. */
interface ValidEntry {
  readonly entry: Entry;
  readonly header: EntryHeader;
  /** The change of a membership; null for other kinds. */
  readonly act: MembershipAct | null;
  /** The content of a removal; null for other kinds. */
  readonly removal: RemovalAct | null;
}

/** The numbers that authors of entries had seen, where the position of an entry depends on them. */
export const listSeen = (entries: readonly CheckedEntry[]): number[] =>
  entries.flatMap((entry) =>
    'code' in entry || entry.header.seen === null || !dependsOnPosition(entry.act ?? entry.removal)
      ? []
      : [entry.header.seen.number],
  );

interface Refused {
  readonly code: ApiErrorCode;
}

type CheckedEntry = ValidEntry | Refused;
/** The result for an entry: its number and the chain's hash there, or why it was refused. */
export type EntryResult = { readonly number: number; readonly hash: string } | Refused;

function readEntry(team: string, entry: Entry | null): CheckedEntry {
  const header = entry === null ? null : headerOf(entry);
  if (entry === null || header === null) return { code: 'entry.invalid' };
  if (header.team !== team) return { code: 'entry.otherTeam' };
  const inlineBytes = entry.parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  if (inlineBytes > maxInlineBytes) return { code: 'entry.tooLarge' };
  if (header.kind === 'event') return { entry, header, act: null, removal: null };
  const act = readMembership(header, entry.head);
  const removal = readRemoval(header, entry.head);
  const isKnown = act !== null || removal !== null || readCheckpoint(header, entry.head) !== null;
  return isKnown ? { entry, header, act, removal } : { code: 'entry.headInvalid' };
}

/**
 * The signing keys in a membership. A computer that resends lost entries sends the membership before the entries of
 * these keys.
 */
function listIntroducedKeys(act: MembershipAct | null): string[] {
  if (act?.act === 'create' || act?.act === 'admit') {
    const body = readCertificateBody(act.certificate.body);
    return [body?.signingKey, act.act === 'create' ? act.recovery.signingKey : undefined].filter(
      (key) => key !== undefined,
    );
  }
  return act?.act === 'renewKey' ? [act.recovery.signingKey] : [];
}

/**
 * Runs the checks that do not depend on the team's state when the entries are added; verifying signatures takes
 * longest.
 */
export async function checkEntries(
  team: string,
  entries: readonly (Entry | null)[],
  members: Members | null,
): Promise<CheckedEntry[]> {
  const knownComputers = members === null ? [] : [...members.computers.values(), members.recovery];
  const keys = new Map(knownComputers.map(({ computer, signingKey }) => [computer, signingKey]));
  const openedKeys = new Map<string, KeyObject>();
  const read = entries.map((entry) => readEntry(team, entry));
  for (const checked of read) {
    if ('code' in checked) continue;
    for (const key of listIntroducedKeys(checked.act))
      keys.set(computerIdOf(Buffer.from(key, 'base64url')), key);
  }
  const check = async (checked: CheckedEntry): Promise<CheckedEntry> => {
    if ('code' in checked) return checked;
    const key = keys.get(checked.header.computer);
    if (key === undefined) return { code: 'member.unknown' };
    const { header, signature } = checked.entry;
    const opened = openedKeys.get(key) ?? readSigningKey(Buffer.from(key, 'base64url'));
    openedKeys.set(key, opened);
    const isGood = await isSignedBy(header, signature, opened);
    return isGood ? checked : { code: 'entry.signatureInvalid' };
  };
  return Promise.all(read.map(check));
}

/**
 * Whether an event, a removal or a checkpoint may be added: its author may write it, and its content is sealed with the
 * newest team key. Only admins remove; every member acknowledges.
 */
function checkEvent({ entry, header, removal }: ValidEntry, members: Members | null): ApiErrorCode | null {
  const author = findMember(members, header.computer);
  if (author === null || members === null) return 'member.unknown';
  if (isWaiting(author, header.at)) return 'member.waiting';
  if (removal === null && author.role === 'reader') return 'role.notAllowed';
  if (removal?.act === 'remove' && author.role !== 'admin') return 'member.notAdmin';
  for (const content of [header.kind === 'event' ? entry.head : null, ...entry.parts]) {
    const code = content === null ? null : checkGeneration(content, members);
    if (code !== null) return code === 'part.invalid' && content === entry.head ? 'entry.headInvalid' : code;
  }
  return null;
}

/** Whether content is sealed with the newest team key. */
export function checkGeneration(sealed: Uint8Array, members: Members): ApiErrorCode | null {
  const generation = generationOf(sealed);
  if (generation === null) return 'part.invalid';
  if (generation < members.generation) return 'generation.old';
  return generation > members.generation ? 'generation.unknown' : null;
}

/**
 * Pure: decides which of the entries are added, with their numbers, and the members afterwards. Each entry is checked
 * against the members after the previous one; a refused entry does not stop the next. An event of the caller is refused
 * if the caller has not `read` up to the newest removal, because it could be about what was removed. Entries beyond the
 * daily limit of the caller are refused. `hashes`: by number, those that authors had seen.
 */
export function acceptEntries(
  entries: readonly CheckedEntry[],
  {
    head,
    known,
    hashes,
    usage,
    quota,
    caller,
    read,
  }: AppendState & { readonly quota: Usage; readonly caller: string; readonly read: number },
  membersBefore: Members | null,
  nowMs: number,
): { results: EntryResult[]; added: NewEntry[]; members: Members | null } {
  let [members, number, hash, membership] = [membersBefore, head.number, head.hash, head.membership];
  const seenHashes = new Map(hashes).set(number, hash);
  const hashAt = (at: number): string | undefined => seenHashes.get(at);
  let used = usage;
  const added = new Map<string, NewEntry>();
  const accept = (checked: CheckedEntry): EntryResult => {
    if ('code' in checked) return checked;
    const { entry, header, act } = checked;
    const existing = added.get(header.id) ?? known.get(header.id);
    if (existing !== undefined) {
      const isSame =
        existing.header === entry.header && Buffer.compare(existing.signature, entry.signature) === 0;
      return isSame ? { number: existing.number, hash: existing.hash } : { code: 'entry.differs' };
    }
    if (Date.parse(header.at) > nowMs + maxAheadMs) return { code: 'entry.ahead' };
    // An entry that waits a day from its time can't be from yesterday.
    const isByKey = act?.act === 'admit' && header.computer === members?.recovery.computer;
    if (isByKey && Date.parse(header.at) < nowMs - maxAheadMs) return { code: 'entry.behind' };
    const isOwn = act === null && checked.removal === null && header.computer === caller;
    if (isOwn && read < head.removal) return { code: 'removal.notSeen' };
    const isElsewhere =
      dependsOnPosition(act ?? checked.removal) && !isInPosition(header, { membership, hashAt });
    const next =
      act === null
        ? checkEvent(checked, members)
        : applyMembership(members, { number: number + 1, header, act });
    if (typeof next === 'string') return { code: next };
    if (isElsewhere) return { code: 'entry.notInPlace' };
    const isMembership = act === null ? 0 : 1;
    const { bytes, entries: count, memberships } = used;
    const after = {
      bytes: bytes + countBytes(entry),
      entries: count + 1,
      memberships: memberships + isMembership,
    };
    if (after.bytes > quota.bytes || after.entries > quota.entries || after.memberships > quota.memberships)
      return { code: 'quota.reached' };
    used = after;
    number += 1;
    hash = nextChainHash(hash, number, entry);
    seenHashes.set(number, hash);
    if (next !== null) [members, membership] = [next, number];
    const removes = checked.removal?.act === 'remove';
    added.set(header.id, { ...entry, number, hash, id: header.id, kind: header.kind, removes });
    return { number, hash };
  };
  return { results: entries.map(accept), added: [...added.values()], members };
}
