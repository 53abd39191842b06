import type { TeamVerdict } from '../../../contract/team.ts';
import { readFact } from '../../../rules/review/fold-review.ts';
import { firstChainHash, nextChainHash } from '../../../team-protocol/chain.ts';
import { readCheckpoint } from '../../../team-protocol/checkpoint.ts';
import { splitTags } from '../../../team-protocol/claim-tags.ts';
import { type Content, commitTo, headPart } from '../../../team-protocol/commitment.ts';
import { countClaims, type EntryHeader, maxOpenedOf, readHeader } from '../../../team-protocol/entry.ts';
import { findMember, type MembershipAct, readMembership } from '../../../team-protocol/membership.ts';
import { readOneForm } from '../../../team-protocol/open-head.ts';
import { dependsOnPosition, isInPosition } from '../../../team-protocol/place.ts';
import {
  isRestProven,
  type RemovalAct,
  readRemoval,
  statementSchema,
} from '../../../team-protocol/removal.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { readPart } from '../review/signed-entry.ts';
import { type EntryLine, hasParts, type LogLine, type PartLine, toCertificateLine } from './log-lines.ts';
import { checkAuthor, createFiler } from './read-event.ts';
import { mayRemove, readRests } from './read-removal.ts';
import { isExplained } from './rewound-logs.ts';
import { needsAdmin } from './team-facts.ts';
import { addMembership, noMembers } from './team-members.ts';

type Finding = TeamVerdict['findings'][number]['finding'];

/** The most findings that a verdict lists. */
const maxFindings = 100;

/** The most entries that are recorded until it is known whether a later entry explains them. */
const maxOtherLogs = 100_000;

/** An event whose parts follow. `file`: reads a part; null if the head is wrong, and parts are then not checked. */
interface OpenEvent {
  readonly number: number;
  readonly header: EntryHeader;
  readonly salt: Uint8Array;
  readonly file: ReturnType<typeof createFiler> | null;
  /** Whether it is a removal, whose parts are only compared with their commitments. */
  readonly isRemoval: boolean;
  next: number;
  /** The length of the texts of its head and parts so far. */
  length: number;
  isLeftOut: boolean;
}

/** A check in progress. */
interface Check {
  readonly ports: Parameters<typeof addMembership>[2];
  readonly known: { readonly number: number; readonly hash: string } | null;
  start: Extract<LogLine, { log: unknown }>['log'] | null;
  /** The lines of certificates as received, and as expected from the memberships. */
  readonly certificates: { listed: string[]; due: string[] };
  position: { number: number; hash: string };
  members: typeof noMembers;
  open: OpenEvent | null;
  isStopped: boolean;
  leftOut: number;
  refused: number;
  lastFound: number;
  /** Events whose content is missing, by ID, and those that removals list. */
  readonly removed: {
    readonly events: Map<string, { number: number; tags: string | null }>;
    /** The number of the removal that lists an entry, by entry. */
    readonly listed: Map<string, number>;
    readonly tags: Set<string>;
    isEverything: boolean;
  };
  readonly removals: TeamVerdict['removals'];
  readonly findings: { number: number; finding: Finding }[];
  readonly hashes: ReturnType<typeof createHashes>;
  readonly otherLogs: TeamVerdict['otherLogs'];
  /** The computers' reports of logs that went back. */
  readonly wentBack: { from: number; to: number }[];
}

/** Checks an entry by its kind; `content` null: the log was read without it. */
type TakeEntry = (
  check: Check,
  line: EntryLine,
  signature: Buffer,
  header: EntryHeader,
  content: Content | null,
) => Promise<void>;

