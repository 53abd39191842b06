import type { DuplicateKind, DuplicatePair } from '../../../../rules/review/duplicates.ts';
import type { Database } from '../file/database.ts';

/** SQL: whether a user has completed a claim as a duplicate. */
const isDuplicateSql = (id: string): string =>
  `EXISTS (SELECT 1 FROM claim_reviews WHERE claim_id=${id} AND state='done' AND outcome='duplicate')`;

/** SQL: whether a claim counts nothing in its chain. */
const isReplacedSql = (id: string): string =>
  `EXISTS (SELECT 1 FROM claim_chains WHERE id=${id} AND role IN ('reversal', 'takenBack', 'replaced'))`;

/** SQL: whether a claim may be one of two that are reimbursed. */
export const countsSql = (id: string): string => `(NOT ${isDuplicateSql(id)} AND NOT ${isReplacedSql(id)})`;

/**
 * The amount to reimburse, or reimbursed, for a claim: the larger of its eligible amount as decided and its payments;
 * null where neither is known. `facts` and `review` are aliases of `claim_facts` and `claim_reviews`.
 */
export const reimbursableSql = (facts: string, review: string): string =>
  `max(0, max(coalesce(${facts}.eligible, ${review}.reimbursed), coalesce(${review}.reimbursed, ${facts}.eligible)))`;

/** SQL: the smaller of both amounts; null where it is unknown. */
function payableSql(): string {
  const [ownAmount, other] = [reimbursableSql('own_facts', 'own_review'), reimbursableSql('facts', 'review')];
  return `coalesce(min(${ownAmount}, ${other}), CASE WHEN ${ownAmount}=0 OR ${other}=0 THEN 0 END)`;
}

/**
 * SQL: whether a claim is the one of a pair that would be paid a second time: the one with less to reimburse or, if
 * equal, the larger ID. Only this claim has the amount of the pair, so that a sum counts each pair once, and in a group
 * every claim but the one with the largest amount.
 */
function isSecondSql(): string {
  const [ownAmount, other] = [reimbursableSql('own_facts', 'own_review'), reimbursableSql('facts', 'review')];
  return `(${ownAmount} IS NULL, -ifnull(${ownAmount}, 0), related.id)>(${other} IS NULL, -ifnull(${other}, 0), other)`;
}

/**
 * The claims to which each of `wanted` relates: those it is paired with, and in a group of equal claims the first one,
 * or those that users compared with it. A decision about one claim of a group applies to all, because they are equal.
 * `isMutual`: the other claim relates to this one as well.
 */
const relationsSql = `
  SELECT wanted.id, right_id AS other, kind, fingerprint, is_of_feed AS isOfFeed, 1 AS isMutual
    FROM wanted CROSS JOIN duplicate_pairs ON left_id=wanted.id
  UNION ALL SELECT wanted.id, left_id, kind, fingerprint, is_of_feed, 1
    FROM wanted CROSS JOIN duplicate_pairs ON right_id=wanted.id
  UNION ALL SELECT equal.id, iif(equal.id=first_id, second_id, first_id), kind, fingerprint, is_of_feed,
      equal.id IN (first_id, second_id)
    FROM wanted CROSS JOIN equal_claims equal USING (id) CROSS JOIN equal_groups USING (fingerprint)
    WHERE NOT EXISTS (SELECT 1 FROM judged_pairs WHERE left_id=equal.id AND fingerprint=equal.fingerprint)
      AND NOT EXISTS (SELECT 1 FROM judged_pairs WHERE right_id=equal.id AND fingerprint=equal.fingerprint)
  UNION ALL SELECT equal.id, right_id, kind, fingerprint, is_of_feed, 0
    FROM wanted CROSS JOIN equal_claims equal USING (id) CROSS JOIN equal_groups USING (fingerprint)
    CROSS JOIN judged_pairs USING (fingerprint) WHERE left_id=equal.id
  UNION ALL SELECT equal.id, left_id, kind, fingerprint, is_of_feed, 0
    FROM wanted CROSS JOIN equal_claims equal USING (id) CROSS JOIN equal_groups USING (fingerprint)
    CROSS JOIN judged_pairs USING (fingerprint) WHERE right_id=equal.id`;

