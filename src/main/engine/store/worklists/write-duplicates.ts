import type { FeedWarning } from '../../../../rules/review/duplicates.ts';
import type { Database } from '../file/database.ts';
import { readState, writeState } from '../record/state.ts';
import { deferredName } from '../sync/deferred-indexes.ts';
import type { Compared, FailedClaim, FoundPair } from './compare-claims.ts';
import { findGroupsContained } from './find-chains.ts';
import { findDuplicates } from './find-duplicates.ts';

/** If more than this share of the claims changed, all are compared again, because that is faster. */
const manyChanged = 0.1;
/**
 * If more than this share of a sync's claims are duplicates, the feed has a fault; fewer than a minimum number are
 * decided one by one.
 */
const feedShare = 0.05;
const minFeedClaims = 50;
const warningName = 'duplicates.feedWarning';

/** The result of a search for duplicates. */
export interface DuplicateFindings extends Compared {
  readonly failed: readonly FailedClaim[];
  /** The number of the last change that was processed. */
  readonly upTo: number;
  /** The claims that changed, with those they were related to and those they are equal to; null: all claims. */
  readonly concerned: readonly number[] | null;
  /** The claims that may be of one chain, and those whose group may have changed; null: all claims. */
  readonly chains: ReturnType<typeof findGroupsContained> & { readonly of: readonly number[] | null };
}

/** True while a first read has dropped the indexes of claims: everything is compared after it. */
export const hasNoIndexes = (database: Database): boolean => readState(database, deferredName) !== null;

/** Adds the claims that these are paired or in a group with, because the change may affect the relation. */
const withRelated = (database: Database, ids: readonly number[]): number[] =>
  database
    .prepare(
      `WITH wanted AS MATERIALIZED (SELECT value AS id FROM json_each(?))
       SELECT id FROM wanted
       UNION SELECT right_id FROM wanted CROSS JOIN duplicate_pairs ON left_id=id
       UNION SELECT left_id FROM wanted CROSS JOIN duplicate_pairs ON right_id=id
       UNION SELECT id FROM equal_claims WHERE fingerprint IN (
         SELECT fingerprint FROM equal_claims WHERE id IN (SELECT id FROM wanted))`,
    )
    .pluck()
    .all(JSON.stringify(ids)) as number[];

/** Adds the other claims in the groups of these claims, because the groups may split. */
const withChainMates = (database: Database, ids: readonly number[]): number[] =>
  database
    .prepare(
      `WITH wanted AS MATERIALIZED (SELECT value AS id FROM json_each(?)) SELECT id FROM wanted
       UNION SELECT mate.id FROM wanted CROSS JOIN claim_chains own USING (id)
         CROSS JOIN claim_chains mate ON mate.group_id=own.group_id`,
    )
    .pluck()
    .all(JSON.stringify(ids)) as number[];

/** Finds which of these claims could not be compared the last time. */
const listFailed = (database: Database, ids: readonly number[]): number[] =>
  database
    .prepare('SELECT id FROM failed_comparisons WHERE id IN (SELECT value FROM json_each(?))')
    .pluck()
    .all(JSON.stringify(ids)) as number[];

/** Compares the claims that changed; null where none did. For a thread that reads. */
export function lookForDuplicates(database: Database): DuplicateFindings | null | 'firstRead' {
  if (hasNoIndexes(database)) return 'firstRead';
  const upTo = database.prepare('SELECT max(seq) FROM changed_claims').pluck().get() as number | null;
  if (upTo === null) return null;
  const changed = database.prepare('SELECT DISTINCT id FROM changed_claims').pluck().all() as number[];
  const claims = database.prepare('SELECT count(*) FROM claims').pluck().get() as number;
  const isMany = changed.length > Math.max(1_000, claims * manyChanged);
  if (isMany)
    return {
      upTo,
      concerned: null,
      ...findDuplicates(database, null),
      chains: { ...findGroupsContained(database, null), of: null },
    };
  const ofChains = withChainMates(database, changed);
  const related = withRelated(database, [...changed, ...listFailed(database, ofChains)]);
  const { pairs, equals, failed } = findDuplicates(database, related);
  // A former pair may be found as part of a group.
  const concerned = new Set([...related, ...equals.flatMap(({ ids }) => ids)]);
  const isConcerned = ({ left, right }: FoundPair): boolean => concerned.has(left) || concerned.has(right);
  return {
    upTo,
    concerned: [...concerned],
    pairs: pairs.filter(isConcerned),
    equals,
    failed,
    chains: { ...findGroupsContained(database, ofChains), of: ofChains },
  };
}

