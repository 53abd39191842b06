import { readClaimNumber } from '../../../../rules/compare-values.ts';
import { maxOfNumber } from '../../../../rules/money/chain-links.ts';
import type { Database } from '../file/database.ts';
import type { FailedClaim } from './compare-claims.ts';
import { isOfValues, sayFailure } from './contain-failures.ts';

const billed = (alias: string): string => `coalesce(${alias}.amount_billed, ${alias}.computed_amount_billed)`;

/** Joins claims that share a key, and returns the groups with several, each identified by its smallest claim. */
function createGroups() {
  const groupOf = new Map<number, Set<number>>();
  const join = (ids: readonly number[]): void => {
    const sets = [...new Set(ids.map((id) => groupOf.get(id) ?? new Set([id])))];
    const [largest, ...others] = sets.sort((a, b) => b.size - a.size);
    if (largest === undefined) return;
    for (const id of [...ids, ...others.flatMap((set) => [...set])]) {
      largest.add(id);
      groupOf.set(id, largest);
    }
  };
  return {
    join,
    list: (): number[][] =>
      [...new Set(groupOf.values())]
        .filter((set) => set.size > 1)
        .map((set) => [...set].sort((a, b) => a - b)),
  };
}

type Groups = ReturnType<typeof createGroups>;

/** Joins claims with the same number without its suffix; a number that many claims have is a word. */
function joinNumbers(groups: Groups, rows: Iterable<readonly [id: number, number: string | null]>): void {
  const byBase = new Map<string, number[]>();
  for (const [id, text] of rows) {
    const base = readClaimNumber(text)?.base;
    if (base === undefined) continue;
    const sameBase = byBase.get(base);
    if (sameBase === undefined) byBase.set(base, [id]);
    else sameBase.push(id);
  }
  for (const ids of byBase.values()) if (ids.length > 1 && ids.length <= maxOfNumber) groups.join(ids);
}

/** Joins claims of one member whose billed amounts mirror each other. */
function joinMirrors(
  groups: Groups,
  rows: Iterable<readonly [id: number, member: number, amount: number]>,
): void {
  const byAmount = new Map<string, { ids: number[]; isMirrored: boolean; hasCharge: boolean }>();
  for (const [id, member, amount] of rows) {
    const key = `${member} ${Math.abs(amount)}`;
    const group = byAmount.get(key) ?? { ids: [], isMirrored: false, hasCharge: false };
    byAmount.set(key, group);
    group.ids.push(id);
    if (amount < 0) group.isMirrored = true;
    else group.hasCharge = true;
  }
  for (const { ids, isMirrored, hasCharge } of byAmount.values())
    if (isMirrored && hasCharge) groups.join(ids);
}

/** SQL: whether few claims have the number `base`. */
const isNoWord = `(SELECT count(*) FROM (SELECT 1 FROM claims WHERE vendor_system_id=wanted.base AND vendor_system_id<>''
  LIMIT ${maxOfNumber + 1}))<=${maxOfNumber}`;

type Mirror = [id: number, member: number, amount: number];

/** Selects the claims with an amount that some reversal has, of the members of these claims or of all with a reversal. */
const mirrorsSql = (members: string): string =>
  `SELECT DISTINCT c.id, m.member_id, ${billed('c')} FROM (
     SELECT DISTINCT own.member_id AS member_id, abs(${billed('n')}) AS amount FROM ${members}
     WHERE own.member_id IS NOT NULL AND ${billed('n')}<0) wanted
   CROSS JOIN claim_members m ON m.member_id=wanted.member_id CROSS JOIN claims c ON c.id=m.parent
   WHERE ${billed('c')} IN (wanted.amount, -wanted.amount)`;

/**
 * Finds groups of claims that may belong to one chain, among all claims or those of `claimIds`: claims that share a
 * number, and claims of a member whose amounts mirror each other. Claims that the service no longer returns stay in
 * their chain. It reads each claim once; nothing grows with the number of pairs.
 */
