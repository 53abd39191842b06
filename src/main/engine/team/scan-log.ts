import { headerOf } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import type { RemovalRest } from '../../../team-protocol/removal.ts';
import { headPart } from '../../../team-protocol/seal.ts';
import type { RemovedForTeam } from '../review/removed-reviews.ts';
import type { ReviewClaimRow } from '../store/user-data/reviews.ts';
import { openContent } from './read-entry.ts';
import { readPart } from './read-log.ts';
import { readRests } from './read-removal.ts';
import type { TeamClient } from './team-client.ts';
import type { TeamMembers } from './team-members.ts';

type Rest = Omit<RemovalRest, 'claims'> & { readonly claims: ReviewClaimRow[] };
type Keys = TeamMembers['keys'];

/** What the server's log has about an event or about what is left of events; nothing where it cannot be opened. */
async function* readRestsOf(client: TeamClient, entry: NumberedEntry, keys: Keys): AsyncGenerator<Rest> {
  const header = headerOf(entry);
  if (header === null || header.kind === 'membership') return;
  const isEvent = header.kind === 'event';
  const head = isEvent ? openContent(header, entry.head, headPart, keys) : null;
  if (isEvent && head === null) return;
  for (const part of header.parts.keys()) {
    if (!isEvent && part === 0) continue;
    const sealed = entry.parts[part] ?? (await readPart(client, header.id, part));
    const content = sealed === null ? null : openContent(header, sealed, part, keys);
    if (content === null) continue;
    if (!isEvent) yield* readRests(content.text) as Rest[];
    else
      yield {
        header: entry.header,
        signature: Buffer.from(entry.signature).toString('base64'),
        // The filter of a list may name somebody who was removed.
        head: JSON.stringify({ ...(JSON.parse(head?.text ?? '{}') as object), filter: null }),
        claims: JSON.parse(content.text) as ReviewClaimRow[],
      };
  }
}

/** An entry of the log that is about removed claims, and what is left of it. */
export interface TouchedEntry {
  readonly id: string;
  readonly rests: readonly RemovalRest[];
}

/**
 * Finds the entries of the server's log that are about removed claims, and what is left of each. The log is read, not what
 * is on this computer: it can lack what the team has. `isRemoved`: by tag, or by the values of an event. A claim that one
 * event shows to be removed is removed from all. Memory: the IDs of claims of the log, and what is left of touched entries.
 *
 * @throws DeskError `team.*`
 */
export async function scanLog(
  client: TeamClient,
  keys: Keys,
  isRemoved: RemovedForTeam,
): Promise<{ claimIds: number[]; touched: TouchedEntry[] }> {
  const removed = new Set<number>();
  const about: { number: number; claimIds: Float64Array }[] = [];
  for (let after = 0; ; ) {
    const page = await client.entries(after);
    if (page.length === 0) break;
    for (const entry of page) {
      const ids: number[] = [];
      for await (const { claims } of readRestsOf(client, entry, keys))
        for (const claim of claims) {
          ids.push(claim[0]);
          if (isRemoved(claim)) removed.add(claim[0]);
        }
      if (ids.length > 0) about.push({ number: entry.number, claimIds: Float64Array.from(ids) });
    }
    after = page.at(-1)?.number ?? after;
  }
  const touched: TouchedEntry[] = [];
  for (const { number, claimIds } of about) {
    if (!claimIds.some((claimId) => removed.has(claimId))) continue;
    const [entry] = await client.entries(number - 1, { count: 1 });
    const header = entry === undefined ? null : headerOf(entry);
    if (entry === undefined || header === null) continue;
    const rests: RemovalRest[] = [];
    for await (const rest of readRestsOf(client, entry, keys)) {
      const claims = rest.claims.filter((claim) => !removed.has(claim[0]));
      if (claims.length > 0) rests.push({ ...rest, claims });
    }
    touched.push({ id: header.id, rests });
  }
  return { claimIds: [...removed], touched };
}
