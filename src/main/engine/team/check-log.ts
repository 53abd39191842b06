import type { TeamVerdict } from '../../../contract/team.ts';
import { firstChainHash, nextChainHash } from '../../../team-protocol/chain.ts';
import { type EntryHeader, readHeader } from '../../../team-protocol/entry.ts';
import { findMember, readMembership } from '../../../team-protocol/membership.ts';
import { readRemoval } from '../../../team-protocol/removal.ts';
import { type Content, commitTo, headPart } from '../../../team-protocol/seal.ts';
import type { EngineHost } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { type EntryLine, hasParts, type LogLine, type PartLine, toCertificateLine } from './log-lines.ts';
import { checkAuthor, createFiler } from './read-entry.ts';
import { mayRemove } from './read-removal.ts';
import { mayWrite } from './team-facts.ts';
import { addMembership, noMembers } from './team-members.ts';

type Finding = TeamVerdict['findings'][number]['finding'];

/** The most findings that a verdict lists. */
const maxFindings = 100;

/** An event whose parts follow. `file`: reads a part; null where the head is wrong, and parts are then not checked. */
interface OpenEvent {
  readonly number: number;
  readonly header: EntryHeader;
  readonly salt: Uint8Array;
  readonly file: ReturnType<typeof createFiler> | null;
  /** Whether it is a removal, whose parts are only compared with their commitments. */
  readonly isRemoval: boolean;
  next: number;
  isLeftOut: boolean;
}

/** Checks an entry by its kind; `content` null: the log was read without it. */
type TakeEntry = (
  line: EntryLine,
  signature: Buffer,
  header: EntryHeader,
  content: Content | null,
) => Promise<void>;

const headOf = ({ salt, text }: Content): Buffer => Buffer.concat([salt, Buffer.from(text, 'utf8')]);

/**
 * Checks the log of a team, from the server or a file, line by line: the chain, who wrote each entry and whether that
 * member was allowed to, every certificate, and that the content is what was signed. It judges by the same rules as a
 * computer that reads the log (`pull-log.ts`). It stops after an entry that does not follow from the previous one.
 *
 * `known`: a number that this computer has read, with the hash there.
 */