export function findChainGroups(database: Database, claimIds: readonly number[] | null): number[][] {
  const groups = createGroups();
  if (claimIds === null) {
    joinNumbers(
      groups,
      database
        .prepare(`SELECT id, vendor_system_id FROM claims WHERE vendor_system_id<>'' ORDER BY id`)
        .raw()
        .iterate() as Iterable<[number, string]>,
    );
    joinMirrors(
      groups,
      database
        .prepare(mirrorsSql('claims n CROSS JOIN claim_members own ON own.parent=n.id'))
        .raw()
        .iterate() as Iterable<Mirror>,
    );
    return groups.list();
  }
  const readNumbers = database
    .prepare(
      `SELECT DISTINCT c.id, c.vendor_system_id FROM (
         SELECT value->>0 AS base, value->>1 AS low, value->>2 AS high FROM json_each(:ranges)) wanted
       CROSS JOIN claims c ON c.vendor_system_id=wanted.base AND c.vendor_system_id<>''
       WHERE ${isNoWord}
       UNION SELECT c.id, c.vendor_system_id FROM (
         SELECT value->>0 AS base, value->>1 AS low, value->>2 AS high FROM json_each(:ranges)) wanted
       CROSS JOIN claims c ON c.vendor_system_id>=wanted.low AND c.vendor_system_id<wanted.high
         AND c.vendor_system_id<>'' WHERE ${isNoWord}`,
    )
    .raw();
  const readOwn = database
    .prepare(
      `SELECT c.id, c.vendor_system_id FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value
       WHERE c.vendor_system_id<>''`,
    )
    .raw();
  const readMirrors = database
    .prepare(
      mirrorsSql(
        `json_each(?) w CROSS JOIN claim_members mine ON mine.parent=w.value
         CROSS JOIN claim_members own ON own.member_id=mine.member_id CROSS JOIN claims n ON n.id=own.parent`,
      ),
    )
    .raw();
  const seen = new Set<number>();
  let next = [...claimIds];
  // A claim can lead to others by its number, and these to others by their amounts.
  while (next.length > 0) {
    const asked = JSON.stringify(next);
    for (const id of next) seen.add(id);
    const bases = new Set(
      (readOwn.all(asked) as [number, string][]).flatMap(([, text]) => readClaimNumber(text)?.base ?? []),
    );
    // `-`, `.` and `/`, which precede a suffix, sort before `0`.
    const ranges = [...bases].map((base) => [base, `${base}-`, `${base}0`]);
    const numbered = readNumbers.all({ ranges: JSON.stringify(ranges) }) as [number, string][];
    joinNumbers(groups, numbered);
    const mirrors = readMirrors.all(asked) as Mirror[];
    joinMirrors(groups, mirrors);
    const nextIds = new Set(next);
    next = groups
      .list()
      .filter((group) => group.some((id) => nextIds.has(id)))
      .flat()
      .filter((id) => !seen.has(id));
  }
  const asked = new Set(claimIds);
  return groups.list().filter((group) => group.some((id) => asked.has(id)));
}

/**
 * Finds the same groups. If the values of a claim make that fail, each claim that fails alone is in `failed`, with
 * those that can't be grouped without it, and the groups of the others are found.
 * @throws what is not about the values of a claim, such as DeskError `disk.*`
 */
export function findGroupsContained(
  database: Database,
  claimIds: readonly number[] | null,
  find: typeof findChainGroups = findChainGroups,
): { readonly groups: readonly (readonly number[])[]; readonly failed: readonly FailedClaim[] } {
  // Split by their smallest claims, so that each half finds the whole groups of its claims.
  const groups = new Map<number | undefined, readonly number[]>();
  const failed: FailedClaim[] = [];
  const findSome = (some: readonly number[] | null): void => {
    try {
      for (const group of find(database, some)) groups.set(group[0], group);
    } catch (thrown) {
      if (!isOfValues(thrown)) throw thrown;
      const ids =
        some ?? (database.prepare('SELECT id FROM claims ORDER BY id').pluck().all() as readonly number[]);
      const [id] = ids;
      if (id === undefined) throw thrown;
      if (ids.length === 1)
        failed.push({ id, why: sayFailure('Search for its corrections and reversals', thrown) });
      else {
        const half = Math.ceil(ids.length / 2);
        findSome(ids.slice(0, half));
        findSome(ids.slice(half));
      }
    }
  };
  findSome(claimIds);
  return { groups: [...groups.values()], failed };
}
