import { nextChainHash } from '../../../team-protocol/chain.ts';
import { type EntryHeader, headerOf, maxOpenedBytes } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { readRemoval } from '../../../team-protocol/removal.ts';
import { DeskError } from '../../lib/errors.ts';
import type { FiledEntry } from '../review/filed-entry.ts';
import {
  isAhead,
  type Judged,
  noneJudged,
  type OpenedLog,
  type Reached,
  readNow,
  refuse,
} from './log-state.ts';
import { checkAuthor, checkSignatures, readEntry } from './read-entry.ts';
import { mayRemove, openRemoval } from './read-removal.ts';
import { toKeptFacts } from './team-facts.ts';
import { addMembership } from './team-members.ts';

/** Judges an entry of kind removal whose signature was checked. */
export async function judgeRemoval(
  log: Pick<OpenedLog, 'ports' | 'userData' | 'state'>,
  entry: NumberedEntry,
  header: EntryHeader,
  judged: Judged,
): Promise<void> {
  const { ports, userData, state } = log;
  const { id } = header;
  const isRemoved = state.removals.removedIds.has(id) || judged.removedIds.has(id);
  const read = await openRemoval(entry, header, judged.members, isRemoved);
  if (read.kind === 'refused') refuse(log, entry, false);
  else if (read.kind === 'incomplete') judged.waiting.push(entry);
  else {
    const statement = read.kind === 'removal' ? read.statement : null;
    judged.removals.push({ entry, id, statement });
    if (read.kind !== 'removal') return;
    for (const one of read.removedIds) judged.removedIds.add(one);
    const byId = new Map<string, FiledEntry[]>();
    for (const rest of read.rests) byId.set(rest.id, [...(byId.get(rest.id) ?? []), rest]);
    const known = await userData.call('findKnownEntries', {
      workspaceId: ports.workspaceId,
      entries: [...byId.keys()].map((one) => ({ id: one, claimIds: [] })),
    });
    // What is here has been removed in part, or will be.
    for (const one of known) byId.delete(one.id);
    for (const filed of byId.values()) judged.ready.push({ number: entry.number, entry, filed, facts: [] });
  }
}

/**
 * Checks the chain and the entries of a page, and returns what is to be written. Ends before the end of the page where
 * what it opened is long: a small page can hold very large texts.
 */
export async function judgePage(
  log: OpenedLog,
  page: readonly NumberedEntry[],
  before: Reached,
): Promise<Judged> {
  const { ports, state } = log;
  const judged = noneJudged(await readNow(log), before);
  const check = checkSignatures(page, before.members);
  let opened = 0;
  for (const entry of page) {
    if (opened > maxOpenedBytes) break;
    const { number, hash, root } = judged.position;
    if (entry.number !== number + 1 || nextChainHash(hash, entry.number, entry) !== entry.hash)
      throw new DeskError('team.serverDiffers');
    if (entry.number === 1 && root !== null && root !== entry.hash) throw new DeskError('team.serverDiffers');
    const header = headerOf(entry);
    const { members } = judged;
    const isFirst = members.members === null;
    const after =
      header?.kind === 'membership' ? await addMembership(members, entry, ports.members) : members;
    if (header?.kind === 'removal' && !isFirst) {
      const act = readRemoval(header, entry.head);
      const isAllowed = act !== null && mayRemove(act, header, members);
      if (isAllowed && (await checkAuthor(entry, header, members, check)) === null)
        await judgeRemoval(log, entry, header, judged);
      else refuse(log, entry, false);
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
    } else if (read.kind === 'refused') refuse(log, entry, read.isByAuthor);
    else if (isRemoved) judged.removedIds.add(header?.id ?? '');
    else if (read.kind === 'event' && !isAhead(header, judged.nowMs)) {
      const facts = toKeptFacts(entry, read.filed, members.members, ports.members.computer);
      judged.ready.push({ number: entry.number, entry, filed: read.filed, facts });
    } else judged.waiting.push(entry);
    if (isFirst && read.kind !== 'membership') throw new DeskError('team.serverDiffers');
    judged.position = { ...judged.position, number: entry.number, hash: entry.hash };
  }
  return judged;
}
