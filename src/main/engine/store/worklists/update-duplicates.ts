import type { Database } from '../file/database.ts';
import { countsSql, type OpenDuplicates, readOpenDuplicates, reimbursableSql } from './duplicate-pairs.ts';

/** Cents and IDs are cut so that both are in one exact integer; pairs of different amounts never mix. */
const [maxCents, idsOfAmount] = [2 ** 33 - 1, 2 ** 20];

/**
 * The order of pairs by claim: by what is payable twice, then by the smallest ID. All claims that are related directly
 * or through others have the same order, and no other claim has it: a taken number is replaced by the next free one.
 */
function orderPairs(
  duplicates: ReadonlyMap<number, OpenDuplicates>,
  isTaken: (order: number, reached: ReadonlySet<number>) => boolean,
): Map<number, number> {
  const usedOrders = new Set<number>();
  const orderById = new Map<number, number>();
  for (const start of duplicates.keys()) {
    if (orderById.has(start)) continue;
    const reached = new Set([start]);
    let [payable, first] = [0, Number.POSITIVE_INFINITY];
    for (const id of reached) {
      const duplicate = duplicates.get(id);
      payable = Math.max(payable, duplicate?.payable ?? 0);
      for (const other of duplicate?.others ?? []) {
        reached.add(other);
        first = Math.min(first, other);
      }
    }
    // Equal claims refer to the first ones of their group, not to each other.
    const earlier = [...reached].flatMap((id) => orderById.get(id) ?? [])[0];
    let order =
      earlier ?? Math.min(Math.floor(payable / 100), maxCents) * idsOfAmount + (first % idsOfAmount);
    while (earlier === undefined && (usedOrders.has(order) || isTaken(order, reached))) order += 1;
    usedOrders.add(order);
    for (const id of reached) orderById.set(id, order);
  }
  return orderById;
}

/**
 * Makes the operation that updates the duplicates of claims after their facts and reviews: of these claims and of those
 * related to them, because the amount payable twice and the order of pairs depend on all of them. Returns the IDs of
 * the claims whose facts changed. The facts of the given claims are newly written, without duplicates.
 */
export function createDuplicateUpdater(database: Database): (ids: readonly number[]) => number[] {
  const selectGroups = database
    .prepare(
      `SELECT fingerprint FROM equal_claims WHERE id IN (SELECT value FROM json_each(?))
       UNION SELECT fingerprint FROM equal_groups WHERE is_outdated=1`,
    )
    .pluck();
  /** The two claims of a group with the largest amounts, among those that count. */
  const selectFirst = database
    .prepare(
      `SELECT equal.id, ${reimbursableSql('facts', 'review')} AS amount FROM equal_claims equal
       LEFT JOIN claim_facts facts ON facts.id=equal.id LEFT JOIN claim_reviews review ON review.claim_id=equal.id
       WHERE fingerprint=? AND ${countsSql('equal.id')} ORDER BY amount IS NULL, amount DESC, equal.id LIMIT 2`,
    )
    .raw();
  const putFirst = database.prepare(
    `UPDATE equal_groups SET first_id=?, first_amount=?, second_id=?, second_amount=?, is_outdated=0
     WHERE fingerprint=?`,
  );
  const selectKnown = database
    .prepare(
      'SELECT first_amount, second_amount, second_id IS NULL, is_outdated FROM equal_groups WHERE fingerprint=?',
    )
    .raw();
  /** Selects only claims that have facts; others are updated when their facts are computed. */
  const selectMembers = database
    .prepare('SELECT id FROM equal_claims CROSS JOIN claim_facts USING (id) WHERE fingerprint=?')
    .pluck();

  /** Chooses the claims of a group that the others are compared with; returns all if their amounts changed. */
  const chooseFirst = (fingerprint: string): number[] => {
    const storedCells = selectKnown.get(fingerprint) as unknown[];
    const [first, second] = selectFirst.all(fingerprint) as [number, number | null][];
    putFirst.run(
      first?.[0] ?? null,
      first?.[1] ?? null,
      second?.[0] ?? null,
      second?.[1] ?? null,
      fingerprint,
    );
    const now = [first?.[1] ?? null, second?.[1] ?? null, Number(second === undefined), 0];
    return storedCells.every((cell, at) => cell === now[at])
      ? []
      : (selectMembers.all(fingerprint) as number[]);
  };

  const selectPartners = database
    .prepare(
      `WITH wanted AS MATERIALIZED (SELECT value AS id FROM json_each(?))
       SELECT right_id FROM wanted CROSS JOIN duplicate_pairs ON left_id=id
       UNION SELECT left_id FROM wanted CROSS JOIN duplicate_pairs ON right_id=id`,
    )
    .pluck();
  const update = database
    .prepare(
      `UPDATE claim_facts SET duplicate=wanted.value->>1, payable_twice=wanted.value->>2, pair_order=wanted.value->>3
       FROM json_each(?) wanted WHERE claim_facts.id=wanted.value->>0 AND (duplicate IS NOT wanted.value->>1
         OR payable_twice IS NOT wanted.value->>2 OR pair_order IS NOT wanted.value->>3) RETURNING id`,
    )
    .pluck();

  const selectOrdered = database.prepare('SELECT id FROM claim_facts WHERE pair_order=?').pluck();

  return (ids) => {
    const idsJson = JSON.stringify(ids);
    const concerned = new Set([
      ...ids,
      ...(selectPartners.all(idsJson) as number[]),
      ...(selectGroups.all(idsJson) as string[]).flatMap(chooseFirst),
    ]);
    const duplicates = new Map<number, OpenDuplicates>();
    for (let added = [...concerned]; added.length > 0; ) {
      const answer = readOpenDuplicates(database, added);
      for (const [id, duplicate] of answer) duplicates.set(id, duplicate);
      const others = new Set([...answer.values()].flatMap((duplicate) => duplicate.others));
      added = [...others].filter((id) => !concerned.has(id));
      for (const id of added) concerned.add(id);
    }
    // Only some of many equal claims are reached: another claim that is related to one of them belongs to the same
    // pair.
    const isOfOther = (order: number, reached: ReadonlySet<number>): boolean => {
      const holder = (selectOrdered.all(order) as number[]).find(
        (id) => !reached.has(id) && !concerned.has(id),
      );
      if (holder === undefined) return false;
      const others = readOpenDuplicates(database, [holder]).get(holder)?.others ?? [];
      return !others.some((id) => reached.has(id));
    };
    const orderById = orderPairs(duplicates, isOfOther);
    const fresh = new Set(ids);
    const rows = [...concerned].flatMap((id) => {
      const { label = null, payable = null } = duplicates.get(id) ?? {};
      return label === null && fresh.has(id) ? [] : [[id, label, payable, orderById.get(id) ?? null]];
    });
    return update.all(JSON.stringify(rows)) as number[];
  };
}
