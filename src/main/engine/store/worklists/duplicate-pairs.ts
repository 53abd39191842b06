import type { DuplicateKind, DuplicatePair, FeedWarning } from '../../../../contract/duplicates.ts';
import type { Connection } from '../file/connection.ts';
import { type FoundPair, findDuplicates } from './find-duplicates.ts';

/** Of more changed claims than this share, all are compared again: one pass over all is then the faster one. */
const manyChanged = 0.1;
/** More duplicates than this share of what a sync brought are a fault of the feed; fewer than so many are judged singly. */
const feedShare = 0.05;
const minFeedClaims = 50;
const warningName = 'duplicates.feedWarning';

/** What a look for duplicates found. `changed` is null where all claims were compared. */
export interface DuplicateFindings {
  /** The changes that were looked at, by their number. */
  readonly upTo: number;
  readonly changed: readonly number[] | null;
  readonly pairs: readonly FoundPair[];
}

/** True while a first read has dropped the indexes of claims: everything is compared when it is over. */
export const hasNoIndexes = (connection: Connection): boolean =>
  connection.prepare("SELECT 1 FROM sync_state WHERE name='deferredIndexes'").get() !== undefined;

/** Compares the claims that changed; null where none did. For a thread that reads. */
export function lookForDuplicates(connection: Connection): DuplicateFindings | null | 'firstRead' {
  if (hasNoIndexes(connection)) return 'firstRead';
  const upTo = connection.prepare('SELECT max(seq) FROM changed_claims').pluck().get() as number | null;
  if (upTo === null) return null;
  const changed = connection.prepare('SELECT DISTINCT id FROM changed_claims').pluck().all() as number[];
  const claims = connection.prepare('SELECT count(*) FROM claims').pluck().get() as number;
  const isMany = changed.length > Math.max(1_000, claims * manyChanged);
  return {
    upTo,
    changed: isMany ? null : changed,
    pairs: findDuplicates(connection, isMany ? null : changed),
  };
}

/** What a person said of a pair, as long as nothing that was compared has changed. */
const judgedSql = `SELECT is_duplicate FROM judged_pairs
  WHERE left_id=pair.left_id AND right_id=pair.right_id AND fingerprint=pair.fingerprint`;

/** True of a pair that counts as a duplicate: not judged yet, no adjustment, and neither claim replaced by one. */
export const isOpenSql = `pair.kind<>'adjustment' AND NOT EXISTS (${judgedSql}) AND NOT EXISTS (
  SELECT 1 FROM duplicate_pairs WHERE kind='adjustment' AND (
    (left_id IN (pair.left_id, pair.right_id) AND is_left_replaced=1)
    OR (right_id IN (pair.left_id, pair.right_id) AND is_right_replaced=1)))`;

/** The facts of both claims of a pair follow from it. */
function outdatePairs(connection: Connection, changed: readonly number[] | null): void {
  const ids = changed === null ? null : JSON.stringify(changed);
  const isOf = (side: string): string =>
    ids === null ? '' : `WHERE ${side} IN (SELECT value FROM json_each(?))`;
  for (const [own, other] of [
    ['left_id', 'right_id'],
    ['right_id', 'left_id'],
  ] as const)
    connection
      .prepare(`INSERT OR IGNORE INTO outdated_claims (id) SELECT ${other} FROM duplicate_pairs ${isOf(own)}`)
      .run(...(ids === null ? [] : [ids]));
}

