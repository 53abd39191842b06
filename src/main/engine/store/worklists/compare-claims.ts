import { createHash } from 'node:crypto';
import type { DuplicateKind } from '../../../../contract/duplicates.ts';
import {
  type ComparedClaim,
  type ComparedHead,
  judgePair,
  mayBeDuplicates,
  replacedBy,
} from './judge-pair.ts';

/** Two related claims, the one with the smaller ID first. */
export interface FoundPair {
  readonly left: number;
  readonly right: number;
  readonly kind: DuplicateKind;
  /** For an adjustment: which of the two claims no longer count. */
  readonly replaced: { readonly left: boolean; readonly right: boolean };
  /** A hash of all compared values: a judgment about the pair holds as long as it is the same. */
  readonly fingerprint: string;
}

/** A group of equal claims that is too large for pairs; `fingerprint` is that of any two of them. */
export interface EqualClaims {
  readonly kind: DuplicateKind;
  readonly fingerprint: string;
  readonly ids: readonly number[];
}

export interface Compared {
  readonly pairs: readonly FoundPair[];
  readonly equals: readonly EqualClaims[];
}

/**
 * Up to this many equal claims are all paired with each other; more are one group, of which one claim is compared with
 * others.
 */
const maxPaired = 8;
/** A claim is compared with at most this many that follow it by first day and amount. */
export const maxCompared = 200;
export const maxFound = 10;
/** A claim number that more claims have is ignored: some carriers send one word instead of a number. */
export const maxOfNumber = 20;

/**
 * The compared values of a claim without its lines, as text; values that are not material, such as the day of
 * processing, are left out.
 */
const textOfHead = (head: ComparedHead): string =>
  JSON.stringify([
    head.connection,
    head.name?.parts,
    head.type,
    head.provider,
    head.first,
    head.last,
    head.billed,
    head.patientResponsibility,
  ]);

/** The same with its lines, independent of their order. */
const textOf = (claim: ComparedClaim): string =>
  `${textOfHead(claim).slice(0, -1)},${JSON.stringify(claim.lines.map((line) => JSON.stringify(line)).toSorted())}]`;

const fingerprintOf = (a: ComparedClaim, b: ComparedClaim): string =>
  createHash('sha256')
    .update(`[${textOf(a)},${textOf(b)}]`)
    .digest('base64url')
    .slice(0, 22);

/** The values of each key; those without a key are left out. */
const bucket = <T>(values: readonly T[], keyOf: (value: T) => string | undefined): T[][] =>
  [...Map.groupBy(values, keyOf)].flatMap(([key, own]) => (key === undefined ? [] : [own]));

/** Examines the pairs of claims with a day in common, for each claim up to the limits above. */
function lookAtPairs<T extends ComparedHead>(claims: readonly T[], isFound: (a: T, b: T) => boolean): void {
  const sorted = claims.toSorted(
    (a, b) =>
      Number(a.first > b.first) - Number(a.first < b.first) ||
      (a.billed ?? 0) - (b.billed ?? 0) ||
      a.id - b.id,
  );
  for (const [at, claim] of sorted.entries()) {
    let found = 0;
    for (const other of sorted.slice(at + 1, at + 1 + maxCompared)) {
      if (other.first > claim.last || found >= maxFound) break;
      if (isFound(claim, other)) found += 1;
    }
  }
}

/**
 * Compares claims of one person that share days, or of one number. In two steps, so that lines are read for many
 * claims at once: `needed` are the claims whose lines have to be compared.
 */
export function beginComparing(sent: readonly ComparedHead[]): {
  readonly needed: readonly number[];
  compare(linesOf: (id: number) => ComparedClaim['lines']): Compared;
} {
  const numbers = bucket(sent, ({ number }) => number?.base);
  const words = new Set(numbers.flatMap((heads) => (heads.length > maxOfNumber ? heads : [])));
  const heads = sent.map((head) => (words.has(head) ? { ...head, number: null } : head));
  const needed = new Set<number>();
  if (heads.length > maxCompared) for (const { id } of heads) needed.add(id);
  else
    lookAtPairs(heads, (a, b) => {
      if (mayBeDuplicates(a, b)) needed.add(a.id).add(b.id);
      return false;
    });
  return {
    needed: [...needed],
    compare: (linesOf) =>
      compareClaims(
        heads.filter(({ id }) => needed.has(id)).map((head) => ({ ...head, lines: linesOf(head.id) })),
      ),
  };
}

function compareClaims(claims: readonly ComparedClaim[]): Compared {
  const pairs = new Map<string, FoundPair>();
  const judge = (a: ComparedClaim, b: ComparedClaim): FoundPair | null => {
    const [left, right] = a.id < b.id ? [a, b] : [b, a];
    const key = `${left.id} ${right.id}`;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const kind = judgePair(left, right);
    if (kind === null) return null;
    const replaced = kind === 'adjustment' ? replacedBy(left, right) : { left: false, right: false };
    const pair = { left: left.id, right: right.id, kind, replaced, fingerprint: fingerprintOf(left, right) };
    pairs.set(key, pair);
    return pair;
  };

  // Few claims have one number, and all are compared: the newest of them replaces the others.
  const replaced = new Set<number>();
  for (const chain of bucket(claims, ({ number }) => number?.base))
    for (const [at, one] of chain.entries())
      for (const other of chain.slice(at + 1)) {
        const pair = judge(one, other);
        if (pair?.replaced.left) replaced.add(pair.left);
        if (pair?.replaced.right) replaced.add(pair.right);
      }

  const equals: EqualClaims[] = [];
  /** Groups of equal claims by their first claim, which is compared with others in place of all. */
  const groups = new Map<number, readonly ComparedClaim[]>();
  const apart: ComparedClaim[] = [];
  for (const alike of bucket(claims, textOfHead)) {
    for (const same of alike.length > maxPaired ? bucket(alike, textOf) : [alike]) {
      const counted = same.filter(({ id }) => !replaced.has(id)).sort((a, b) => a.id - b.id);
      const [first, second] = counted;
      if (counted.length <= maxPaired || first === undefined || second === undefined) {
        apart.push(...same);
        continue;
      }
      apart.push(first);
      groups.set(first.id, counted);
      const kind = judgePair(first, second);
      if (kind !== null)
        equals.push({ kind, fingerprint: fingerprintOf(first, second), ids: counted.map(({ id }) => id) });
    }
  }
  lookAtPairs(apart, (a, b) => judge(a, b) !== null);
  // A reversal takes back one claim of a group; the next reversal takes back the next claim.
  const byId = new Map(apart.map((claim) => [claim.id, claim]));
  for (const [id, counted] of groups) {
    const reversals = [...pairs.values()].flatMap(({ kind, left, right }) => {
      const other = byId.get(left === id ? right : left);
      if (kind !== 'adjustment' || (left !== id && right !== id) || other === undefined) return [];
      return groups.get(other.id) ?? [other];
    });
    for (const [at, reversal] of reversals.entries()) {
      const claim = counted[at];
      if (claim !== undefined) judge(claim, reversal);
    }
  }
  return { pairs: [...pairs.values()], equals };
}
