import { createHash } from 'node:crypto';
import { maxOfNumber } from '../../../../rules/money/chain-links.ts';
import type { DuplicateKind } from '../../../../rules/review/duplicates.ts';
import { type ComparedClaim, type ComparedHead, mayBeDuplicates, relatePair } from './relate-pair.ts';

/** Two related claims, the one with the smaller ID first. */
export interface FoundPair {
  readonly left: number;
  readonly right: number;
  readonly kind: DuplicateKind;
  /** A hash of all compared values: a decision about the pair is valid while it stays the same. */
  readonly fingerprint: string;
}

/** A group of equal claims that is too large for pairs; `fingerprint` is that of any two of them. */
export interface EqualClaims {
  readonly kind: DuplicateKind;
  readonly fingerprint: string;
  readonly ids: readonly number[];
}

export type Compared = ReturnType<typeof compareClaims>;

/** A claim that could not be compared with others, and why, as a phrase. */
export interface FailedClaim {
  readonly id: number;
  readonly why: string;
}

/** Up to this many equal claims are all paired; more form a group, of which one claim is compared with others. */
const maxPaired = 8;
/** A claim is compared with at most this many claims that follow it by first day and amount. */
export const maxCompared = 200;
export const maxFound = 10;

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

/** Does the same with the lines, independent of their order. */
const textOf = (claim: ComparedClaim): string =>
  `${textOfHead(claim).slice(0, -1)},${JSON.stringify(claim.lines.map((line) => JSON.stringify(line)).toSorted())}]`;

const fingerprintOf = (a: ComparedClaim, b: ComparedClaim): string =>
  createHash('sha256')
    .update(`[${textOf(a)},${textOf(b)}]`)
    .digest('base64url')
    .slice(0, 22);

/** Groups values by key; those without a key are left out. */
const bucket = <T>(values: readonly T[], keyOf: (value: T) => string | undefined): T[][] =>
  [...Map.groupBy(values, keyOf)].flatMap(([key, group]) => (key === undefined ? [] : [group]));

/** Examines the pairs of claims that share a day, for each claim up to the limits above. */
function lookAtPairs<T extends ComparedHead>(claims: readonly T[], isFound: (a: T, b: T) => boolean): void {
  const sorted = claims.toSorted(
    (a, b) =>
      Number(a.first > b.first) - Number(a.first < b.first) ||
      (a.billed ?? 0) - (b.billed ?? 0) ||
      a.id - b.id,
  );
  for (const [at, claim] of sorted.entries()) {
    let matches = 0;
    for (const other of sorted.slice(at + 1, at + 1 + maxCompared)) {
      if (other.first > claim.last || matches >= maxFound) break;
      if (isFound(claim, other)) matches += 1;
    }
  }
}

/**
 * Compares claims of one person that share days, or claims with the same number. It takes two steps, so that lines are
 * read for many claims at once: `needed` are the claims whose lines have to be compared.
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

function compareClaims(claims: readonly ComparedClaim[]) {
  const pairs = new Map<string, FoundPair>();
  const relate = (a: ComparedClaim, b: ComparedClaim): FoundPair | null => {
    const [left, right] = a.id < b.id ? [a, b] : [b, a];
    const key = `${left.id} ${right.id}`;
    const earlierPair = pairs.get(key);
    if (earlierPair !== undefined) return earlierPair;
    const kind = relatePair(left, right);
    if (kind === null) return null;
    const pair = { left: left.id, right: right.id, kind, fingerprint: fingerprintOf(left, right) };
    pairs.set(key, pair);
    return pair;
  };

  // Few claims share a number, and all of these are compared.
  for (const same of bucket(claims, ({ number }) => number?.whole))
    for (const [at, claim] of same.entries()) for (const other of same.slice(at + 1)) relate(claim, other);

  const equals: EqualClaims[] = [];
  const apart: ComparedClaim[] = [];
  for (const alike of bucket(claims, textOfHead)) {
    for (const same of alike.length > maxPaired ? bucket(alike, textOf) : [alike]) {
      const counted = same.toSorted((a, b) => a.id - b.id);
      const [first, second] = counted;
      if (counted.length <= maxPaired || first === undefined || second === undefined) {
        apart.push(...same);
        continue;
      }
      // The first claim of the group is compared with others in place of all.
      apart.push(first);
      const kind = relatePair(first, second);
      if (kind !== null)
        equals.push({ kind, fingerprint: fingerprintOf(first, second), ids: counted.map(({ id }) => id) });
    }
  }
  lookAtPairs(apart, (a, b) => relate(a, b) !== null);
  return { pairs: [...pairs.values()], equals };
}
