import type { DuplicateKind, FeedWarning } from '../../../../contract/duplicates.ts';
import type { Connection } from '../file/connection.ts';
import { type FoundPair, findDuplicates } from './find-duplicates.ts';

/** Of more changed claims than this share, all are compared again: one pass over all is then the faster one. */
const manyChanged = 0.1;
/** More duplicates than this share of a sync, and at least so many, are a fault of the feed. */
const feedShare = 0.05;
const minFeedClaims = 100;
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

/** Compares the claims that changed; null where none did, or during a first read. For a thread that reads. */
export function lookForDuplicates(connection: Connection): DuplicateFindings | null {
  if (hasNoIndexes(connection)) return null;
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

/** The pairs that count as duplicates: no adjustments, and none with a claim that an adjustment replaced. */
export const openPairsSql = `
  SELECT * FROM duplicate_pairs pair WHERE kind<>'adjustment' AND NOT EXISTS (
    SELECT 1 FROM duplicate_pairs WHERE kind='adjustment' AND (
      (left_id IN (pair.left_id, pair.right_id) AND is_left_replaced=1)
      OR (right_id IN (pair.left_id, pair.right_id) AND is_right_replaced=1)))`;

/** Keeps what was found in place of what was known of the same claims. For the writer, in its transaction. */
export function writeDuplicates(connection: Connection, findings: DuplicateFindings, at: string): void {
  const { changed, pairs } = findings;
  if (changed === null) connection.exec('DELETE FROM duplicate_pairs');
  else {
    const ids = JSON.stringify(changed);
    connection
      .prepare('DELETE FROM duplicate_pairs WHERE left_id IN (SELECT value FROM json_each(?))')
      .run(ids);
    connection
      .prepare('DELETE FROM duplicate_pairs WHERE right_id IN (SELECT value FROM json_each(?))')
      .run(ids);
  }
  const looked =
    changed?.length ?? (connection.prepare('SELECT count(*) FROM claims').pluck().get() as number);
  const found = new Set<number>();
  for (const { left, right, kind } of pairs) {
    if (kind === 'adjustment') continue;
    found.add(left);
    found.add(right);
  }
  const isOfFeed = found.size >= minFeedClaims && found.size > looked * feedShare;
  const insert = connection.prepare(
    `INSERT INTO duplicate_pairs (left_id, right_id, kind, payable, is_left_replaced, is_right_replaced, is_of_feed,
       fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { left, right, kind, payable, replaced, fingerprint } of pairs) {
    const ofFeed = Number(isOfFeed && kind !== 'adjustment');
    insert.run(
      left,
      right,
      kind,
      payable,
      Number(replaced.left),
      Number(replaced.right),
      ofFeed,
      fingerprint,
    );
  }
  if (isOfFeed) {
    const warning: FeedWarning = { at, claims: looked, duplicates: found.size };
    connection
      .prepare('INSERT OR REPLACE INTO sync_state (name, value) VALUES (?, ?)')
      .run(warningName, JSON.stringify(warning));
  } else if (changed === null) {
    connection.prepare('DELETE FROM sync_state WHERE name=?').run(warningName);
  }
}

/** The warning about the feed; null once its claims were compared again and are no duplicates any more. */
export function readFeedWarning(connection: Connection): FeedWarning | null {
  if (connection.prepare('SELECT 1 FROM duplicate_pairs WHERE is_of_feed=1 LIMIT 1').get() === undefined)
    return null;
  const value = connection.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(warningName);
  return typeof value === 'string' ? (JSON.parse(value) as FeedWarning) : null;
}

export interface StoredPair {
  readonly left: number;
  readonly right: number;
  readonly kind: DuplicateKind;
  readonly payable: number;
  readonly fingerprint: string;
}

/** The pairs of one claim, adjustments included, those first that would be paid twice most. */
export function pairsOfClaim(connection: Connection, claimId: number): StoredPair[] {
  return connection
    .prepare(
      `WITH open AS (${openPairsSql})
       SELECT left_id AS left, right_id AS right, kind, payable, fingerprint FROM duplicate_pairs
       WHERE (left_id=? OR right_id=?)
         AND (kind='adjustment' OR (left_id, right_id) IN (SELECT left_id, right_id FROM open))
       ORDER BY kind='adjustment', payable DESC, left_id, right_id`,
    )
    .all(claimId, claimId) as StoredPair[];
}
