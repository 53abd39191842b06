import { createHash } from 'node:crypto';
import { readDays } from '../../../../contract/date-range.ts';
import type { DuplicateKind } from '../../../../contract/duplicates.ts';
import type { Connection } from '../file/connection.ts';
import {
  type ComparedClaim,
  type ComparedHead,
  judgePair,
  mayBeDuplicates,
  payableTwice,
  replacedBy,
} from './judge-pair.ts';
import { readHeads, readLines } from './read-compared-claims.ts';

/** Two claims that relate, the one with the smaller id first. `payable` is in ten-thousandths of a dollar. */
export interface FoundPair {
  readonly left: number;
  readonly right: number;
  readonly kind: DuplicateKind;
  readonly payable: number;
  /** Of an adjustment: which of the two no longer count. */
  readonly replaced: { readonly left: boolean; readonly right: boolean };
  /** Of all that was compared: a judgement about the pair holds as long as it is the same. */
  readonly fingerprint: string;
}

/** What is not material to the question, such as the dates of processing, is no part of it. */
const fingerprintOf = (...claims: ComparedClaim[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        claims.map((claim) => [
          claim.connection,
          claim.name?.parts,
          claim.type,
          claim.provider,
          claim.first,
          claim.last,
          claim.billed,
          claim.patientResponsibility,
          claim.lines.map((line) => JSON.stringify(line)).toSorted(),
        ]),
      ),
    )
    .digest('base64url')
    .slice(0, 22);

/** A number that more claims have is none: some carriers send one word in its place. */
const maxOfNumber = 20;

type Pair = readonly [number, number];

/** Claims that the service still returns, with the first and last day of each as `YYYYMMDD`. */
function readAllDays(connection: Connection): Map<number, Pair> {
  const missing = new Set(
    connection.prepare('SELECT id FROM claims WHERE gone_since IS NOT NULL').pluck().all() as number[],
  );
  // In this order the index of the days answers alone, and equal days follow each other.
  const rows = connection
    .prepare(
      `SELECT range_days(date_of_service_start, date_of_service_end, date_of_service_bounds) AS days, id FROM claims
       ORDER BY 1, 2`,
    )
    .raw()
    .all() as [string | null, number][];
  const daysOf = new Map<number, Pair>();
  let [text, days]: [string | null, Pair | null] = [null, null];
  for (const [written, id] of rows) {
    if (written !== text) {
      text = written;
      days = toNumbers(written);
    }
    if (days !== null && !missing.has(id)) daysOf.set(id, days);
  }
  return daysOf;
}

function toNumbers(text: string | null): Pair | null {
  const span = text === null ? null : readDays(text);
  if (span === null) return null;
  const number = (day: string | null): number => Number((day ?? '').replaceAll('-', ''));
  return [number(span.first ?? span.last), number(span.last ?? span.first)];
}

/** The pairs with a day in common among the claims of one person or family. */
function pairsOf(
  ids: readonly number[],
  daysOf: ReadonlyMap<number, Pair>,
  add: (a: number, b: number) => void,
): void {
  const spans = ids.flatMap((id) => {
    const days = daysOf.get(id);
    return days === undefined ? [] : [{ id, first: days[0], last: days[1] }];
  });
  spans.sort((a, b) => a.first - b.first);
  for (const [at, span] of spans.entries()) {
    for (let next = at + 1; next < spans.length; next += 1) {
      const other = spans[next] as (typeof spans)[number];
      if (other.first > span.last) break;
      add(span.id, other.id);
    }
  }
}

/** Each pair once, whatever found it. */
function createPairSet() {
  const pairs = new Map<number, Set<number>>();
  return {
    pairs,
    add(a: number, b: number): void {
      if (a === b) return;
      const [left, right] = a < b ? [a, b] : [b, a];
      const rights = pairs.get(left) ?? new Set();
      pairs.set(left, rights);
      rights.add(right);
    },
  };
}