/** The claims that share a number, or are a claim and its reversal: they are shown, but are not duplicates. */
const chainSql = `SELECT wanted.id, mate.id, 'adjustment', '', 0, 1 FROM wanted CROSS JOIN claim_chains own USING (id)
  CROSS JOIN claim_chains mate ON mate.group_id=own.group_id AND mate.id<>own.id
  WHERE mate.chain=own.chain OR EXISTS (SELECT 1 FROM related_claims
    WHERE (claim_id=own.id AND other_id=mate.id) OR (claim_id=mate.id AND other_id=own.id))`;

/** SQL: whether two claims belong to one chain. */
const isOneChainSql = `EXISTS (SELECT 1 FROM claim_chains one JOIN claim_chains two USING (chain)
  WHERE one.id=related.id AND two.id=other)`;

/** Joins the users' decision about two claims, as long as no compared value has changed. */
const fromSql = (relations: string): string => `FROM (${relations}) related
  LEFT JOIN judged_pairs judged ON judged.left_id=min(related.id, other) AND judged.right_id=max(related.id, other)
    AND judged.fingerprint=related.fingerprint
  LEFT JOIN claim_facts own_facts ON own_facts.id=related.id LEFT JOIN claim_facts facts ON facts.id=other
  LEFT JOIN claim_reviews own_review ON own_review.claim_id=related.id
  LEFT JOIN claim_reviews review ON review.claim_id=other
  WHERE other IS NOT NULL`;

/** SQL: whether two claims count as duplicates: undecided, no adjustment, and both count. */
const isOpenSql = `kind<>'adjustment' AND NOT ${isOneChainSql} AND judged.left_id IS NULL AND ${countsSql('related.id')} AND ${countsSql('other')}`;

const countEqualSql = (id: string): string =>
  `SELECT count(*) FROM equal_claims WHERE fingerprint=(SELECT fingerprint FROM equal_claims WHERE id=${id})`;

/** The number of claims in the group of this claim; null where it is in none. */
export const countEqual = (database: Database, id: number): number | null =>
  (database.prepare(countEqualSql('?')).pluck().get(id) as number) || null;

/** The hash of the compared values of two claims; null where they are not related. */
export function findFingerprint(
  database: Database,
  { claimId, otherClaimId }: { readonly claimId: number; readonly otherClaimId: number },
): string | null {
  const fingerprint = database
    .prepare(
      `SELECT fingerprint FROM duplicate_pairs WHERE left_id=min(:claimId, :otherClaimId)
         AND right_id=max(:claimId, :otherClaimId)
       UNION ALL SELECT own.fingerprint FROM equal_claims own JOIN equal_claims other USING (fingerprint)
         WHERE own.id=:claimId AND other.id=:otherClaimId`,
    )
    .pluck()
    .get({ claimId, otherClaimId });
  return (fingerprint as string | undefined) ?? null;
}

/** Two related claims, the one with the smaller ID first, as stored for one of them. */
export interface StoredPair
  extends Pick<DuplicatePair, 'left' | 'right' | 'judged' | 'markedId' | 'isOpen' | 'equalClaims'> {
  readonly kind: DuplicateKind;
  readonly payable: number | null;
  /** Whether it is stored for the other claim too. */
  readonly isMutual: boolean;
}

/** Labels in the column of duplicates, the strongest first; pairs of a feed with a warning have a separate label. */
const duplicateLabels = {
  sameClaim: 'Same claim twice',
  exact: 'Exact',
  suspected: 'Suspected',
} as const;
const feedLabel = 'Many in one sync';

/** The open duplicates of a claim: the strongest kind, how much of the claim is payable twice, and the other claims. */
export interface OpenDuplicates {
  readonly label: string;
  readonly payable: number | null;
  readonly others: readonly number[];
}

