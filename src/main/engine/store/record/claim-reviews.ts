import type { ReviewPeriod } from '../../../../rules/plans/review-period.ts';
import type { Database } from '../file/database.ts';
import { readClaimsRead } from './claim-reads.ts';
import { createVersionCounter } from './records-version.ts';
import { type ClaimReviewRow, reviewFacts } from './review-facts.ts';
import { recordDigestSql } from './reviewed-claims.ts';

/** Names of rows of `sync_state`: the last event copied into the reviews, and the days of `ReviewPeriod`. */
export const reviewPositionName = 'reviews';
export const reviewsFromName = 'reviewsFrom';
export const reviewsOnName = 'reviewsOn';

export interface CheckedClaim {
  readonly claimId: number;
  readonly digest: string;
  /** When the claim here was read, if it is older than the reviewed record, empty if unknown; null: not older. */
  readonly olderAt: string | null;
}

/** The last event in the rows; their day, because waiting claims come back on a day; and the spellings in them. */
interface ReviewPosition {
  readonly seq: number;
  readonly id: string;
  readonly today: string;
  /** JSON text; absent: none. */
  readonly spellings?: string | undefined;
}

const readState = (database: Database, name: string): string | null =>
  (database.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(name) as string | undefined) ??
  null;

/** The last event and the day of the rows, null where there are no rows yet; and the period of reviews. */
export function readReviewPosition(database: Database): {
  mark: ReviewPosition | null;
  from: string | null;
  on: string | null;
} {
  const mark = readState(database, reviewPositionName);
  return {
    mark: mark === null ? null : (JSON.parse(mark) as ReviewPosition),
    from: readState(database, reviewsFromName),
    on: readState(database, reviewsOnName),
  };
}

