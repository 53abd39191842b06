import { teamFactKinds } from '../../../contract/review.ts';
import { maxAheadMs, maxPageBytes, maxPageEntries } from '../../../team-protocol/api.ts';
import { firstChainHash, nextChainHash } from '../../../team-protocol/chain.ts';
import { type EntryHeader, headerOf, maxOpenedBytes } from '../../../team-protocol/entry.ts';
import { type NumberedEntry, readNumbered, writeNumbered } from '../../../team-protocol/frame.ts';
import { type RemovalStatement, readRemoval } from '../../../team-protocol/removal.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import { checkFile } from '../review/check-file.ts';
import type { FiledEntry, Signer } from '../review/filed-entry.ts';
import { readKnownTime } from '../review/known-time.ts';
import { createRemovedFilter } from '../review/removed-reviews.ts';
import type { ReviewPorts } from '../review/review-ports.ts';
import { readCertificate } from '../review/signed-entry.ts';
import type { KeptCertificate } from '../store/user-data/certificates.ts';
import type { ReviewEntry } from '../store/user-data/reviews.ts';
import type { KeptFact } from '../store/user-data/team-facts.ts';
import type { KeptMembership, TeamPosition, WaitingEntry } from '../store/user-data/team-log.ts';
import { createDecidedMeanwhile, type DecidedMeanwhile } from './decided-meanwhile.ts';
import type { News } from './hear-news.ts';
import { describeRemovals, findRemovedBy, type KnownRemoval, type TeamRemovals } from './known-removals.ts';
import { checkAuthor, checkSignatures, isWrongPart, openEntry, readEntry } from './read-entry.ts';
import { readMemberships } from './read-log.ts';
import { mayRemove, openRemoval } from './read-removal.ts';
import type { TeamClient } from './team-client.ts';
import { toKeptFacts } from './team-facts.ts';
import { addMembership, type MemberPorts, readMembers, type TeamMembers } from './team-members.ts';

/** What reading a log needs, besides the server. */
export interface PullPorts extends Pick<ReviewPorts, 'getStore' | 'getUserData' | 'now'> {
  readonly workspaceId: string;
  readonly team: string;
  readonly members: MemberPorts;
  readonly onChanged: (workspaceId: string) => void;
  readonly onFailed: (thrown: unknown) => void;
  readonly clock: Clock;
}

/** The state of the log on this computer. It is read from the file at the start, and only `createLog` changes it. */
export interface LogState {
  position: TeamPosition;
  members: TeamMembers;
  /** By number: entries that cannot be applied yet: parts are missing, or their time has not come. */
  waiting: Map<number, NumberedEntry>;
  removals: TeamRemovals;
  /** Whether the server may have lost entries that this computer should send again. */
  hasLost: boolean;
  /** How many entries were refused since the start. */
  refused: number;
  /** Since the start: the computers of members that had signed something that was refused. */
  readonly refusedOf: Set<string>;
  /** Since the start: whose computer had read another entry with a number than this one, and the number. */
  otherLog: { readonly computer: string; readonly number: number } | null;
  /** What others decided since the start. */
  readonly decided: DecidedMeanwhile;
}

/** An event of a page that can be applied. */
interface Ready {
  readonly number: number;
  readonly entry: NumberedEntry;
  readonly filed: readonly FiledEntry[];
  readonly facts: readonly KeptFact[];
}

/** How far a log was checked: its position, and the members after it. */
type Reached = Pick<LogState, 'position' | 'members'>;

/** A page after its entries were checked, before it is written. */
interface Judged extends Reached {
  /** The time until which events count. */
  readonly nowMs: number;
  readonly ready: Ready[];
  readonly memberships: KeptMembership[];
  /** The certificates in these memberships. */
  readonly certificates: KeptCertificate[];
  readonly waiting: NumberedEntry[];
  /** Entries that waited, and are refused now that they are whole. */
  readonly refused: NumberedEntry[];
  /** Removals and acknowledgements; `statement`: of a removal what it says. */
  readonly removals: { entry: NumberedEntry; id: string; statement: RemovalStatement | null }[];
  /** Events whose content these remove. */
  readonly removedIds: Set<string>;
}

