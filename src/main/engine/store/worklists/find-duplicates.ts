import { readDays } from '../../../../rules/date-range.ts';
import { maxOfNumber } from '../../../../rules/money/chain-links.ts';
import type { Database } from '../file/database.ts';
import {
  beginComparing,
  type Compared,
  type EqualClaims,
  type FailedClaim,
  type FoundPair,
} from './compare-claims.ts';
import { isOfValues, sayFailure } from './contain-failures.ts';
import { daysSql, readHeads, readLines } from './read-compared-claims.ts';

/** The number of claims that are read at once; more if that many share days. */
const atOnce = 2_000;

/** A claim with its first and last day as `YYYYMMDD`. */
interface Span {
  readonly id: number;
  readonly first: number;
  readonly last: number;
}

/** The known days: an open end counts as the other end, so that such a claim does not share days with all others. */
function toSpan(id: number, text: string | null): Span | null {
  const span = text === null ? null : readDays(text);
  if (span === null) return null;
  const number = (day: string | null): number => Number((day ?? '').replaceAll('-', ''));
  return { id, first: number(span.first ?? span.last), last: number(span.last ?? span.first) };
}

/** Divides claims into groups that share days, directly or through other claims; the rest is left out. */
function cutByDays(spans: readonly Span[]): number[][] {
  const groups: number[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const { id, first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    if (first <= until) groups.at(-1)?.push(id);
    else groups.push([id]);
    until = Math.max(until, last);
  }
  return groups.filter((ids) => ids.length > 1);
}

/** Collects the claims of each member and of each number, in order; rows with the same key follow each other. */
function collectSharing(rows: Iterable<readonly [unknown, Span | null]>): number[][] {
  const groups: number[][] = [];
  let [key, spans]: [unknown, Span[]] = [null, []];
  const cut = (): void => void groups.push(...cutByDays(spans));
  for (const [next, span] of rows) {
    if (next !== key) {
      cut();
      [key, spans] = [next, []];
    }
    if (span !== null) spans.push(span);
  }
  cut();
  return groups;
}

/** Groups of all claims that the service still returns. */
function collectAll(database: Database): number[][] {
  const missing = new Set(
    database.prepare('SELECT id FROM claims WHERE gone_since IS NOT NULL').pluck().all() as number[],
  );
  const spans = new Map<number, Span>();
  // The index of days suffices for this order.
  const days = database.prepare(`SELECT ${daysSql('claims')}, id FROM claims ORDER BY 1, 2`).raw();
  for (const [text, id] of days.iterate() as Iterable<[string | null, number]>) {
    const span = missing.has(id) ? null : toSpan(id, text);
    if (span !== null) spans.set(id, span);
  }
  const read = function* (sql: string): Iterable<[unknown, Span | null]> {
    for (const [key, id] of database.prepare(sql).raw().iterate() as Iterable<[unknown, number]>)
      yield [key, spans.get(id) ?? null];
  };
  return [
    ...collectSharing(
      read(
        'SELECT member_id, parent FROM claim_members WHERE member_id IS NOT NULL ORDER BY member_id, parent',
      ),
    ),
    ...collectSharing(
      read(
        `SELECT vendor_system_id, id FROM claims WHERE vendor_system_id IN (
           SELECT vendor_system_id FROM claims WHERE vendor_system_id<>''
           GROUP BY vendor_system_id HAVING count(*) BETWEEN 2 AND ${maxOfNumber})
         ORDER BY vendor_system_id, id`,
      ),
    ),
  ];
}

/** Groups of these claims and those with the same person or number. Needs the indexes of claims. */
function collectOf(database: Database, ids: readonly number[]): number[][] {
  const askedIds = new Set(ids);
  const read = function* (sql: string): Iterable<[unknown, Span | null]> {
    const rows = database.prepare(sql).raw().iterate(JSON.stringify(ids));
    for (const [key, id, text] of rows as Iterable<[unknown, number, string | null]>)
      yield [key, toSpan(id, text)];
  };
  const groups = [
    ...collectSharing(
      read(
        `SELECT other.member_id, c.id, ${daysSql('c')} FROM (
           SELECT DISTINCT own.member_id FROM json_each(?) wanted CROSS JOIN claim_members own ON own.parent=wanted.value
           WHERE own.member_id IS NOT NULL) members
         CROSS JOIN claim_members other ON other.member_id=members.member_id
         CROSS JOIN claims c ON c.id=other.parent WHERE c.gone_since IS NULL ORDER BY other.member_id`,
      ),
    ),
    ...collectSharing(
      read(
        `SELECT c.vendor_system_id, c.id, ${daysSql('c')} FROM (
           SELECT DISTINCT own.vendor_system_id AS number FROM json_each(?) wanted
           CROSS JOIN claims own ON own.id=wanted.value WHERE own.vendor_system_id<>'') numbers
         CROSS JOIN claims c ON c.vendor_system_id=numbers.number AND c.vendor_system_id<>''
         WHERE c.gone_since IS NULL AND (SELECT count(*) FROM (SELECT 1 FROM claims
           WHERE vendor_system_id=numbers.number AND vendor_system_id<>'' LIMIT ${maxOfNumber + 1}))<=${maxOfNumber}
         ORDER BY c.vendor_system_id`,
      ),
    ),
  ];
  return groups.filter((group) => group.some((id) => askedIds.has(id)));
}

/**
 * Counts the claims that share a member and days with a claim, including itself. Equal claims of a group
 * count as one, as in the comparison.
 */
export function countSharing(database: Database, id: number): number {
  const rows = database
    .prepare(
      `SELECT DISTINCT c.id, ${daysSql('c')}, coalesce(e.fingerprint, c.id) FROM claim_members own
       CROSS JOIN claim_members other ON other.member_id=own.member_id CROSS JOIN claims c ON c.id=other.parent
       LEFT JOIN equal_claims e ON e.id=c.id WHERE own.parent=? AND c.gone_since IS NULL`,
    )
    .raw()
    .all(id) as [number, string | null, string | number][];
  const ownRow = rows.find(([other]) => other === id);
  const span = ownRow === undefined ? null : toSpan(id, ownRow[1]);
  if (span === null) return 0;
  const sharing = rows.filter(([other, text]) => {
    const days = toSpan(other, text);
    return days !== null && days.first <= span.last && span.first <= days.last;
  });
  return new Set(sharing.map(([, , key]) => key)).size;
}

/**
 * Finds duplicates and adjustments among all claims that the service still returns, or between those of `claimIds` and
 * others. Claims of one person that share days are compared, and claims with the same number; providers, types and
 * lines are read only for the remaining candidates. Work and memory grow linearly with the claims, however many are
 * equal: see `compare-claims.ts`. The days of all claims take about 100 MB of memory at a million.
 */
export function findDuplicates(
  database: Database,
  claimIds: readonly number[] | null,
): Compared & { readonly failed: readonly FailedClaim[] } {
  const sharing = claimIds === null ? collectAll(database) : collectOf(database, claimIds);
  const pairs = new Map<string, FoundPair>();
  const equals = new Map<string, EqualClaims>();
  const failed = new Map<number, string>();
  const add = (comparisons: readonly Compared[]): void => {
    for (const comparison of comparisons) {
      for (const pair of comparison.pairs) pairs.set(`${pair.left} ${pair.right}`, pair);
      for (const group of comparison.equals) {
        const ids = new Set([...(equals.get(group.fingerprint)?.ids ?? []), ...group.ids]);
        equals.set(group.fingerprint, { ...group, ids: [...ids] });
      }
    }
  };
  for (let from = 0; from < sharing.length; ) {
    let to = from;
    for (let claims = 0; to < sharing.length && claims < atOnce; to += 1) claims += sharing[to]?.length ?? 0;
    compareContained(
      sharing.slice(from, to),
      (groups) => add(compareGroups(database, groups)),
      (id, thrown) => failed.set(id, sayFailure('Comparison with other claims', thrown)),
    );
    from = to;
  }
  return {
    pairs: [...pairs.values()],
    equals: [...equals.values()],
    failed: [...failed].map(([id, why]) => ({ id, why })),
  };
}

/** Compares the claims within each of these groups. */
function compareGroups(database: Database, groups: readonly (readonly number[])[]): Compared[] {
  const heads = readHeads(database, [...new Set(groups.flat())]);
  const begun = groups.map((ids) => beginComparing(ids.flatMap((id) => heads.get(id) ?? [])));
  const lines = readLines(database, [...new Set(begun.flatMap(({ needed }) => needed))]);
  return begun.map(({ compare }) => compare((id) => lines.get(id) ?? []));
}

/**
 * Compares groups of claims. If that throws because of the values of a claim, the other groups are still compared, and
 * so are the claims of its group that can be. `onFailed` receives each claim that fails alone or, if none does, those
 * that fail when paired with another.
 * @throws what is not about the values of a claim, such as DeskError `disk.*`
 */
export function compareContained(
  groups: readonly (readonly number[])[],
  compare: (groups: readonly (readonly number[])[]) => void,
  onFailed: (id: number, thrown: unknown) => void,
): void {
  const attempt = (some: readonly (readonly number[])[]): { readonly thrown: unknown } | null => {
    try {
      compare(some);
      return null;
    } catch (thrown) {
      if (!isOfValues(thrown)) throw thrown;
      return { thrown };
    }
  };
  if (groups.length === 0 || attempt(groups) === null) return;
  if (groups.length > 1) {
    const half = Math.ceil(groups.length / 2);
    compareContained(groups.slice(0, half), compare, onFailed);
    compareContained(groups.slice(half), compare, onFailed);
    return;
  }
  // The claims that can be compared with all claims before them.
  const kept: number[] = [];
  for (const id of groups[0] ?? []) {
    const failure = attempt([[...kept, id]]);
    if (failure === null) kept.push(id);
    else onFailed(id, failure.thrown);
  }
}
