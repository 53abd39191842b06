import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { joinedSchema, NewJoin } from '../team-protocol/api.ts';
import { invitationMs, maxPageEntries } from '../team-protocol/api.ts';
import { certifiedComputer, readCertificateBody } from '../team-protocol/certificate.ts';
import { firstChainHash } from '../team-protocol/chain.ts';
import { firstDocumentPart, maxDocumentParts } from '../team-protocol/document-parts.ts';
import { type Entry, headerOf } from '../team-protocol/entry.ts';
import { digestOfToken } from '../team-protocol/invitation-token.ts';
import type { Members, TeamRole } from '../team-protocol/membership.ts';
import {
  acceptEntries,
  checkEntries,
  checkGeneration,
  type EntryResult,
  listSeen,
} from './accept-entries.ts';
import { ApiError } from './api-error.ts';
import { createKnownMembers } from './known-members.ts';
import type { Limits } from './limits.ts';
import type { Usage } from './store/entry-store.ts';
import type { Join } from './store/join-store.ts';
import type { TeamHead } from './store/new-entry.ts';
import type { TeamStore } from './store/team-store.ts';

/** The shortest time between two updates of when a computer was last seen. */
const seenEveryMs = 60_000;
/** How long a computer that joined is listed for the admins. */
const joinListedMs = 7 * 24 * 3_600_000;

/** Returns the stored digest of a set-up code; the code is typed with or without hyphens, in either case. */
export const digestSetupCode = (code: string): string =>
  hash('sha256', code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''), 'base64url');

interface TeamsState {
  readonly store: TeamStore;
  readonly now: () => number;
  readonly known: ReturnType<typeof createKnownMembers>;
  readonly quota: Usage;
  readonly documentBytes: number;
}

/** Creates a team from the frame of its first entry. */
async function create(
  { store, now, quota }: TeamsState,
  setupCode: string,
  entry: Entry,
  computer: string,
): Promise<{ team: string; judged: EntryResult }> {
  const header = headerOf(entry);
  if (header?.team == null) throw new ApiError('entry.invalid');
  if (header.computer !== computer) throw new ApiError('certificate.invalid');
  const checked = await checkEntries(header.team, [entry], null);
  const start = { number: 0, hash: firstChainHash, membership: 0, membershipHash: '', removal: 0, parts: 0 };
  const usage = { bytes: 0, entries: 0, memberships: 0 };
  const state = { head: start, known: new Map(), hashes: new Map(), usage, quota, caller: computer, read: 0 };
  const { results, added } = acceptEntries(checked, state, null, now());
  const [[judged], [first]] = [results, added];
  if (judged !== undefined && 'code' in judged) return { team: header.team, judged };
  if (judged === undefined || first === undefined) throw new Error('An entry has no result.');
  const made = await store.createTeam(digestSetupCode(setupCode), header.team, first, now());
  if (made === 'codeInvalid') throw new ApiError('setupCode.invalid');
  return { team: header.team, judged: made === 'created' ? judged : { code: 'team.exists' } };
}

/** Adds entries; returns the result of each, and the head afterwards. */
async function post(
  { store, now, known, quota }: TeamsState,
  team: string,
  entries: readonly (Entry | null)[],
  { computer: caller, members: membersBefore }: { computer: string; members: Members },
  read = 0,
): Promise<{ results: EntryResult[]; head: TeamHead }> {
  const checked = await checkEntries(team, entries, membersBefore);
  const ids = checked.flatMap((entry) => ('code' in entry ? [] : [entry.header.id]));
  let results: EntryResult[] = [];
  const adding = { computer: caller, now: now() };
  const head = await store.append(
    team,
    ids,
    adding,
    async (state, readMemberships) => {
      const { members } = await known.membersAt(team, state.head, readMemberships);
      const judged = acceptEntries(checked, { ...state, caller, read, quota }, members, adding.now);
      results = judged.results;
      return judged.added;
    },
    listSeen(checked),
  );
  if (head === null) throw new ApiError('member.unknown');
  return { results, head };
}

