import { maxWantedTags } from '../../../team-protocol/api.ts';
import { headPart, removeLines, toRest } from '../../../team-protocol/commitment.ts';
import { headerOf, readHeader } from '../../../team-protocol/entry.ts';
import { type NumberedEntry, readNumbered } from '../../../team-protocol/frame.ts';
import { headLines, type RemovalRest, readRemoval } from '../../../team-protocol/removal.ts';
import type { RemovedForTeam } from '../review/removed-reviews.ts';
import type { ReviewClaimRow } from '../store/user-data/write-event.ts';
import { readPart } from './entry-parts.ts';
import { openContent } from './read-event.ts';
import { readPages } from './read-log.ts';
import { readRests } from './read-removal.ts';
import type { TeamClient } from './team-client.ts';
import type { TeamMembers } from './team-members.ts';

type Keys = TeamMembers['keys'];

/** Reads the log's content of an event, or a removal's rests; nothing if it can't be opened. */
async function* readRestsOf(
  client: TeamClient,
  entry: NumberedEntry,
  keys: Keys,
): AsyncGenerator<RemovalRest> {
  const header = headerOf(entry);
  if (header === null || header.kind === 'membership' || header.kind === 'checkpoint') return;
  const isEvent = header.kind === 'event';
  const head = isEvent ? openContent(header, entry.head, headPart, keys) : null;
  if (isEvent && head === null) return;
  for (const part of header.parts.keys()) {
    if (!isEvent && part === 0) continue;
    const sealed = entry.parts[part] ?? (await readPart(client, header, part, keys));
    const content = sealed === null ? null : openContent(header, sealed, part, keys);
    if (content === null) continue;
    if (head === null) yield* readRests(content.text);
    else {
      const signature = Buffer.from(entry.signature).toString('base64');
      const rest = { head: toRest(head, headPart), part, claims: toRest(content, part) };
      yield { header: entry.header, signature, ...rest };
    }
  }
}

export const readClaim = (line: string): ReviewClaimRow => JSON.parse(line) as ReviewClaimRow;

/** Returns a rest without the claims that were removed; null: nothing is left. */
function withoutRemoved(
  rest: RemovalRest,
  isRemoved: (claim: ReviewClaimRow) => boolean,
): RemovalRest | null {
  const [count = 0] = readHeader(rest.header)?.parts[rest.part] ?? [];
  const claims = removeLines(rest.claims, count, (line) => !isRemoved(readClaim(line)));
  // The filter of a list may name a removed member.
  const [fields] = rest.head.lines;
  const head = removeLines(rest.head, headLines, (line) => line === fields);
  return claims.lines.length === 0 ? null : { ...rest, head, claims };
}

/** An entry of the log that is about removed claims, and its rest. */
export interface TouchedEntry {
  readonly id: string;
  readonly rests: readonly RemovalRest[];
}

/**
 * Finds the entries of the server's log that are about removed claims, and the rest of each. It reads the log, not what
 * is on this computer, which may lack what the team has. `isRemoved`: by tag, or by the values of an event. A claim
 * that one event shows to be removed is removed from all. `tags`: those of all claims that are removed; null if there
 * may be others, so that the whole log is read. It needs memory for the IDs of claims in what is read, and the rests of
 * affected entries.
 * @throws DeskError `team.*`
 */
export async function scanLog(
  client: TeamClient,
  keys: Keys,
  isRemoved: RemovedForTeam,
  tags: readonly string[] | null,
): Promise<{ claimIds: number[]; touched: TouchedEntry[] }> {
  const removed = new Set<number>();
  const about: { number: number; claimIds: Float64Array }[] = [];
  const seen = new Set<number>();
  // The tags are sent in several requests.
  const lists = Array.from({ length: Math.ceil((tags ?? []).length / maxWantedTags) }, (_none, index) =>
    (tags ?? []).slice(index * maxWantedTags, (index + 1) * maxWantedTags),
  );
  const reads =
    tags === null ? [client.entries] : lists.map((list) => (after: number) => client.tagged(after, list));
  for (const read of reads)
    for await (const page of readPages(read))
      for (const entry of page) {
        // Several lists of tags may find the same entry.
        if (seen.has(entry.number)) continue;
        if (tags !== null) seen.add(entry.number);
        const ids: number[] = [];
        for await (const { claims } of readRestsOf(client, entry, keys))
          for (const claim of claims.lines.map(readClaim)) {
            ids.push(claim[0]);
            if (isRemoved(claim)) removed.add(claim[0]);
          }
        if (ids.length > 0) about.push({ number: entry.number, claimIds: Float64Array.from(ids) });
      }
  const touched: TouchedEntry[] = [];
  for (const { number, claimIds } of about) {
    if (!claimIds.some((claimId) => removed.has(claimId))) continue;
    const [entry] = await client.entries(number - 1, { count: 1 });
    const header = entry === undefined ? null : headerOf(entry);
    if (entry === undefined || header === null) continue;
    const rests: RemovalRest[] = [];
    for await (const rest of readRestsOf(client, entry, keys)) {
      const left = withoutRemoved(rest, (claim) => removed.has(claim[0]));
      if (left !== null) rests.push(left);
    }
    touched.push({ id: header.id, rests });
  }
  return { claimIds: [...removed], touched };
}

/**
 * Reads, from removals that the server lost, the rests of entries that it lost as well and that no computer can send
 * again in full.
 */
export async function readLostRests(
  frames: readonly Uint8Array[],
  keys: Keys,
  isRemoved: RemovedForTeam,
): Promise<TouchedEntry[]> {
  const touched = new Map<string, RemovalRest[]>();
  for (const entry of frames.flatMap((frame) => readNumbered(frame) ?? [])) {
    const header = headerOf(entry);
    const act = header === null ? null : readRemoval(header, entry.head);
    if (header === null || act?.act !== 'remove') continue;
    for (const id of act.entries) touched.set(id, touched.get(id) ?? []);
    for (const part of header.parts.keys()) {
      const sealed = part === 0 ? null : entry.parts[part];
      const content = sealed == null ? null : openContent(header, sealed, part, keys);
      for (const rest of content === null ? [] : readRests(content.text)) {
        const left = withoutRemoved(rest, isRemoved);
        const id = readHeader(rest.header)?.id;
        if (left !== null && id !== undefined) touched.set(id, [...(touched.get(id) ?? []), left]);
      }
    }
  }
  return [...touched].map(([id, rests]) => ({ id, rests }));
}