export function createLogChecker({
  checkCertificate,
  known = null,
}: Pick<EngineHost, 'checkCertificate'> & {
  readonly known?: { readonly number: number; readonly hash: string } | null;
}) {
  const ports = { computer: '', checkCertificate, openGrant: async () => null };
  let start: Extract<LogLine, { log: unknown }>['log'] | null = null;
  /** The lines of certificates as received, and as expected from the memberships. */
  const certificates: { listed: string[]; due: string[] } = { listed: [], due: [] };
  let position = { number: 0, hash: firstChainHash };
  let state = noMembers;
  let open: OpenEvent | null = null;
  let isStopped = false;
  let leftOut = 0;
  let refused = 0;
  let lastFound = -1;
  /** Events whose content is not there, by their ID, and those that removals list. */
  const removed = { events: new Map<string, number>(), listed: new Set<string>() };
  const removals: TeamVerdict['removals'] = [];
  const findings: { number: number; finding: Finding }[] = [];

  const find = (number: number, finding: Finding): void => {
    if (number === lastFound) return;
    lastFound = number;
    refused += 1;
    if (findings.length < maxFindings) findings.push({ number, finding });
  };
  const stop = (number: number, finding: Finding): void => {
    find(number, finding);
    isStopped = true;
  };
  const closeEvent = (): void => {
    if (open === null) return;
    if (open.next < open.header.parts.length) find(open.number, 'content');
    if (open.isLeftOut) leftOut += 1;
    open = null;
  };

  const takeMembership: TakeEntry = async (line, signature, header, content) => {
    const { number } = line;
    const head = content === null ? null : headOf(content);
    const act = head === null ? null : readMembership(header, head);
    if (head === null || act === null) return stop(number, 'content');
    const after = await addMembership(state, { number, header: line.header, head }, ports).catch(() => null);
    if (after === null) return stop(number, 'certificate');
    const isFirst = state.members === null;
    const refusal = await checkAuthor({ ...line, signature }, header, isFirst ? after : state);
    if (refusal !== null) return isFirst ? stop(number, refusal) : find(number, refusal);
    const certificate = toCertificateLine(number, act);
    if (certificate !== null) certificates.due.push(JSON.stringify(certificate));
    if (after === state) return find(number, 'membership');
    state = after;
    const computer = certificate !== null && 'certificate' in certificate && certificate.certificate.computer;
    if (computer && !after.certificates.has(computer)) find(number, 'certificate');
  };

  const takeRemoval: TakeEntry = async (line, signature, header, content) => {
    const { number } = line;
    const act = content === null ? null : readRemoval(header, headOf(content));
    if (content === null || act === null) return find(number, 'content');
    const refusal = await checkAuthor({ ...line, signature }, header, state);
    if (refusal !== null) return find(number, refusal);
    if (!mayRemove(act, header, state)) return find(number, 'role');
    if (act.act === 'done') return;
    for (const id of act.entries) removed.listed.add(id);
    const by = findMember(state.members, header.computer)?.email ?? '';
    removals.push({ number, at: header.at, by, entries: act.entries.length });
    open = { number, header, salt: content.salt, file: null, isRemoval: true, next: 0, isLeftOut: false };
  };

  const takeEvent: TakeEntry = async (line, signature, header, content) => {
    const { number } = line;
    const refusal = await checkAuthor({ ...line, signature }, header, state);
    if (refusal !== null) find(number, refusal);
    if (content === null) {
      if ('leftOut' in line.content && line.content.leftOut === 'unreadable') find(number, 'content');
      else leftOut += 1;
      if ('leftOut' in line.content && line.content.leftOut === 'removedForTeam')
        removed.events.set(header.id, number);
      return;
    }
    const certificate = state.certificates.get(header.computer);
    let file: OpenEvent['file'] = null;
    try {
      if (refusal === null && certificate !== undefined && commitTo(content, headPart) === header.head)
        file = createFiler({ signature }, header, certificate, content);
      if (header.parts.length === 0 && file !== null) {
        const role = findMember(state.members, header.computer)?.role ?? 'reader';
        if (!mayWrite(role, [file(null, 0)])) find(number, 'role');
      }
    } catch {
      file = null;
    }
    if (file === null) find(number, 'content');
    if (hasParts(line, header))
      open = { number, header, salt: content.salt, file, isRemoval: false, next: 0, isLeftOut: false };
  };

  const takeEntry = async (line: EntryLine): Promise<void> => {
    closeEvent();
    const { number, hash } = line;
    const signature = Buffer.from(line.signature, 'base64');
    const next = nextChainHash(position.hash, number, { header: line.header, signature });
    if (number !== position.number + 1 || next !== hash) return stop(position.number + 1, 'order');
    position = { number, hash };
    if (number === known?.number && hash !== known.hash) return stop(number, 'known');
    const header = readHeader(line.header);
    if (header === null) return stop(number, 'content');
    if (header.team !== start?.team) return stop(number, 'otherTeam');
    const { content } = line;
    const opened =
      'salt' in content ? { text: content.head, salt: Buffer.from(content.salt, 'base64') } : null;
    if (header.kind === 'membership') return takeMembership(line, signature, header, opened);
    if (state.members === null) return stop(number, 'author');
    if (header.kind === 'removal') return takeRemoval(line, signature, header, opened);
    return takeEvent(line, signature, header, opened);
  };

  const takePart = ({ number, part, content }: PartLine): void => {
    if (open === null || number !== open.number || part !== open.next) {
      stop(number, 'order');
      return;
    }
    open.next += 1;
    if ('leftOut' in content) {
      if (content.leftOut === 'unreadable') find(number, 'content');
      else open.isLeftOut = true;
      return;
    }
    const { header, salt, file, isRemoval } = open;
    if (isRemoval) {
      const opened = { text: content.text, salt: Buffer.from(content.salt ?? '', 'base64') };
      if (commitTo(opened, part) !== header.parts[part]?.[1]) find(number, 'content');
      return;
    }
    if (file === null) return;
    try {
      file(content.text, part);
      if (commitTo({ text: content.text, salt }, part) !== header.parts[part]?.[1]) find(number, 'content');
    } catch {
      find(number, 'content');
    }
  };

  return {
    /** Takes the next line; false: the check has stopped. @throws DeskError `team.notALog` where it has no first line */
    async take(line: LogLine): Promise<boolean> {
      if (start === null && !('log' in line)) throw new DeskError('team.notALog');
      if (isStopped) return false;
      if ('log' in line) start ??= line.log;
      else if ('certificate' in line) certificates.listed.push(JSON.stringify(line));
      else if ('entry' in line) await takeEntry(line.entry);
      else takePart(line.part);
      return !isStopped;
    },
    /** The verdict after the last line. @throws DeskError `team.notALog` where there was no entry */
    end(): TeamVerdict {
      closeEvent();
      const { number, hash } = position;
      if (start === null || number + findings.length === 0) throw new DeskError('team.notALog');
      if (!isStopped) {
        if (number !== start.number || hash !== start.hash) find(number + 1, 'end');
        if (known !== null && known.number > number) find(known.number, 'known');
        const at = certificates.due.findIndex((line, index) => line !== certificates.listed[index]);
        const isListed = at === -1 && certificates.listed.length === certificates.due.length;
        if (!isListed) find(0, 'certificate');
        for (const [id, at] of removed.events) if (!removed.listed.has(id)) find(at, 'content');
      }
      const computers = [...(state.members?.computers.values() ?? [])].map((one) => ({
        computer: one.computer,
        email: one.email,
        role: findMember(state.members, one.computer)?.role ?? null,
        fingerprint: state.certificates.get(one.computer)?.signer.fingerprint ?? null,
        ...{ from: one.from, until: one.until },
      }));
      return {
        isWhole: refused === 0,
        ...{ team: start.team, entries: number, hash, leftOut, refused, findings, computers },
        removals,
      };
    },
  };
}
