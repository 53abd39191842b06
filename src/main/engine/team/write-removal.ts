import { randomUUID } from 'node:crypto';
import { type ClaimTag, createClaimTags, writeTags } from '../../../team-protocol/claim-tags.ts';
import { maxClaimsOfPart } from '../../../team-protocol/entry.ts';
import {
  maxRemovedEntries,
  maxTags,
  type RemovalAct,
  type RemovalRest,
  type RemovalRule,
  type RemovalStatement,
  writeRemoval,
} from '../../../team-protocol/removal.ts';
import { DeskError } from '../../lib/errors.ts';
import { addRemoval, noRules } from '../store/sync/retention.ts';
import { toInline } from './entry-parts.ts';
import { findRemovedBy, type KnownRemoval } from './known-removals.ts';
import { createPartSealer, type EntryAuthor, type OpenEntry, postOpenEntry } from './post-open-entry.ts';
import type { TeamLog } from './pull-log.ts';
import { readClaim, readLostRests, scanLog, type TouchedEntry } from './scan-log.ts';
import { newestKey } from './team-members.ts';

export interface RemovalAuthor extends EntryAuthor {
  readonly log: TeamLog;
}

/** The content of a part, how many claims it counts, and the entries whose rests are in it. */
interface PartText {
  readonly text: string;
  readonly count: number;
  readonly claimIds?: readonly number[];
}

/** @throws DeskError `team.notMember` */
function tagsOf({ log, team }: Pick<RemovalAuthor, 'log' | 'team'>): ClaimTag {
  const firstKey = log.state.members.keys.get(1);
  if (firstKey === undefined) throw new DeskError('team.notMember');
  return createClaimTags(firstKey, team);
}

/** An entry of kind removal with its sealed parts. @throws DeskError `team.notMember` */
function prepare(author: RemovalAuthor, act: RemovalAct, parts: readonly PartText[]): OpenEntry {
  const key = newestKey(author.log.state.members, author.computer);
  if (key === null) throw new DeskError('team.notMember');
  const id = randomUUID();
  const sealPart = createPartSealer(author.team, id, key);
  const claimIds = parts.flatMap((part) => part.claimIds ?? []);
  return {
    ...{ id, kind: 'removal', tags: writeTags(claimIds, tagsOf(author)), head: writeRemoval(act) },
    parts: parts.map(({ text, count }, part) => sealPart(text, count, part)),
  };
}

/** Sends an entry of kind removal. @throws DeskError `team.*` */
export const postRemovalEntry = (...entry: Parameters<typeof prepare>): Promise<void> =>
  postOpenEntry(entry[0], prepare(...entry));

/** Divides the rests of entries into parts. */
function toParts(touched: readonly TouchedEntry[]): PartText[] {
  const parts: { rests: RemovalRest[]; count: number }[] = [];
  for (const rest of touched.flatMap(({ rests }) => rests)) {
    const last = parts.at(-1);
    const count = rest.claims.lines.length;
    if (last === undefined || last.count + count > maxClaimsOfPart) parts.push({ rests: [rest], count });
    else {
      last.rests.push(rest);
      last.count += count;
    }
  }
  return parts.map(({ rests, count }) => ({
    ...{ text: JSON.stringify(rests), count },
    claimIds: rests.flatMap(({ claims }) => claims.lines.map((line) => readClaim(line)[0])),
  }));
}

/** The fields that all entries of a removal share. */
type Said = Pick<RemovalStatement, 'removal' | 'rule' | 'reason' | 'at'>;

/**
 * Sends a removal: in one entry, which the server accepts with all of its parts or not at all. If that would be too
 * large, the rests of the entries and the tags are sent first, and then the lists of what is deleted: a process that is
 * killed between two of them loses nothing, and the next start sends the others.
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
    const whole = prepare(author, { act: 'remove', entries: ids }, [state(tags, true), ...rests]);
    if (!toInline(whole.parts.map(({ sealed }) => sealed)).includes(null))
      return postOpenEntry(author, whole);
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

/**
 * `claimIds`: the claims that this computer knows the rule to match. `areAll`: it has the reviews of all entries that
 * it has read, so the log has no others.
 */