/** Adds a part that was sent separately: by its author, or by another member if the server lost it. */
async function putPart(
  { store, now, quota, documentBytes }: TeamsState,
  {
    team,
    members,
    computer,
    role,
  }: { team: string; members: Members; computer: string; role: TeamRole | 'recovery' },
  id: string,
  part: number,
  content: Buffer,
) {
  if (role !== 'admin' && role !== 'reviewer') throw new ApiError('role.notAllowed');
  const entry = await store.readEntry(team, id);
  const header = entry === null ? null : headerOf(entry);
  const isOfDocument = part >= firstDocumentPart;
  // The author alone sends documents: no header commits to their parts, so that no one could choose among several.
  const isPlaced = isOfDocument
    ? header?.kind === 'event' && header.computer === computer && part - firstDocumentPart < maxDocumentParts
    : header?.parts[part] !== undefined;
  if (entry === null || !isPlaced) throw new ApiError('part.notThere');
  const code = checkGeneration(content, members);
  if (code !== null) throw new ApiError(code);
  const adding = { computer, now: now() };
  const used = await store.readUsage(team, adding);
  if (used.bytes + content.length > quota.bytes) throw new ApiError('quota.reached');
  if (isOfDocument && (await store.readDocumentBytes(team)) + content.length > documentBytes)
    throw new ApiError('quota.documents');
  const outcome = await store.addPart(team, entry.number, part, content, computer);
  if (outcome === 'differs') throw new ApiError('part.differs');
  if (outcome === 'removed') throw new ApiError('entry.removed');
  if (outcome === 'added') await store.addPartBytes(team, adding, content.length);
}

/** The operations on a team. The routes check first who may do them. Each throws `ApiError` or `StoreError`. */
export function createTeams(
  store: TeamStore,
  now: () => number,
  { quota, documentBytes }: Pick<Limits, 'quota' | 'documentBytes'>,
) {
  const knownMembers = createKnownMembers(store);
  const state: TeamsState = { store, now, known: knownMembers, quota, documentBytes };
  const seen = new Map<string, number>();

  return {
    readState: knownMembers.readState,
    recallMembers: knownMembers.recall,
    check: knownMembers.check,

    create: create.bind(null, state),
    post: post.bind(null, state),
    putPart: putPart.bind(null, state),

    /** Uses an invitation for the computer whose token came with it. */
    async join(team: string, join: NewJoin, computer: string): Promise<z.infer<typeof joinedSchema>> {
      const body = readCertificateBody(join.certificate.body);
      if (body === null || body.team !== team || certifiedComputer(body) !== computer)
        throw new ApiError('certificate.invalid');
      const invitation = digestOfToken(join.invitation);
      const joined = await store.addJoin(team, { ...join, invitation, at: now() });
      if (joined === false) throw new ApiError('invitation.invalid');
      return joined;
    },

    /** The computers that joined and were not admitted yet. */
    async listJoins(team: string, members: Members): Promise<Join[]> {
      const joins = await store.readJoins(team, now() - joinListedMs, maxPageEntries);
      return joins.filter(({ certificate }) => {
        const body = readCertificateBody(certificate.body);
        return body !== null && !members.computers.has(certifiedComputer(body));
      });
    },

    async invite(team: string, computer: string, digest: string): Promise<number> {
      const expiresAt = now() + invitationMs;
      await store.addInvitation(digest, team, computer, expiresAt);
      return expiresAt;
    },

    async markSeen(team: string, computer: string): Promise<void> {
      const key = `${team}.${computer}`;
      if (now() - (seen.get(key) ?? 0) < seenEveryMs) return;
      seen.set(key, now());
      await store.markSeen(team, computer, now());
    },
  };
}

export type Teams = ReturnType<typeof createTeams>;