/** All pairs that a closer look may find to be duplicates: a member and a day in common, or a number through two connections. */
function collectPairs(connection: Connection): ReadonlyMap<number, ReadonlySet<number>> {
  const set = createPairSet();
  const daysOf = readAllDays(connection);
  const links = connection
    .prepare(
      'SELECT member_id, parent FROM claim_members WHERE member_id IS NOT NULL ORDER BY member_id, parent',
    )
    .raw()
    .all() as Pair[];
  for (let from = 0; from < links.length; ) {
    let to = from;
    const ids: number[] = [];
    for (; to < links.length && links[to]?.[0] === links[from]?.[0]; to += 1)
      ids.push((links[to] as Pair)[1]);
    pairsOf(ids, daysOf, set.add);
    from = to;
  }
  const numbers = connection
    .prepare(
      `SELECT json_group_array(id) FROM claims WHERE vendor_system_id<>'' AND gone_since IS NULL
       GROUP BY vendor_system_id HAVING count(*)<=${maxOfNumber} AND count(DISTINCT policy_holder_ref)>1`,
    )
    .pluck()
    .all() as string[];
  for (const text of numbers) pairsOf(JSON.parse(text) as number[], daysOf, set.add);
  return set.pairs;
}

/** The same of these claims with others. Needs the indexes of claims. */
function collectPairsOf(
  connection: Connection,
  changed: readonly number[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const set = createPairSet();
  const wanted = JSON.stringify(changed);
  const daysSql = (alias: string): string =>
    `range_days(${alias}.date_of_service_start, ${alias}.date_of_service_end, ${alias}.date_of_service_bounds)`;
  const rows = connection
    .prepare(
      `WITH pairs (own, other) AS (
         SELECT own.parent, other.parent FROM json_each(?) wanted
           CROSS JOIN claim_members own ON own.parent=wanted.value
           CROSS JOIN claim_members other ON other.member_id=own.member_id
         UNION SELECT own.id, other.id FROM json_each(?) wanted CROSS JOIN claims own ON own.id=wanted.value
           CROSS JOIN claims other ON other.vendor_system_id=own.vendor_system_id AND other.vendor_system_id<>''
           WHERE (SELECT count(*) FROM claims WHERE vendor_system_id=own.vendor_system_id AND vendor_system_id<>'')
             <=${maxOfNumber})
       SELECT pairs.own, ${daysSql('own')}, pairs.other, ${daysSql('other')} FROM pairs
         CROSS JOIN claims own ON own.id=pairs.own CROSS JOIN claims other ON other.id=pairs.other
         WHERE pairs.own<>pairs.other AND own.gone_since IS NULL AND other.gone_since IS NULL`,
    )
    .raw()
    .iterate(wanted, wanted) as Iterable<[number, string | null, number, string | null]>;
  for (const [own, ownDays, other, otherDays] of rows) {
    const [a, b] = [toNumbers(ownDays), toNumbers(otherDays)];
    if (a !== null && b !== null && a[0] <= b[1] && b[0] <= a[1]) set.add(own, other);
  }
  return set.pairs;
}

/**
 * Finds duplicates and adjustments among all claims that the service still returns, or those of the claims in
 * `changed`. One join on person and overlapping days; providers, types and lines are compared of what it leaves.
 * Takes memory for the days of all claims (about 100 MB at a million).
 */
export function findDuplicates(connection: Connection, changed: readonly number[] | null): FoundPair[] {
  const pairs = changed === null ? collectPairs(connection) : collectPairsOf(connection, changed);
  const ids = new Set<number>();
  for (const [left, rights] of pairs) {
    ids.add(left);
    for (const right of rights) ids.add(right);
  }
  const heads = readHeads(connection, [...ids]);
  const candidates: [ComparedHead, ComparedHead][] = [];
  for (const [left, rights] of pairs) {
    const a = heads.get(left);
    if (a === undefined) continue;
    for (const right of rights) {
      const b = heads.get(right);
      if (b !== undefined && mayBeDuplicates(a, b)) candidates.push([a, b]);
    }
  }
  const lines = readLines(connection, [...new Set(candidates.flatMap(([a, b]) => [a.id, b.id]))]);
  const claimOf = (head: ComparedHead): ComparedClaim => ({ ...head, lines: lines.get(head.id) ?? [] });
  return candidates.flatMap(([a, b]): FoundPair[] => {
    const kind = judgePair(claimOf(a), claimOf(b));
    if (kind === null) return [];
    const replaced = kind === 'adjustment' ? replacedBy(a, b) : { left: false, right: false };
    const payable = payableTwice(a, b);
    return [
      {
        left: a.id,
        right: b.id,
        kind,
        payable,
        replaced,
        fingerprint: fingerprintOf(claimOf(a), claimOf(b)),
      },
    ];
  });
}