export interface WantedRemoval {
  readonly rule: RemovalRule;
  readonly reason: string;
  readonly claimIds: readonly number[];
  readonly areAll: boolean;
}

/** Entries of up to this many claims are requested by their tags; for more, the whole log is read. */
const maxTaggedClaims = 20_000;

/** Removes for the team. @throws DeskError `team.*` */
export async function removeForTeam(
  author: RemovalAuthor,
  { rule, reason, claimIds, areAll }: WantedRemoval,
): Promise<string> {
  const { client, log } = author;
  const said = { removal: randomUUID(), rule, reason, at: new Date(client.now()).toISOString() };
  const isTagged =
    areAll &&
    rule.kind !== 'everything' &&
    log.state.waiting.size === 0 &&
    claimIds.length <= maxTaggedClaims;
  await removeFound(author, said, claimIds, true, { isTagged });
  return said.removal;
}

/**
 * Removes from the log what is about these claims, or matches the rule; without claims, only if `isNew`. `lost`:
 * entries of this removal that the server lost and did not accept again. `isTagged`: there are no other claims, so only
 * their entries are read.
 */
async function removeFound(
  author: RemovalAuthor,
  said: Said,
  claimIds: readonly number[],
  isNew: boolean,
  {
    lost = [],
    isTagged = false,
  }: { readonly lost?: readonly KnownRemoval[]; readonly isTagged?: boolean } = {},
): Promise<void> {
  const { team, log, client } = author;
  const { keys } = log.state.members;
  const tagOf = tagsOf(author);
  const knownClaims = new Set(claimIds);
  const { tags, rules } = log.state.removals;
  const byRule = findRemovedBy({ tags: new Set(), rules: addRule(said.rule) }, team, keys);
  const before = isNew ? () => false : findRemovedBy({ tags, rules }, team, keys);
  const scan = await scanLog(
    client,
    keys,
    (claim) => knownClaims.has(claim[0]) || byRule(claim) || before(claim),
    isTagged ? claimIds.map(tagOf) : null,
  );
  const due = [...new Set([...knownClaims, ...scan.claimIds])].map(tagOf);
  // A removal of everything needs no tags.
  const fresh = said.rule.kind === 'everything' ? [] : due.filter((tag) => isNew || !tags.has(tag));
  const inLog = new Set(scan.touched.map(({ id }) => id));
  const all = findRemovedBy({ tags, rules }, team, keys);
  const frames = lost.map(({ frame }) => frame);
  const ofLost = (await readLostRests(frames, keys, all)).filter(({ id }) => !inLog.has(id));
  if (isNew || scan.touched.length + fresh.length > 0)
    await postRemoval(author, said, fresh.sort(), [...scan.touched, ...ofLost]);
}

const addRule = (rule: RemovalRule) => addRemoval(noRules, rule);

/**
 * Completes removals: those that this computer, or with `isStart` any other, did not send completely, those that the
 * server lost and did not accept again, and those with new entries by authors who had not read them. Only an admin's
 * computer does so. Returns whether it sent anything.
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
  for (const removalEntry of log.state.removals.all)
    if (removalEntry.says !== null)
      byRemoval.set(removalEntry.says.removal, [
        ...(byRemoval.get(removalEntry.says.removal) ?? []),
        removalEntry,
      ]);
  let isSent = false;
  for (const entries of byRemoval.values()) {
    const isWhole = entries.some(({ says }) => says?.isLast === true);
    const isMisplaced = entries.some(({ id }) => log.state.misplaced.has(id));
    const isDue = isMisplaced || entries.some((entry) => entry.isDue) || (ports.isStart && !isWhole);
    const [{ says }] = entries as [KnownRemoval];
    if (!isDue || says === null) continue;
    const { removal, rule, reason, at } = says;
    await removeFound(
      author,
      { removal, rule, reason, at },
      await ports.findClaims(rule),
      isMisplaced || !isWhole,
      { lost: isMisplaced ? entries : [] },
    );
    for (const { id } of entries) log.state.misplaced.delete(id);
    await ports.endDue(entries.map(({ id }) => id));
    isSent = true;
  }
  if (isSent) await log.readRemovals();
  return isSent;
}