/** The length of a page as the server limits it. */
const countBytes = (page: readonly NumberedEntry[]): number =>
  page.reduce(
    (sum, { header, head, parts }) =>
      sum +
      Buffer.byteLength(header) +
      head.length +
      parts.reduce((all, part) => all + (part?.length ?? 0), 0),
    0,
  );
const noneJudged = (nowMs: number, { position, members }: Reached): Judged => ({
  ...{ nowMs, position, members },
  ...{ ready: [], memberships: [], certificates: [], waiting: [] },
  ...{ refused: [], removals: [], removedIds: new Set() },
});

/**
 * How far ahead of this computer's clock the server's is believed: this one may be behind, but a server that is in league
 * with a member could say any time.
 */
const maxTrustedMs = 7 * 86_400_000;

/** How many parts are fetched at once. */
const partsAtOnce = 4;

const toDue = (one: KnownRemoval): KnownRemoval => (one.says === null ? one : { ...one, isDue: true });

/** Reads the log of a team from its server: checks every entry, and adds what it says to the reviews. */
export async function openLog(ports: PullPorts, client: TeamClient) {
  const { workspaceId, team } = ports;
  const userData = await ports.getUserData(workspaceId);
  const kept = await userData.call('readTeamLog', { workspaceId });
  const isSameTeam = kept.position?.team === team;
  const keptRemovals = await userData.call('readRemovals', { workspaceId });
  const start: TeamPosition = { team, number: 0, hash: firstChainHash, parts: 0, root: null };
  const state: LogState = {
    position: isSameTeam && kept.position !== null ? kept.position : start,
    members: await readMembers(isSameTeam ? kept.memberships : [], ports.members),
    waiting: new Map(
      (isSameTeam ? kept.waiting : [])
        .flatMap(({ frame }) => readNumbered(frame) ?? [])
        .map((entry) => [entry.number, entry]),
    ),
    removals: isSameTeam
      ? describeRemovals(keptRemovals.removals, keptRemovals.removedIds)
      : describeRemovals([], []),
    hasLost: true,
    refused: 0,
    refusedOf: new Set(),
    otherLog: null,
    decided: createDecidedMeanwhile(() => ports.clock.now()),
  };

  /**
   * The time until which events count: by this computer's clock as the claims service corrects it, and by the server's. An
   * event that is ahead of it would be the newest one until then, so it waits for its time.
   */
  const readNow = async (): Promise<number> => {
    const knownMs = await readKnownTime(ports, workspaceId);
    return Math.max(knownMs, Math.min(client.now(), knownMs + maxTrustedMs));
  };
  const isAhead = (header: EntryHeader | null, nowMs: number): boolean =>
    header !== null && Date.parse(header.at) > nowMs + maxAheadMs;
  /** Facts of an event that waited, by the members before it. */
  const factsOf = async (entry: NumberedEntry, filed: readonly FiledEntry[]): Promise<KeptFact[]> => {
    if (!teamFactKinds.includes(filed[0]?.kind ?? '')) return [];
    const { memberships } = await userData.call('readTeamLog', { workspaceId });
    const before = await readMembers(
      memberships.filter(({ number }) => number < entry.number),
      ports.members,
    );
    return toKeptFacts(entry, filed, before.members, ports.members.computer);
  };

  const refuse = (entry: NumberedEntry, isByAuthor: boolean): void => {
    state.refused += 1;
    const computer = headerOf(entry)?.computer;
    if (isByAuthor && computer !== undefined) state.refusedOf.add(computer);
  };

  /** Judges an entry of kind removal whose signature was checked. */
  const judgeRemoval = async (entry: NumberedEntry, header: EntryHeader, judged: Judged): Promise<void> => {
    const { id } = header;
    const isRemoved = state.removals.removedIds.has(id) || judged.removedIds.has(id);
    const read = await openRemoval(entry, header, judged.members, isRemoved);
    if (read.kind === 'refused') refuse(entry, false);
    else if (read.kind === 'incomplete') judged.waiting.push(entry);
    else {
      const statement = read.kind === 'removal' ? read.statement : null;
      judged.removals.push({ entry, id, statement });
      if (read.kind !== 'removal') return;
      for (const one of read.removedIds) judged.removedIds.add(one);
      const byId = new Map<string, FiledEntry[]>();
      for (const rest of read.rests) byId.set(rest.id, [...(byId.get(rest.id) ?? []), rest]);
      const known = await userData.call('findKnownEntries', {
        workspaceId,
        entries: [...byId.keys()].map((one) => ({ id: one, claimIds: [] })),
      });
      // What is here has been removed in part, or will be.
      for (const one of known) byId.delete(one.id);
      for (const filed of byId.values()) judged.ready.push({ number: entry.number, entry, filed, facts: [] });
    }
  };

  /**
   * Checks the chain and the entries of a page, and returns what is to be written. Ends before the end of the page where
   * what it opened is long: a small page can hold very large texts.
   */
  const judgePage = async (page: readonly NumberedEntry[], before: Reached): Promise<Judged> => {
    const judged = noneJudged(await readNow(), before);
    const check = checkSignatures(page, before.members);
    let opened = 0;
    for (const entry of page) {
      if (opened > maxOpenedBytes) break;
      const { number, hash, root } = judged.position;
      if (entry.number !== number + 1 || nextChainHash(hash, entry.number, entry) !== entry.hash)
        throw new DeskError('team.serverDiffers');
      if (entry.number === 1 && root !== null && root !== entry.hash)
        throw new DeskError('team.serverDiffers');
      const header = headerOf(entry);
      const { members } = judged;
      const isFirst = members.members === null;
      const after =
        header?.kind === 'membership' ? await addMembership(members, entry, ports.members) : members;
      if (header?.kind === 'removal' && !isFirst) {
        const act = readRemoval(header, entry.head);
        const isAllowed = act !== null && mayRemove(act, header, members);
        if (isAllowed && (await checkAuthor(entry, header, members, check)) === null)
          await judgeRemoval(entry, header, judged);
        else refuse(entry, false);
        judged.position = { ...judged.position, number: entry.number, hash: entry.hash };
        continue;
      }
      const read = await readEntry(entry, isFirst ? after : members, check);
      if (read.kind === 'event') opened += read.length;
      const isRemoved = state.removals.removedIds.has(header?.id ?? '');
      if (read.kind === 'membership') {
        for (const [computer, { kept: certificate }] of after.certificates)
          if (members.certificates.get(computer)?.kept.id !== certificate.id)
            judged.certificates.push(certificate);
        judged.members = after;
        const signature = Buffer.from(entry.signature).toString('base64url');
        judged.memberships.push({ number: entry.number, header: entry.header, signature, head: entry.head });
      } else if (read.kind === 'refused') refuse(entry, read.isByAuthor);
      else if (isRemoved) judged.removedIds.add(header?.id ?? '');
      else if (read.kind === 'event' && !isAhead(header, judged.nowMs)) {
        const facts = toKeptFacts(entry, read.filed, members.members, ports.members.computer);
        judged.ready.push({ number: entry.number, entry, filed: read.filed, facts });
      } else judged.waiting.push(entry);
      if (isFirst && read.kind !== 'membership') throw new DeskError('team.serverDiffers');
      judged.position = { ...judged.position, number: entry.number, hash: entry.hash };
    }
    return judged;
  };

  /**
   * Chooses the events that may be added, as rows. One that changes an event that has not come waits; others are
   * refused.
   */
  const chooseEntries = async ({ ready, nowMs, members }: Judged, removals: TeamRemovals) => {
    const signers = new Map<string, Signer>(
      [...members.certificates.values()].map(({ signer }) => [signer.certificate, signer]),
    );
    for (const one of await userData.call('listCertificates', { workspaceId })) {
      const signer = readCertificate(one, one.fingerprint)?.signer;
      if (signer !== undefined) signers.set(one.id, signer);
    }
    const store = await ports.getStore(workspaceId);
    const removed = createRemovedFilter(
      await store.read('readRetention', null),
      findRemovedBy(removals, team, members.keys),
    );
    const check = async (some: readonly Ready[]) => {
      const entries = some.flatMap(({ filed }) => filed);
      const { leftOut } = await checkFile(
        (async function* () {
          yield* entries;
        })(),
        nowMs,
        (wanted) => userData.call('findKnownEntries', { workspaceId, entries: wanted }),
        removed.look,
        (id) => signers.get(id) ?? null,
      );
      return leftOut;
    };
    const allowed: Ready[] = [];
    const left: Ready[] = [];
    try {
      const leftOut = await check(ready);
      for (const one of ready) (leftOut.has(one.filed[0]?.id ?? '') ? left : allowed).push(one);
    } catch (thrown) {
      if (!(thrown instanceof DeskError)) throw thrown;
      // One of them differs from the event here, or has an impossible time: checked one by one to find which.
      for (const one of ready) {
        const leftOut = await check([one]).catch(() => null);
        if (leftOut === null) refuse(one.entry, true);
        else (leftOut.size > 0 ? left : allowed).push(one);
      }
    }
    const looked = [...removed.claimIds()];
    if (looked.length > 0) {
      const here = await store.read('readReviewedClaims', { claimIds: looked });
      removed.keep(here.map(({ claimId }) => claimId));
    }
    const rows = allowed.flatMap(({ filed }) =>
      filed.flatMap((one): ReviewEntry[] => {
        const entry = removed.without(one);
        if (entry === null) return [];
        const { signer: _signer, ...event } = entry;
        return [{ ...event, workspace_id: workspaceId, is_imported: 1 }];
      }),
    );
    const facts = allowed.flatMap((one) => one.facts);
    return { rows, left, facts, isDue: removed.claimsOfTeam() > 0 };
  };

  /** Without parts that were sent separately: they are read again after a start, and would be written with each one. */
  const toWaiting = (entry: NumberedEntry): WaitingEntry => {
    const parts = entry.parts.length > 1 ? entry.parts.map(() => null) : entry.parts;
    return { number: entry.number, frame: writeNumbered({ ...entry, parts }) };
  };

  /** Tells that the server showed the author of this event another log. */
  const noteOtherLog = (id: string, ready: readonly Ready[]): void => {
    const found = ready.find(({ filed }) => filed[0]?.id === id);
    const computer = found?.filed[0]?.signer?.computer ?? '';
    const number = (found === undefined ? null : headerOf(found.entry)?.seen?.number) ?? 0;
    state.otherLog = { computer, number };
    ports.onFailed(new DeskError('team.serverDiffers', { details: { number, computer } }));
  };

  /** Writes what was judged, with the position, which is this log's from then on, and with what waited for it. */
  const write = async (page: readonly NumberedEntry[], judged: Judged): Promise<void> => {
    const removals = judged.removals.map(({ entry, id, statement }) => ({
      ...{
        id,
        frame: writeNumbered(entry),
        statement: statement === null ? null : JSON.stringify(statement),
      },
      isDue: statement?.isLast === false && headerOf(entry)?.computer === ports.members.computer,
    }));
    const known = new Set(state.removals.all.map(({ id }) => id));
    const nextRemovals =
      removals.length === 0
        ? state.removals
        : describeRemovals(
            [
              ...state.removals.all,
              ...removals
                .filter(({ id }) => !known.has(id))
                .map((one) => ({ ...one, isApplied: one.statement === null })),
            ],
            [...state.removals.removedIds, ...judged.removedIds],
          );
    const { nowMs } = judged;
    const { rows, left, facts, isDue } = await chooseEntries(judged, nextRemovals);
    /** What waited for a removal to say that its content was deleted, or for content that was. */
    const isReleased = (entry: NumberedEntry): boolean => {
      const header = headerOf(entry);
      return header?.kind === 'event' && nextRemovals.removedIds.has(header.id);
    };
    const isNew = (number: number): boolean => number >= (page[0]?.number ?? Number.POSITIVE_INFINITY);
    // An event that changes a waiting one waits as well; without such an event it is not allowed.
    const mayWait = state.waiting.size > 0 || judged.waiting.length > 0;
    const held = mayWait ? left.map(({ entry }) => entry) : [];
    if (!mayWait) for (const { entry } of left) refuse(entry, true);
    const waiting = [...judged.waiting, ...held].filter((entry) => !isReleased(entry));
    const released = [...state.waiting.values()].filter(isReleased);
    const applied = [
      ...judged.ready,
      ...judged.removals.map(({ entry }) => entry),
      ...judged.refused,
      ...released,
    ]
      .map(({ number }) => number)
      .filter((number) => !isNew(number) && !held.some((one) => one.number === number));
    const { otherLog } = await userData.call('addTeamPage', {
      ...{ workspaceId, entries: rows, nowMs, position: judged.position, applied },
      certificates: judged.certificates,
      numbers: page.map((one) => ({ number: one.number, hash: one.hash, id: headerOf(one)?.id ?? '' })),
      memberships: judged.memberships,
      facts,
      waiting: waiting.map(toWaiting),
      removals: { removals, removedIds: [...judged.removedIds], isDue },
    });
    [state.position, state.members] = [judged.position, judged.members];
    if (otherLog !== null && state.otherLog === null) noteOtherLog(otherLog, judged.ready);
    for (const { entry, filed } of judged.ready)
      if (headerOf(entry)?.computer !== ports.members.computer) state.decided.note(filed);
    // What another computer has is listed with the members.
    if (facts.some(({ kind, is_own }) => kind === 'computer' && is_own === 0)) ports.onChanged(workspaceId);
    state.removals = isDue ? { ...nextRemovals, all: nextRemovals.all.map(toDue) } : nextRemovals;
    for (const number of applied) state.waiting.delete(number);
    for (const entry of waiting) state.waiting.set(entry.number, entry);
  };

  /** The pages after a number, up to the `known` one where that is given; each is fetched while the one before is used. */
  const readPages = async function* (
    from: number,
    known: News | null,
  ): AsyncGenerator<readonly NumberedEntry[]> {
    let ahead = known?.entries ?? [];
    let following: Promise<NumberedEntry[]> | null = null;
    for (let number = from; number !== known?.number; ) {
      const isAhead = ahead[0]?.number === number + 1;
      const page: readonly NumberedEntry[] = isAhead ? ahead : await (following ?? client.entries(number));
      ahead = [];
      const last = page.at(-1)?.number;
      if (last === undefined) return;
      // A page that is not full was the last one.
      const isLast = !isAhead && page.length < maxPageEntries && countBytes(page) < maxPageBytes;
      following = isAhead || isLast || known?.number === last ? null : client.entries(last);
      following?.catch(() => undefined);
      yield page;
      if (isLast) return;
      number = last;
    }
  };

  /** Reads new entries; each page is checked while the one before is written. Returns whether there were any. */
  const pullEntries = async (known: News | null): Promise<boolean> => {
    let reached: Reached = { position: state.position, members: state.members };
    let writing: Promise<void> = Promise.resolve();
    let isNew = false;
    try {
      for await (const page of readPages(state.position.number, known)) {
        isNew = true;
        for (let rest = page; rest.length > 0; ) {
          // What a removal is about has to be written first, and what comes after it is judged by what it removed.
          const hasRemoval = rest.some((one) => headerOf(one)?.kind === 'removal');
          if (hasRemoval) await writing;
          const { number } = reached.position;
          const judged = await judgePage(rest, reached);
          await writing;
          const count = judged.position.number - number;
          writing = write(rest.slice(0, count), judged);
          writing.catch(() => undefined);
          if (hasRemoval) await writing;
          rest = rest.slice(count);
          reached = judged;
        }
      }
    } finally {
      await writing;
    }
    return isNew;
  };

  /**
   * Applies those of the `rest` of the waiting entries that are whole now, until what was opened is long. `isChanged`: some
   * have new parts. Returns whether there were any, and which are left.
   */
  const applyWaiting = async (rest: readonly NumberedEntry[], isChanged: boolean) => {
    const judged = noneJudged(await readNow(), state);
    let [opened, count] = [0, 0];
    for (const entry of rest) {
      if (opened > maxOpenedBytes) break;
      count += 1;
      const header = headerOf(entry);
      if (header?.kind === 'removal') {
        await judgeRemoval(entry, header, judged);
        continue;
      }
      const read = isAhead(header, judged.nowMs) ? null : openEntry(entry, state.members);
      if (read?.kind === 'event') {
        opened += read.length;
        const facts = await factsOf(entry, read.filed);
        judged.ready.push({ number: entry.number, entry, filed: read.filed, facts });
      } else if (read?.kind === 'refused' && read.isByAuthor) {
        refuse(entry, true);
        judged.refused.push(entry);
      } else judged.waiting.push(entry);
    }
    const isSome = judged.ready.length + judged.removals.length > 0;
    if (isChanged || isSome || judged.refused.length > 0) await write([], judged);
    return { isSome, left: rest.slice(count).filter(({ number }) => state.waiting.has(number)) };
  };

  const findWaiting = (id: string): NumberedEntry | undefined =>
    [...state.waiting.values()].find((one) => headerOf(one)?.id === id);
  const keepPart = (id: string, part: number, sealed: Uint8Array | undefined): void => {
    const found = findWaiting(id);
    // A part that was not sent by its author may be wrong, and the right one may still come.
    if (found === undefined || sealed === undefined || isWrongPart(found, part, sealed, state.members))
      return;
    // The same entry, whose header was read: that of a large act takes longer than one of its parts.
    Object.assign(found, { parts: found.parts.with(part, sealed) });
  };
  /** Fetches parts of entries that wait for them, and applies those that are complete. */
  const pullParts = async (): Promise<boolean> => {
    let isChanged = false;
    for (;;) {
      const arrived = await client.parts(state.position.parts);
      if (arrived.length === 0) break;
      for (let at = 0; at < arrived.length; at += partsAtOnce) {
        const missing = arrived
          .slice(at, at + partsAtOnce)
          .filter(({ id, part }) => findWaiting(id)?.parts[part] === null);
        const sealed = await Promise.all(missing.map(({ id, part }) => client.part(id, part)));
        for (const [index, { id, part }] of missing.entries()) keepPart(id, part, sealed[index]);
      }
      state.position = { ...state.position, parts: arrived.at(-1)?.after ?? state.position.parts };
      isChanged = true;
    }
    let isAny = false;
    for (let rest = [...state.waiting.values()]; rest.length > 0; ) {
      const { isSome, left } = await applyWaiting(rest, isChanged);
      isAny ||= isSome;
      rest = left;
    }
    return isAny;
  };

  /** The team keys of this computer, which was admitted after the entries that it reads first. */
  const readKeysAhead = async (): Promise<TeamMembers['keys']> =>
    (await readMembers(await readMemberships(client), ports.members)).keys;

  return {
    state,
    /** Whether the server's clock is further ahead than it counts here. */
    isServerAhead: async (): Promise<boolean> =>
      client.now() > ports.now(workspaceId) + maxTrustedMs && client.now() > (await readNow()),
    /**
     * Reads all new entries, up to the `known` one where that is given; returns whether there were any.
     *
     * @throws DeskError `team.*`, `store.*`
     */
    async pull(known: News | null = null): Promise<boolean> {
      const waiting = state.waiting.size;
      if (state.members.keys.size === 0) state.members = { ...state.members, keys: await readKeysAhead() };
      let isNew = await pullEntries(known);
      // Shown before the parts are read, which can take long: who sends a large act.
      if (state.waiting.size !== waiting) ports.onChanged(workspaceId);
      const { size } = state.waiting;
      if (size > 0 && (await pullParts())) isNew = true;
      if (state.waiting.size !== size) ports.onChanged(workspaceId);
      return isNew;
    },
    /** Goes back to an earlier number, after which the server's log has changed. */
    async rewind(number: number): Promise<void> {
      const [at] = await userData.call('readTeamHashes', { workspaceId, number, limit: 1 });
      const position = { ...state.position, number, hash: at?.hash ?? firstChainHash, parts: 0 };
      await userData.call('rewindTeam', { workspaceId, position });
      const again = await userData.call('readTeamLog', { workspaceId });
      state.position = position;
      state.members = await readMembers(again.memberships, ports.members);
      state.waiting = new Map([...state.waiting].filter(([waits]) => waits <= number));
      state.hasLost = true;
    },
    /** Reads again what is noted of removals. */
    async readRemovals(): Promise<void> {
      const again = await userData.call('readRemovals', { workspaceId });
      state.removals = describeRemovals(again.removals, again.removedIds);
    },
    readHashes: (number: number) => userData.call('readTeamHashes', { workspaceId, number, limit: 1 }),
  };
}

export type TeamLog = Awaited<ReturnType<typeof openLog>>;
