import { maxPageBytes, maxPageEntries } from '../../../team-protocol/api.ts';
import { nextChainHash } from '../../../team-protocol/chain.ts';
import { headPart } from '../../../team-protocol/commitment.ts';
import { type Entry, headerOf, readHeader } from '../../../team-protocol/entry.ts';
import { type SealingKey, seal } from '../../../team-protocol/seal.ts';
import { isSignedBy } from '../../../team-protocol/sign-entry.ts';
import { DeskError } from '../../lib/errors.ts';
import { toPart } from '../review/signed-entry.ts';
import { readCertificates, readGroups, type WrittenEvent, writeTexts } from '../review/write-entries.ts';
import { unpackProof } from '../store/file/packed-proofs.ts';
import { toInline } from './entry-parts.ts';
import type { TeamLog } from './pull-log.ts';
import type { PushPorts } from './push-events.ts';
import { rebuildRemoval } from './reseal-removal.ts';
import { type TeamClient, toTeamError } from './team-client.ts';
import { newestKey } from './team-members.ts';

/** Errors after which an entry is sent again later. After others, the log has it or will never accept it. */
const laterCodes: readonly string[] = [
  'entry.ahead',
  'generation.old',
  'generation.unknown',
  'quota.reached',
];

/**
 * Sends entries that the server lost, in their original order: memberships, and entries of other authors with their
 * signatures, sealed again. This computer's events are sent by `pushEvents`, parts that do not fit into an entry by
 * `pushMissing`. What was sent is recorded, so that this continues after a restart. Returns whether anything was sent.
 * @throws DeskError `team.*`
 */
export async function giveBack(
  { workspaceId, team, computer, userData }: PushPorts,
  log: TeamLog,
  client: TeamClient,
): Promise<boolean> {
  if (!log.state.hasLost) return false;
  const certificates = await readCertificates(userData, workspaceId);

  /** An event as its author's computer sent it; null if it is not complete here, or not signed for this team. */
  const rebuild = async (written: WrittenEvent, key: SealingKey): Promise<Entry | null> => {
    const { id, proof: packed } = written.event;
    const proof = packed === null ? null : unpackProof(packed);
    const certificate = certificates.get(proof?.certificate ?? '');
    if (proof === null || certificate?.team !== team) return null;
    const salt = Buffer.from(proof.salt, 'base64url');
    const { at, seen, tags } = proof;
    const { computer: author } = certificate.signer;
    const { header, head } = await writeTexts(written, salt, { computer: author, team, at, seen, tags });
    const signature = Buffer.from(proof.signature, 'base64url');
    const count = readHeader(header)?.parts.length;
    if (count === undefined || !(await isSignedBy(header, signature, certificate.key))) return null;
    const sealAt = (content: string, part: number): Buffer =>
      seal({ text: content, salt }, { team, entryId: id, part }, key);
    let parts: (Buffer | null)[] = Array.from({ length: count }, () => null);
    for await (const { claims } of count === 1 ? written.readParts() : [])
      parts = toInline([sealAt(toPart(claims), 0)]);
    return { header, signature, head: sealAt(head, headPart), parts };
  };
  /** Lost events that change settings. */
  const settings = new Set<string>();
  const find = async (id: string, key: SealingKey): Promise<Entry | null> => {
    for await (const [written] of readGroups(userData, workspaceId, { id }))
      if (written !== undefined) {
        if (written.event.kind === 'teamSettings') settings.add(id);
        return rebuild(written, key);
      }
    return null;
  };

  let isSent = false;
  for (;;) {
    const lost = await userData.call('readLost', { workspaceId, limit: maxPageEntries });
    const key = newestKey(log.state.members, computer);
    if (key === null) throw new DeskError('team.notMember');
    const entries: Entry[] = [];
    const hashes = new Map<number, string>();
    let { number: last, hash } = log.state.position;
    /** Whether the log has, or will have with these entries, what the author of an entry had seen. */
    const isSeen = async (entry: Entry): Promise<boolean> => {
      const seen = headerOf(entry)?.seen;
      if (seen == null) return false;
      const [here] = hashes.has(seen.number) ? [] : await log.readHashes(seen.number);
      return (hashes.get(seen.number) ?? (here?.number === seen.number && here.hash)) === seen.hash;
    };
    let [bytes, upTo, isMembership] = [0, -1, false];
    for (const { number, id, ...membership } of lost) {
      upTo = number;
      isMembership = membership.header !== null;
      const entry =
        membership.header === null
          ? (rebuildRemoval(id, log.state.removals.all, log.state.members.keys, key) ?? (await find(id, key)))
          : { ...membership, signature: Buffer.from(membership.signature, 'base64url'), parts: [] };
      // Settings by others do not count at another position: their author sends them again.
      if (entry === null || (settings.has(id) && !(await isSeen(entry)))) continue;
      entries.push(entry);
      last += 1;
      hash = nextChainHash(hash, last, entry);
      hashes.set(last, hash);
      bytes += entry.parts[0]?.length ?? 0;
      // Entries after a membership may need the team key that it contains.
      if (isMembership || bytes > maxPageBytes) break;
    }
    const { results } = entries.length === 0 ? { results: [] } : await client.post(entries);
    for (const [index, result] of results.entries()) {
      const { id = '', kind = '' } = headerOf(entries[index] as Entry) ?? {};
      if ('error' in result && result.error.code === 'entry.notInPlace' && kind === 'removal')
        log.state.misplaced.add(id);
      if ('error' in result && laterCodes.includes(result.error.code)) throw toTeamError(result.error.code);
      isSent = true;
    }
    await userData.call('forgetLost', { workspaceId, upTo });
    if (isMembership) await log.pull();
    if (lost.length === 0) break;
  }
  log.state.hasLost = false;
  return isSent;
}