/** The claims of the newest sync and of this search, as JSON text: a running sync is searched several times. */
function readBrought(database: Database, upTo: number): { count: number; ids: string } {
  const [count, ids] = database
    .prepare(
      `SELECT count(*), json_group_array(id) FROM (
         SELECT id FROM changed_claims WHERE seq<=?
         UNION SELECT id FROM sync_changes WHERE kind='claims' AND change IN ('new', 'changed', 'returned')
           AND run_id=(SELECT run_id FROM sync_change_counts ORDER BY seq DESC LIMIT 1))
       WHERE id IN (SELECT id FROM claims)`,
    )
    .raw()
    .get(upTo) as [number, string];
  return { count, ids };
}

/** SQL: whether the two claims of a pair cannot be of one chain. */
const isOfNoChain = `NOT EXISTS (SELECT 1 FROM claim_chains own JOIN claim_chains other USING (group_id)
  WHERE own.id=left_id AND other.id=right_id)`;

/**
 * Marks the pairs of a sync, and the groups of which it added most claims, as those of a faulty feed, or removes these
 * marks, and stores the warning.
 */
function checkFeed(database: Database, { count, ids }: { count: number; ids: string }, at: string): void {
  const brought = '(SELECT value FROM json_each(:ids))';
  const duplicates = database
    .prepare(
      `SELECT count(*) FROM json_each(:ids) WHERE value IN (
         SELECT left_id FROM duplicate_pairs WHERE ${isOfNoChain}
         UNION ALL SELECT right_id FROM duplicate_pairs WHERE ${isOfNoChain}
         UNION ALL SELECT id FROM equal_claims)`,
    )
    .pluck()
    .get({ ids }) as number;
  const isOfFeed = duplicates >= minFeedClaims && duplicates > count * feedShare;
  const marked = database
    .prepare(
      `UPDATE duplicate_pairs SET is_of_feed=:is WHERE is_of_feed<>:is
         AND (left_id IN ${brought} OR right_id IN ${brought}) RETURNING left_id, right_id`,
    )
    .raw()
    .all({ ids, is: Number(isOfFeed) }) as [number, number][];
  const groups = database
    .prepare(
      `UPDATE equal_groups SET is_of_feed=:is WHERE is_of_feed<>:is
         AND fingerprint IN (SELECT fingerprint FROM equal_claims GROUP BY fingerprint
           HAVING sum(id IN ${brought})*2>=count(*)) RETURNING fingerprint`,
    )
    .pluck()
    .all({ ids, is: Number(isOfFeed) }) as string[];
  database
    .prepare(
      `INSERT OR IGNORE INTO outdated_claims (id) SELECT value FROM json_each(?)
       UNION SELECT id FROM equal_claims WHERE fingerprint IN (SELECT value FROM json_each(?))`,
    )
    .run(JSON.stringify(marked.flat()), JSON.stringify(groups));
  if (!isOfFeed) return;
  writeState(database, warningName, { at, claims: count, duplicates } satisfies FeedWarning);
}