/** The chain's hashes by number, in 32 bytes each: a log can have millions of entries. */
function createHashes() {
  let bytes = Buffer.alloc(32_768);
  let length = 0;
  const at = (number: number): string | undefined =>
    number <= length ? bytes.toString('base64url', (number - 1) * 32, number * 32) : undefined;
  return {
    at,
    add(hash: string): void {
      if ((length + 1) * 32 > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
      bytes.write(hash, length * 32, 'base64url');
      length += 1;
    },
    has: ({ number, hash }: { number: number; hash: string }): boolean => at(number) === hash,
  };
}

const headOf = ({ salt, text }: Content): Buffer => Buffer.concat([salt, Buffer.from(text, 'utf8')]);

function find(check: Check, number: number, finding: Finding): void {
  if (number === check.lastFound) return;
  check.lastFound = number;
  check.refused += 1;
  if (check.findings.length < maxFindings) check.findings.push({ number, finding });
}

function stop(check: Check, number: number, finding: Finding): void {
  find(check, number, finding);
  check.isStopped = true;
}

function closeEvent(check: Check): void {
  const { open } = check;
  if (open === null) return;
  if (open.next < open.header.parts.length) find(check, open.number, 'content');
  if (open.isLeftOut) check.leftOut += 1;
  check.open = null;
}

const beginParts = ({ text }: Content) => ({ next: 0, length: text.length, isLeftOut: false });

/** Whether an entry that depends on its position is at a different one. */
const isElsewhere = ({ hashes, members }: Check, header: EntryHeader, act: MembershipAct | RemovalAct) =>
  dependsOnPosition(act) && !isInPosition(header, { membership: members.newest, hashAt: hashes.at });

const takeMembership: TakeEntry = async (check, line, signature, header, content) => {
  const { number } = line;
  const head = content === null ? null : headOf(content);
  const act = head === null ? null : readMembership(header, head);
  if (head === null || act === null) return stop(check, number, 'content');
  const membership = { number, header: line.header, head };
  const after = await addMembership(check.members, membership, check.ports).catch(() => null);
  if (after === null) return stop(check, number, 'certificate');
  const isFirst = check.members.members === null;
  const refusal = await checkAuthor({ ...line, signature }, header, isFirst ? after : check.members);
  if (refusal !== null) return isFirst ? stop(check, number, refusal) : find(check, number, refusal);
  if (isElsewhere(check, header, act)) return find(check, number, 'place');
  const certificate = toCertificateLine(number, act);
  if (certificate !== null) check.certificates.due.push(JSON.stringify(certificate));
  if (after === check.members) return find(check, number, 'membership');
  check.members = after;
  const computer = certificate !== null && 'certificate' in certificate && certificate.certificate.computer;
  if (computer && !after.certificates.has(computer)) find(check, number, 'certificate');
};

const takeRemoval: TakeEntry = async (check, line, signature, header, content) => {
  const { number } = line;
  const act = content === null ? null : readRemoval(header, headOf(content));
  if (content === null || act === null) return find(check, number, 'content');
  const refusal = await checkAuthor({ ...line, signature }, header, check.members);
  if (refusal !== null) return find(check, number, refusal);
  if (!mayRemove(act, header, check.members)) return find(check, number, 'role');
  if (isElsewhere(check, header, act)) return find(check, number, 'place');
  if (act.act === 'done') return;
  for (const id of act.entries) check.removed.listed.set(id, number);
  const by = findMember(check.members.members, header.computer)?.email ?? '';
  check.removals.push({ number, at: header.at, by, entries: act.entries.length });
  check.open = { number, header, salt: content.salt, file: null, isRemoval: true, ...beginParts(content) };
};

/** Checks a checkpoint. Its parts are not read, because the log contains the same. */
const takeCheckpoint: TakeEntry = async (check, line, signature, header, content) => {
  const { number } = line;
  if (content === null || readCheckpoint(header, headOf(content)) === null)
    return find(check, number, 'content');
  const refusal = await checkAuthor({ ...line, signature }, header, check.members);
  if (refusal !== null) return find(check, number, refusal);
  if (findMember(check.members.members, header.computer)?.role === 'reader') find(check, number, 'role');
};

const takeEvent: TakeEntry = async (check, line, signature, header, content) => {
  const { number } = line;
  const refusal = await checkAuthor({ ...line, signature }, header, check.members);
  if (refusal !== null) find(check, number, refusal);
  if (content === null) {
    if ('leftOut' in line.content && line.content.leftOut === 'unreadable') find(check, number, 'content');
    else check.leftOut += 1;
    if ('leftOut' in line.content && line.content.leftOut === 'removedForTeam')
      check.removed.events.set(header.id, { number, tags: header.tags });
    return;
  }
  const certificate = check.members.certificates.get(header.computer);
  let file: OpenEvent['file'] = null;
  try {
    if (refusal === null && certificate !== undefined && commitTo(content, headPart) === header.head)
      file = createFiler({ signature }, header, certificate, content);
    if (header.parts.length === 0 && file !== null) {
      const { members } = check.members;
      const filed = file([], 0);
      const isAdmin = findMember(members, header.computer)?.role === 'admin';
      if (needsAdmin([filed], members) && !isAdmin) find(check, number, 'role');
      const fact = filed.kind === 'wentBack' ? readFact(filed.fact) : null;
      if (fact?.kind === 'wentBack') check.wentBack.push(fact);
    }
  } catch {
    file = null;
  }
  if (file === null) find(check, number, 'content');
  if (hasParts(line, header))
    check.open = { number, header, salt: content.salt, file, isRemoval: false, ...beginParts(content) };
};

const takeOfKind = {
  membership: takeMembership,
  removal: takeRemoval,
  checkpoint: takeCheckpoint,
  event: takeEvent,
} as const;

/** Records an entry whose author had read another log before it, as the author's signature shows. */
function compareSeen(check: Check, number: number, { seen, computer }: EntryHeader): void {
  const { otherLogs, hashes, members } = check;
  if (seen === null || check.lastFound === number || otherLogs.length === maxOtherLogs) return;
  if (seen.number < number && hashes.has(seen)) return;
  const by = members.members?.computers.get(computer)?.email ?? '';
  otherLogs.push({ number, by, seen: seen.number });
}

async function takeEntry(check: Check, line: EntryLine): Promise<void> {
  closeEvent(check);
  const { number, hash } = line;
  const signature = Buffer.from(line.signature, 'base64');
  const next = nextChainHash(check.position.hash, number, { header: line.header, signature });
  if (number !== check.position.number + 1 || next !== hash)
    return stop(check, check.position.number + 1, 'order');
  check.position = { number, hash };
  check.hashes.add(hash);
  if (number === check.known?.number && hash !== check.known.hash) return stop(check, number, 'known');
  const header = readHeader(line.header);
  if (header === null) return stop(check, number, 'content');
  if (header.team !== check.start?.team) return stop(check, number, 'otherTeam');
  const { content } = line;
  const opened = 'salt' in content ? { text: content.head, salt: Buffer.from(content.salt, 'base64') } : null;
  if (header.kind !== 'membership' && check.members.members === null) return stop(check, number, 'author');
  await takeOfKind[header.kind](check, line, signature, header, opened);
  compareSeen(check, number, header);
}

/** Records what a removal removes, or checks that the authors signed the content that it keeps. */
function takeRemovalPart(check: Check, number: number, part: number, text: string): void {
  const { removed } = check;
  try {
    if (part === 0) {
      const { tags, rule } = statementSchema.parse(readOneForm(text));
      for (const tag of splitTags(tags)) removed.tags.add(tag);
      removed.isEverything ||= rule.kind === 'everything';
      return;
    }
    const isProven = readRests(text).every((rest) => {
      const header = readHeader(rest.header);
      return header !== null && isRestProven(header, rest);
    });
    if (!isProven) find(check, number, 'removal');
  } catch {
    find(check, number, 'content');
  }
}

function takePart(check: Check, { number, part, content }: PartLine): void {
  const { open } = check;
  if (open === null || number !== open.number || part !== open.next) {
    stop(check, number, 'order');
    return;
  }
  open.next += 1;
  if ('leftOut' in content) {
    if (content.leftOut === 'unreadable') find(check, number, 'content');
    else open.isLeftOut = true;
    return;
  }
  const { header, salt, file, isRemoval } = open;
  open.length += content.text.length;
  if (isRemoval) {
    const opened = { text: content.text, salt: Buffer.from(content.salt ?? '', 'base64') };
    if (commitTo(opened, part) !== header.parts[part]?.[1]) find(check, number, 'content');
    else takeRemovalPart(check, number, part, content.text);
    return;
  }
  if (file === null) return;
  try {
    file(readPart(content.text), part);
    const isOther = commitTo({ text: content.text, salt }, part) !== header.parts[part]?.[1];
    if (isOther || open.length > maxOpenedOf(countClaims(header))) find(check, number, 'content');
  } catch {
    find(check, number, 'content');
  }
}

async function takeLine(check: Check, line: LogLine): Promise<boolean> {
  if (check.start === null && !('log' in line)) throw new DeskError('team.notALog');
  if (check.isStopped) return false;
  if ('log' in line) check.start ??= line.log;
  else if ('certificate' in line) check.certificates.listed.push(JSON.stringify(line));
  else if ('entry' in line) await takeEntry(check, line.entry);
  else takePart(check, line.part);
  return !check.isStopped;
}

function endCheck(check: Check): TeamVerdict {
  closeEvent(check);
  const { start, known, members, certificates, removed, findings, removals } = check;
  const otherLogs = check.otherLogs
    .filter(({ seen }) => !isExplained(seen, check.wentBack))
    .slice(0, maxFindings);
  const { number, hash } = check.position;
  if (start === null || number + findings.length === 0) throw new DeskError('team.notALog');
  if (!check.isStopped) {
    if (number !== start.number || hash !== start.hash) find(check, number + 1, 'end');
    if (known !== null && known.number > number) find(check, known.number, 'known');
    const at = certificates.due.findIndex((line, index) => line !== certificates.listed[index]);
    const isListed = at === -1 && certificates.listed.length === certificates.due.length;
    if (!isListed) find(check, 0, 'certificate');
    for (const [id, { number: at, tags }] of removed.events) {
      const listedAt = removed.listed.get(id);
      const isExplained =
        removed.isEverything || tags === null || splitTags(tags).some((tag) => removed.tags.has(tag));
      if (listedAt === undefined) find(check, at, 'content');
      else if (!isExplained) find(check, listedAt, 'removal');
    }
  }
  const computers = [...(members.members?.computers.values() ?? [])].map((member) => ({
    computer: member.computer,
    email: member.email,
    role: findMember(members.members, member.computer)?.role ?? null,
    fingerprint: members.certificates.get(member.computer)?.signer.fingerprint ?? null,
    ...{ from: member.from, until: member.until },
  }));
  return {
    isWhole: check.refused === 0,
    ...{ team: start.team, entries: number, hash, leftOut: check.leftOut, refused: check.refused },
    ...{ findings, computers, removals, otherLogs },
  };
}

/**
 * Checks the log of a team, from the server or a file, line by line: the chain, who wrote each entry and whether that
 * member was allowed to, every certificate, and that the content was signed. The rules are those of `pull-log.ts`. The
 * check stops after an entry that does not follow the previous one.
 * `known`: a number that this computer has read, with the hash there.
 */
export function createLogChecker({
  checkCertificate,
  known = null,
}: Pick<MainCalls, 'checkCertificate'> & Partial<Pick<Check, 'known'>>) {
  const check: Check = {
    ports: { computer: '', checkCertificate, openGrant: async () => null },
    known,
    start: null,
    certificates: { listed: [], due: [] },
    position: { number: 0, hash: firstChainHash },
    members: noMembers,
    open: null,
    isStopped: false,
    leftOut: 0,
    refused: 0,
    lastFound: -1,
    removed: { events: new Map(), listed: new Map(), tags: new Set(), isEverything: false },
    removals: [],
    findings: [],
    hashes: createHashes(),
    otherLogs: [],
    wentBack: [],
  };
  return {
    /** Takes the next line; false: the check has stopped. @throws DeskError `team.notALog` where it has no first line */
    take: (line: LogLine) => takeLine(check, line),
    /** The verdict after the last line. @throws DeskError `team.notALog` where there was no entry */
    end: () => endCheck(check),
  };
}