/** Reads the open duplicates of those of these claims that have any. */
export function readOpenDuplicates(database: Database, ids: readonly number[]): Map<number, OpenDuplicates> {
  const rows = database
    .prepare(
      `WITH wanted AS MATERIALIZED (SELECT value AS id FROM json_each(?))
       SELECT related.id, kind, isOfFeed, json_group_array(other) AS others,
         max(iif(${isSecondSql()}, ${payableSql()}, 0)) AS payable ${fromSql(relationsSql)} AND ${isOpenSql}
       GROUP BY related.id, kind, isOfFeed`,
    )
    .all(JSON.stringify(ids)) as {
    id: number;
    kind: keyof typeof duplicateLabels;
    others: string;
    payable: number | null;
    isOfFeed: number;
  }[];
  const duplicateById = new Map<number, OpenDuplicates>();
  const order: readonly string[] = [...Object.values(duplicateLabels), feedLabel];
  for (const { id, kind, others, payable, isOfFeed } of rows) {
    const previous = duplicateById.get(id);
    const label = isOfFeed === 1 ? feedLabel : duplicateLabels[kind];
    const isStronger = previous === undefined || order.indexOf(label) < order.indexOf(previous.label);
    duplicateById.set(id, {
      label: isStronger ? label : previous.label,
      payable: previous?.payable == null ? payable : Math.max(payable ?? 0, previous.payable),
      others: [...(previous?.others ?? []), ...(JSON.parse(others) as number[])],
    });
  }
  return duplicateById;
}

/**
 * The pairs of some claims, by claim: first open pairs by the amount payable twice, then decided ones, then
 * adjustments. Pairs with a claim that an adjustment replaced are left out. At most `limit` for each claim; `total`
 * counts all.
 */
export function pairsOfClaims(
  database: Database,
  ids: readonly number[],
  limit: number,
): Map<number, { total: number; pairs: StoredPair[] }> {
  const rows = database
    .prepare(
      `WITH wanted AS MATERIALIZED (SELECT value AS id FROM json_each(:ids)),
         pairs AS (
           SELECT related.id, other, kind, isMutual, judged.is_duplicate AS isDuplicate, judged.event_id AS eventId,
             coalesce(judged.marked_id, CASE WHEN judged.left_id IS NOT NULL THEN NULL
               WHEN ${isDuplicateSql('other')} THEN other
               WHEN ${isDuplicateSql('related.id')} THEN related.id END) AS markedId,
             (${isOpenSql}) AS isOpen, ${payableSql()} AS payable ${fromSql(`${relationsSql} UNION ALL ${chainSql}`)} AND (kind='adjustment'
             OR judged.left_id IS NOT NULL AND NOT ${isOneChainSql}
             OR NOT ${isOneChainSql} AND NOT ${isReplacedSql('related.id')} AND NOT ${isReplacedSql('other')})),
         ordered AS (
           SELECT *, count(*) OVER (PARTITION BY id) AS total, row_number() OVER (PARTITION BY id
             ORDER BY kind='adjustment', isOpen DESC, isDuplicate IS NULL, payable DESC, other) AS place FROM pairs)
       SELECT ordered.*, (${countEqualSql('other')}) AS equalClaims FROM ordered WHERE place<=:limit ORDER BY id, place`,
    )
    .all({ ids: JSON.stringify(ids), limit }) as {
    id: number;
    other: number;
    kind: DuplicateKind;
    isMutual: number;
    isDuplicate: number | null;
    eventId: string;
    markedId: number | null;
    isOpen: number;
    payable: number | null;
    equalClaims: number;
    total: number;
  }[];
  const pairsById = new Map<number, { total: number; pairs: StoredPair[] }>();
  for (const { id, other, kind, payable, markedId, total, ...row } of rows) {
    const entry = pairsById.get(id) ?? { total, pairs: [] };
    pairsById.set(id, entry);
    entry.pairs.push({
      left: Math.min(id, other),
      right: Math.max(id, other),
      kind,
      payable,
      judged: row.isDuplicate === null ? null : { isDuplicate: row.isDuplicate === 1, eventId: row.eventId },
      markedId,
      isOpen: row.isOpen === 1,
      equalClaims: row.equalClaims || null,
      isMutual: row.isMutual === 1,
    });
  }
  return pairsById;
}
