import { randomUUID } from 'node:crypto';
import { maxInlineBytes } from '../../../team-protocol/api.ts';
import { type Entry, maxClaimsOfPart, protocolVersion, writeHeader } from '../../../team-protocol/entry.ts';
import {
  deriveTagKey,
  maxRemovedEntries,
  maxTags,
  type RemovalAct,
  type RemovalRest,
  type RemovalRule,
  type RemovalStatement,
  tagOf,
  writeRemoval,
} from '../../../team-protocol/removal.ts';
import { commitTo, makeSalt, seal } from '../../../team-protocol/seal.ts';
import type { EngineHost } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { addRemoval, noRules } from '../store/sync/retention.ts';
import { findRemovedBy, type KnownRemoval } from './known-removals.ts';
import type { TeamLog } from './pull-log.ts';
import { scanLog, type TouchedEntry } from './scan-log.ts';
import { type TeamClient, toTeamError } from './team-client.ts';
import { newestKey } from './team-members.ts';

export interface RemovalAuthor {
  readonly workspaceId: string;
  readonly team: string;
  readonly computer: string;
  readonly client: TeamClient;
  readonly log: TeamLog;
  readonly host: Pick<EngineHost, 'signHeaders'>;
}

/** A part's content, and how many claims it counts. */
interface PartText {
  readonly text: string;
  readonly count: number;
}

/** An entry of kind removal with all of its sealed parts. @throws DeskError `team.notMember` */
async function prepare(author: RemovalAuthor, act: RemovalAct, parts: readonly PartText[]) {
  const { workspaceId, team, computer, client, log, host } = author;
  const key = newestKey(log.state.members, computer);
  if (key === null) throw new DeskError('team.notMember');
  const { head, commitment } = writeRemoval(act);
  const [id, salt] = [randomUUID(), makeSalt()];
  const { number, hash } = log.state.position;
  const header = writeHeader({
    ...{ protocol: protocolVersion, team, id, kind: 'removal', computer },
    at: new Date(client.now()).toISOString(),
    seen: number === 0 ? null : { number, hash },
    head: commitment,
    parts: parts.map(({ text, count }, part) => [count, commitTo({ text, salt }, part)]),
  });
  const [signature = ''] = await host.signHeaders({ workspaceId, headers: [header] });
  const sealed = parts.map(({ text }, part) => seal({ text, salt }, { team, entryId: id, part }, key));
  return { id, entry: { header, signature: Buffer.from(signature, 'base64url'), head, parts: sealed } };
}

const isInline = (parts: readonly Uint8Array[]): boolean =>
  parts.reduce((sum, part) => sum + part.length, 0) <= maxInlineBytes;

async function send(client: TeamClient, { id, entry }: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  const isWhole = isInline(entry.parts);
  const posted: Entry = isWhole ? entry : { ...entry, parts: entry.parts.map(() => null) };
  const { results } = await client.post([posted]);
  if (results[0] !== undefined && 'error' in results[0]) throw toTeamError(results[0].error.code);
  if (!isWhole) for (const [part, sealed] of entry.parts.entries()) await client.putPart(id, part, sealed);
}

/** Sends an entry of kind removal. @throws DeskError `team.*` */
export const postRemovalEntry = async (
  author: RemovalAuthor,
  act: RemovalAct,
  parts: readonly PartText[],
): Promise<void> => send(author.client, await prepare(author, act, parts));

/** Puts what is left of entries into parts. */
function toParts(touched: readonly TouchedEntry[]): PartText[] {
  const parts: { rests: RemovalRest[]; count: number }[] = [];
  for (const rest of touched.flatMap(({ rests }) => rests)) {
    const last = parts.at(-1);
    const count = rest.claims.length;
    if (last === undefined || last.count + count > maxClaimsOfPart) parts.push({ rests: [rest], count });
    else {
      last.rests.push(rest);
      last.count += count;
    }
  }
  return parts.map(({ rests, count }) => ({ text: JSON.stringify(rests), count }));
}

/** What all entries of a removal say. */
type Said = Pick<RemovalStatement, 'removal' | 'rule' | 'reason' | 'at'>;

/**
 * Sends a removal: in one entry, which the server takes with all of its parts or not at all. Where that would be too
 * large, what is left of the entries, and the tags, are sent first, and then the lists of what is deleted: so a process
 * that is killed between two of them loses nothing, and the next start sends the others.
 */