/** Writes the copy of the reviews for lists. Each operation is one transaction. */
export function createReviewWriter(database: Database) {
  const countChange = createVersionCounter(database);
  const facts = Object.entries(reviewFacts).map(([name, { column }]) => ({ name, column }));
  const put = database.prepare(
    `INSERT OR REPLACE INTO claim_reviews (claim_id, ${facts.map(({ column }) => column).join(', ')})
     VALUES (:claimId, ${facts.map(({ name }) => `:${name}`).join(', ')})`,
  );
  const putState = database.prepare('INSERT OR REPLACE INTO sync_state (name, value) VALUES (?, ?)');
  const forgetJudged = database.prepare('DELETE FROM judged_pairs WHERE left_id=:id OR right_id=:id');
  const putJudged = database.prepare(
    `INSERT OR REPLACE INTO judged_pairs (left_id, right_id, fingerprint, is_duplicate, marked_id, event_id)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const forgetRelated = database.prepare('DELETE FROM related_claims WHERE claim_id=:id OR other_id=:id');
  const putRelated = database.prepare(
    'INSERT OR REPLACE INTO related_claims (claim_id, other_id, relation, event_id) VALUES (?, ?, ?, ?)',
  );
  const forgetMade = ['claim_decisions', 'claim_checks', 'claim_runs'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE claim_id=?`),
  );
  const putDecision = database.prepare(
    `INSERT INTO claim_decisions (author, is_verified, claim_id, position, at, outcome, is_reopened)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const putCheck = database.prepare(
    'INSERT INTO claim_checks (author, is_verified, claim_id, position, at, agrees) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const putRun = database.prepare(
    'INSERT INTO claim_runs (run_id, claim_id, amount, state, reason) VALUES (?, ?, ?, ?, ?)',
  );
  const writeDecisions = ({ claimId, decisions, checks, runs }: ClaimReviewRow): void => {
    for (const forget of forgetMade) forget.run(claimId);
    for (const [position, { author, isVerified, at, outcome, isReopened }] of decisions.entries())
      putDecision.run(author, Number(isVerified), claimId, position, at, outcome, Number(isReopened));
    for (const [position, { author, isVerified, at, agrees }] of checks.entries())
      putCheck.run(author, Number(isVerified), claimId, position, at, Number(agrees));
    for (const { id, amount, state, reason } of runs) putRun.run(id, claimId, amount, state, reason);
  };
  const writeJudged = ({ claimId, judged }: ClaimReviewRow): void => {
    forgetJudged.run({ id: claimId });
    for (const { otherClaimId, fingerprint, isDuplicate, markedId, eventId } of judged)
      putJudged.run(
        Math.min(claimId, otherClaimId),
        Math.max(claimId, otherClaimId),
        fingerprint,
        Number(isDuplicate),
        markedId,
        eventId,
      );
  };

  const writeRelated = ({ claimId, related }: ClaimReviewRow): void => {
    forgetRelated.run({ id: claimId });
    for (const { otherClaimId, relation, isOfThis, eventId } of related)
      putRelated.run(...(isOfThis ? [claimId, otherClaimId] : [otherClaimId, claimId]), relation, eventId);
  };

  const inOne = <I>(write: (input: I) => void): ((input: I) => null) => {
    const transaction = database.transaction((input: I) => {
      write(input);
      countChange('reviews');
    });
    return (input) => {
      transaction.immediate(input);
      return null;
    };
  };

  return {
    /** Writes reviews; `isFirst` replaces all existing ones. The mark is written after all rows. */
    applyReviews: inOne(
      (input: { rows: readonly ClaimReviewRow[]; mark: ReviewPosition | null; isFirst: boolean }) => {
        if (input.isFirst) {
          for (const table of [
            'claim_reviews',
            'judged_pairs',
            'related_claims',
            'claim_decisions',
            'claim_checks',
            'claim_runs',
          ])
            database.prepare(`DELETE FROM ${table}`).run();
          database.prepare('DELETE FROM sync_state WHERE name=?').run(reviewPositionName);
        }
        for (const row of input.rows) {
          put.run(row);
          writeJudged(row);
          writeRelated(row);
          writeDecisions(row);
        }
        if (input.mark !== null) putState.run(reviewPositionName, JSON.stringify(input.mark));
      },
    ),
    bringBackReviews: inOne((mark: ReviewPosition) => {
      database
        .prepare("UPDATE claim_reviews SET state='back' WHERE state='waiting' AND reminder<=?")
        .run(mark.today);
      putState.run(reviewPositionName, JSON.stringify(mark));
    }),
    writeReviewPeriod: inOne(({ from, on }: ReviewPeriod) => {
      putState.run(reviewsFromName, from);
      if (on !== null) putState.run(reviewsOnName, on);
      else database.prepare('DELETE FROM sync_state WHERE name=?').run(reviewsOnName);
    }),
    /** Stores that these claims were compared and will not be reopened. */
    writeComparisons: inOne((compared: readonly CheckedClaim[]) => {
      const update = database.prepare('UPDATE claim_reviews SET digest=?, older_at=? WHERE claim_id=?');
      for (const { claimId, digest, olderAt } of compared) update.run(digest, olderAt, claimId);
    }),
  };
}

/**
 * Claims whose record, or whose presence in the service, changed since they were last compared with their review; and
 * claims that were older than their review and were read again.
 */
export const findUncompared = (database: Database): number[] =>
  database
    .prepare(
      `SELECT v.claim_id FROM claim_reviews v JOIN claims c ON c.id=v.claim_id
       LEFT JOIN claim_reads r ON r.claim_id=v.claim_id
       WHERE v.digest IS NOT NULL AND (v.digest<>${recordDigestSql} OR v.older_at<ifnull(r.at, ?))
       ORDER BY v.claim_id`,
    )
    .pluck()
    .all(readClaimsRead(database) ?? '') as number[];

/** Claims that changed since their review, with the names of the changed fields. */
export function listChangedReviews(database: Database): { claimId: number; changed: string[] }[] {
  const rows = database
    .prepare('SELECT claim_id, changed_fields FROM claim_reviews WHERE changed_at IS NOT NULL')
    .raw()
    .all() as [number, string | null][];
  return rows.map(([claimId, changed]) => ({ claimId, changed: changed?.split(' ') ?? [] }));
}