/** The warning about the feed; null after its claims were compared again and are no longer duplicates. */
export function readFeedWarning(database: Database): FeedWarning | null {
  const isThere = database
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM duplicate_pairs WHERE is_of_feed=1)
         OR EXISTS (SELECT 1 FROM equal_groups WHERE is_of_feed=1)`,
    )
    .pluck()
    .get();
  return isThere === 0 ? null : readState<FeedWarning>(database, warningName);
}

const within = (column: string, ids: string | null): string =>
  ids === null ? '1' : `${column} IN (SELECT value FROM json_each(:ids))`;

/** Replaces the pairs of these claims; returns the claims of each pair that changed. */
function writePairs(database: Database, pairs: readonly FoundPair[], ids: string | null): number[] {
  const columns = 'left_id, right_id, kind, fingerprint';
  const rows = database
    .prepare(
      `SELECT ${columns} FROM duplicate_pairs WHERE ${within('left_id', ids)}
       ${ids === null ? '' : `UNION SELECT ${columns} FROM duplicate_pairs WHERE ${within('right_id', ids)}`}`,
    )
    .raw()
    .all(ids === null ? {} : { ids }) as [number, number, ...unknown[]][];
  const before = new Map(rows.map((row) => [`${row[0]} ${row[1]}`, row]));
  const changed: number[] = [];
  // A pair that is found again keeps its mark of a faulty feed.
  const put = database.prepare(
    `INSERT INTO duplicate_pairs (${columns}, is_of_feed) VALUES (?, ?, ?, ?, 0)
     ON CONFLICT DO UPDATE SET kind=excluded.kind, fingerprint=excluded.fingerprint`,
  );
  for (const { left, right, kind, fingerprint } of pairs) {
    const row = [left, right, kind, fingerprint];
    const key = `${left} ${right}`;
    const storedRow = before.get(key);
    before.delete(key);
    if (storedRow?.every((cell, at) => cell === row[at])) continue;
    put.run(...row);
    changed.push(left, right);
  }
  const remove = database.prepare('DELETE FROM duplicate_pairs WHERE left_id=? AND right_id=?');
  for (const [left, right] of before.values()) {
    remove.run(left, right);
    changed.push(left, right);
  }
  return changed;
}

/** Does the same for groups of equal claims; returns the claims that are now in another group, or in none. */
function writeEquals(database: Database, equals: Compared['equals'], ids: string | null): number[] {
  const before = new Map(
    database
      .prepare(`SELECT id, fingerprint FROM equal_claims WHERE ${within('id', ids)}`)
      .raw()
      .all(ids === null ? {} : { ids }) as [number, string][],
  );
  const changed: number[] = [];
  const concerned = new Set<string>();
  const putGroup = database.prepare(
    'INSERT OR IGNORE INTO equal_groups (fingerprint, kind, is_of_feed, is_outdated) VALUES (?, ?, 0, 1)',
  );
  const put = database.prepare('INSERT OR REPLACE INTO equal_claims (id, fingerprint) VALUES (?, ?)');
  for (const { kind, fingerprint, ids: members } of equals) {
    putGroup.run(fingerprint, kind);
    for (const id of members) {
      const oldFingerprint = before.get(id);
      before.delete(id);
      if (oldFingerprint === fingerprint) continue;
      if (oldFingerprint !== undefined) concerned.add(oldFingerprint);
      concerned.add(fingerprint);
      put.run(id, fingerprint);
      changed.push(id);
    }
  }
  const remove = database.prepare('DELETE FROM equal_claims WHERE id=?');
  for (const [id, fingerprint] of before) {
    remove.run(id);
    concerned.add(fingerprint);
    changed.push(id);
  }
  const outdate = database.prepare('UPDATE equal_groups SET is_outdated=1 WHERE fingerprint=?');
  for (const fingerprint of concerned) outdate.run(fingerprint);
  database.exec(
    'DELETE FROM equal_groups WHERE NOT EXISTS (SELECT 1 FROM equal_claims WHERE fingerprint=equal_groups.fingerprint)',
  );
  return changed;
}

/** Replaces the stored reasons why these claims could not be compared. */
function writeFailed(database: Database, failed: readonly FailedClaim[], ids: string | null): void {
  database
    .prepare(`DELETE FROM failed_comparisons WHERE ${within('id', ids)}`)
    .run(ids === null ? {} : { ids });
  const put = database.prepare('INSERT OR REPLACE INTO failed_comparisons (id, why) VALUES (?, ?)');
  for (const { id, why } of failed) put.run(id, why);
}

/**
 * Replaces the groups of these claims; returns the claims that are now in another group, or in none. Claims whose groups could
 * not be found stay where they were.
 */
function writeChains(database: Database, { groups, of, failed }: DuplicateFindings['chains']): number[] {
  const ids = of === null ? null : JSON.stringify([...new Set([...of, ...groups.flat()])]);
  const before = new Map(
    database
      .prepare(`SELECT id, group_id FROM claim_chains WHERE ${within('id', ids)}`)
      .raw()
      .all(ids === null ? {} : { ids }) as [number, number][],
  );
  const put = database.prepare(
    `INSERT INTO claim_chains (id, group_id) VALUES (?, ?) ON CONFLICT DO UPDATE SET group_id=excluded.group_id`,
  );
  const changed: number[] = [];
  for (const group of groups)
    for (const id of group) {
      const oldGroup = before.get(id);
      before.delete(id);
      if (oldGroup === group[0]) continue;
      put.run(id, group[0]);
      changed.push(id);
    }
  for (const { id } of failed) before.delete(id);
  const remove = database.prepare('DELETE FROM claim_chains WHERE id=?');
  for (const id of before.keys()) {
    remove.run(id);
    changed.push(id);
  }
  return changed;
}

/** Replaces the stored duplicates of the same claims by these. Called by the writer, in its transaction. */
export function writeDuplicates(database: Database, findings: DuplicateFindings, at: string): void {
  const { concerned, upTo, pairs, equals, chains, failed } = findings;
  const brought = readBrought(database, upTo);
  database
    .prepare('INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM changed_claims WHERE seq<=?')
    .run(upTo);
  database.prepare('DELETE FROM changed_claims WHERE seq<=?').run(upTo);
  const ids = concerned === null ? null : JSON.stringify(concerned);
  const changed = [
    ...writePairs(database, pairs, ids),
    ...writeEquals(database, equals, ids),
    ...writeChains(database, chains),
  ];
  database
    .prepare('INSERT OR IGNORE INTO outdated_claims (id) SELECT value FROM json_each(?)')
    .run(JSON.stringify(changed));
  writeFailed(database, [...failed, ...chains.failed], ids);
  checkFeed(database, brought, at);
}