async function postRemoval(
  author: RemovalAuthor,
  said: Said,
  tags: readonly string[],
  touched: readonly TouchedEntry[],
): Promise<void> {
  const state = (some: readonly string[], isLast: boolean): PartText => ({
    text: JSON.stringify({ ...said, tags: some.join(''), isLast } satisfies RemovalStatement),
    count: 1,
  });
  const ids = touched.map(({ id }) => id);
  const rests = toParts(touched);
  if (ids.length <= maxRemovedEntries && tags.length <= maxTags) {
    const whole = await prepare(author, { act: 'remove', entries: ids }, [state(tags, true), ...rests]);
    if (isInline(whole.entry.parts)) return send(author.client, whole);
  }
  for (let at = 0; at === 0 || at < tags.length; at += maxTags) {
    const parts = [state(tags.slice(at, at + maxTags), false), ...(at === 0 ? rests : [])];
    await postRemovalEntry(author, { act: 'remove', entries: [] }, parts);
  }
  for (let at = 0; at === 0 || at < ids.length; at += maxRemovedEntries) {
    const entries = ids.slice(at, at + maxRemovedEntries);
    const isLast = at + maxRemovedEntries >= ids.length;
    await postRemovalEntry(author, { act: 'remove', entries }, [state([], isLast)]);
  }
}

/** `claimIds`: those that this computer knows to be of the rule; the log may show others. */
export interface WantedRemoval {
  readonly rule: RemovalRule;
  readonly reason: string;
  readonly claimIds: readonly number[];
}

/** Removes for the team. @throws DeskError `team.*` */
export async function removeForTeam(
  author: RemovalAuthor,
  { rule, reason, claimIds }: WantedRemoval,
): Promise<string> {
  const { client } = author;
  const said = { removal: randomUUID(), rule, reason, at: new Date(client.now()).toISOString() };
  await removeFound(author, said, claimIds, true);
  return said.removal;
}

/** Removes from the log what is about these claims, or matches the rule; without any only where `isNew`. */
async function removeFound(
  author: RemovalAuthor,
  said: Said,
  claimIds: readonly number[],
  isNew: boolean,
): Promise<void> {
  const { team, log, client } = author;
  const { keys } = log.state.members;
  const firstKey = keys.get(1);
  if (firstKey === undefined) throw new DeskError('team.notMember');
  const known = new Set(claimIds);
  const { tags, rules } = log.state.removals;
  const byRule = findRemovedBy({ tags: new Set(), rules: addRule(said.rule) }, team, keys);
  const before = isNew ? () => false : findRemovedBy({ tags, rules }, team, keys);
  const found = await scanLog(client, keys, (claim) => known.has(claim[0]) || byRule(claim) || before(claim));
  const tagKey = deriveTagKey(firstKey, team);
  const due = [...new Set([...known, ...found.claimIds])].map((claimId) => tagOf(tagKey, claimId));
  // Everything needs no tags.
  const fresh = said.rule.kind === 'everything' ? [] : due.filter((tag) => !tags.has(tag));
  if (isNew || found.touched.length + fresh.length > 0)
    await postRemoval(author, said, fresh.sort(), found.touched);
}

const addRule = (rule: RemovalRule) => addRemoval(noRules, rule);

/**
 * Completes removals: those that this computer, or with `isStart` any other, did not send whole, and those about which
 * there are entries again, by somebody who had not read of them. Only an admin's computer does. Returns whether it sent
 * anything.
 *
 * @throws DeskError `team.*`
 */
export async function completeRemovals(
  author: RemovalAuthor,
  ports: {
    readonly isStart: boolean;
    readonly findClaims: (rule: RemovalRule) => Promise<number[]>;
    readonly endDue: (ids: readonly string[]) => Promise<unknown>;
  },
): Promise<boolean> {
  const { log } = author;
  const byRemoval = new Map<string, KnownRemoval[]>();
  for (const one of log.state.removals.all)
    if (one.says !== null) byRemoval.set(one.says.removal, [...(byRemoval.get(one.says.removal) ?? []), one]);
  let isSent = false;
  for (const entries of byRemoval.values()) {
    const isWhole = entries.some(({ says }) => says?.isLast === true);
    const isDue = entries.some((one) => one.isDue) || (ports.isStart && !isWhole);
    const [{ says }] = entries as [KnownRemoval];
    if (!isDue || says === null) continue;
    const { removal, rule, reason, at } = says;
    await removeFound(author, { removal, rule, reason, at }, await ports.findClaims(rule), !isWhole);
    await ports.endDue(entries.map(({ id }) => id));
    isSent = true;
  }
  if (isSent) await log.readRemovals();
  return isSent;
}