/** The claims of the newest sync with those of this look, as JSON text: a sync is looked at several times while it runs. */
function readBrought(connection: Connection, upTo: number): { count: number; ids: string } {
  const [count, ids] = connection
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

/** Marks the pairs of a sync as those of a feed with a fault, or not any more, and keeps the warning. */
function judgeFeed(connection: Connection, { count, ids }: { count: number; ids: string }, at: string): void {
  const brought = '(SELECT value FROM json_each(:ids))';
  const duplicates = connection
    .prepare(
      `SELECT count(*) FROM json_each(:ids) WHERE value IN (
         SELECT left_id FROM duplicate_pairs WHERE kind<>'adjustment'
         UNION ALL SELECT right_id FROM duplicate_pairs WHERE kind<>'adjustment')`,
    )
    .pluck()
    .get({ ids }) as number;
  const isOfFeed = duplicates >= minFeedClaims && duplicates > count * feedShare;
  const marked = connection
    .prepare(
      `UPDATE duplicate_pairs SET is_of_feed=:is WHERE kind<>'adjustment' AND is_of_feed<>:is
         AND (left_id IN ${brought} OR right_id IN ${brought}) RETURNING left_id, right_id`,
    )
    .raw()
    .all({ ids, is: Number(isOfFeed) }) as [number, number][];
  connection
    .prepare('INSERT OR IGNORE INTO outdated_claims (id) SELECT value FROM json_each(?)')
    .run(JSON.stringify(marked.flat()));
  if (!isOfFeed) return;
  const warning: FeedWarning = { at, claims: count, duplicates };
  connection
    .prepare('INSERT OR REPLACE INTO sync_state (name, value) VALUES (?, ?)')
    .run(warningName, JSON.stringify(warning));
}

/** Keeps what was found in place of what was known of the same claims. For the writer, in its transaction. */
export function writeDuplicates(connection: Connection, findings: DuplicateFindings, at: string): void {
  const { changed, pairs, upTo } = findings;
  const brought = readBrought(connection, upTo);
  outdatePairs(connection, changed);
  connection
    .prepare('INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM changed_claims WHERE seq<=?')
    .run(upTo);
  connection.prepare('DELETE FROM changed_claims WHERE seq<=?').run(upTo);
  const ofFeed = new Set(
    connection
      .prepare("SELECT left_id||' '||right_id FROM duplicate_pairs WHERE is_of_feed=1")
      .pluck()
      .all() as string[],
  );
  if (changed === null) connection.exec('DELETE FROM duplicate_pairs');
  else {
    const ids = JSON.stringify(changed);
    for (const side of ['left_id', 'right_id'])
      connection
        .prepare(`DELETE FROM duplicate_pairs WHERE ${side} IN (SELECT value FROM json_each(?))`)
        .run(ids);
  }
  const insert = connection.prepare(
    `INSERT INTO duplicate_pairs (left_id, right_id, kind, payable, is_left_replaced, is_right_replaced, is_of_feed,
       fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { left, right, kind, payable, replaced, fingerprint } of pairs) {
    const isOfFeed = kind !== 'adjustment' && ofFeed.has(`${left} ${right}`);
    insert.run(
      left,
      right,
      kind,
      payable,
      Number(replaced.left),
      Number(replaced.right),
      Number(isOfFeed),
      fingerprint,
    );
  }
  outdatePairs(connection, changed);
  judgeFeed(connection, brought, at);
}

/** The warning about the feed; null once its claims were compared again and are no duplicates any more. */
export function readFeedWarning(connection: Connection): FeedWarning | null {
  if (connection.prepare('SELECT 1 FROM duplicate_pairs WHERE is_of_feed=1 LIMIT 1').get() === undefined)
    return null;
  const value = connection.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(warningName);
  return typeof value === 'string' ? (JSON.parse(value) as FeedWarning) : null;
}

/** What two claims are that were compared; null where they do not relate. */
export function findFingerprint(
  connection: Connection,
  { claimId, otherClaimId }: { readonly claimId: number; readonly otherClaimId: number },
): string | null {
  const found = connection
    .prepare('SELECT fingerprint FROM duplicate_pairs WHERE left_id=? AND right_id=?')
    .pluck()
    .get(Math.min(claimId, otherClaimId), Math.max(claimId, otherClaimId));
  return (found as string | undefined) ?? null;
}

export interface StoredPair {
  readonly left: number;
  readonly right: number;
  readonly kind: DuplicateKind;
  readonly payable: number;
  readonly fingerprint: string;
  readonly judged: DuplicatePair['judged'];
}

/** What the column of duplicates says, the strongest first; pairs of a feed with a warning are called so. */
export const duplicateLabels = {
  sameClaim: 'Same claim twice',
  exact: 'Exact',
  suspected: 'Suspected',
} as const;
export const feedLabel = 'Many in one sync';

/** Of these claims, those with an open duplicate: what kind the strongest is, and the largest amount payable twice. */
export function strongestDuplicates(
  connection: Connection,
  ids: readonly number[],
): Map<number, { label: string; payable: number }> {
  const rows = connection
    .prepare(
      `WITH wanted AS (SELECT value AS id FROM json_each(?)),
         pairs AS (
           SELECT wanted.id, pair.* FROM wanted CROSS JOIN duplicate_pairs pair ON pair.left_id=wanted.id
           UNION ALL SELECT wanted.id, pair.* FROM wanted CROSS JOIN duplicate_pairs pair ON pair.right_id=wanted.id)
       SELECT id, kind, payable, is_of_feed AS isOfFeed FROM pairs pair WHERE ${isOpenSql}`,
    )
    .all(JSON.stringify(ids)) as {
    id: number;
    kind: keyof typeof duplicateLabels;
    payable: number;
    isOfFeed: number;
  }[];
  const found = new Map<number, { label: string; payable: number }>();
  const order: readonly string[] = [...Object.values(duplicateLabels), feedLabel];
  for (const { id, kind, payable, isOfFeed } of rows) {
    const known = found.get(id);
    const label = isOfFeed === 1 ? feedLabel : duplicateLabels[kind];
    const isStronger = known === undefined || order.indexOf(label) < order.indexOf(known.label);
    found.set(id, {
      label: isStronger ? label : known.label,
      payable: Math.max(payable, known?.payable ?? 0),
    });
  }
  return found;
}

/**
 * The pairs of one claim, what would be paid twice most first; then those that a person judged, and adjustments. Left
 * out are pairs with a claim that an adjustment replaced.
 */
export function pairsOfClaim(connection: Connection, claimId: number): StoredPair[] {
  const rows = connection
    .prepare(
      `SELECT left_id AS left, right_id AS right, kind, payable, fingerprint, (${judgedSql}) AS isDuplicate
       FROM duplicate_pairs pair WHERE (left_id=? OR right_id=?)
         AND (kind='adjustment' OR ${isOpenSql} OR EXISTS (${judgedSql}))
       ORDER BY kind='adjustment', isDuplicate IS NOT NULL, payable DESC, left_id, right_id`,
    )
    .all(claimId, claimId) as (Omit<StoredPair, 'judged'> & { isDuplicate: number | null })[];
  return rows.map(({ isDuplicate, ...row }) => ({
    ...row,
    judged: isDuplicate === null ? null : isDuplicate === 1 ? 'duplicate' : 'notDuplicate',
  }));
}
