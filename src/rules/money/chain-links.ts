import { isSamePerson, isSameProvider } from '../compare-values.ts';
import type { ChainClaim, JudgedRelation } from './chain-claim.ts';

/**
 * The relation of a claim to another one. `takesBack`: it is the reversal. `replaces`: it is a correction that the
 * carrier has processed. `inProcess`, `rejected`: it is a correction that the carrier has not processed yet, or
 * rejected. `addsTo`: by the user's answer. `unclear`: the user has to answer.
 */
export interface Link {
  readonly kind: 'takesBack' | 'replaces' | 'inProcess' | 'rejected' | 'addsTo' | 'unclear';
  readonly from: number;
  readonly to: number;
  /** Whether it does not join the two claims in one chain: a correction of several belongs to only one of them. */
  readonly isApart?: true;
}

/** A claim number that more claims have is ignored: some carriers send one word instead of a number. */
export const maxOfNumber = 20;
/** A reversal is compared with at most this many claims of the same amount and lines. */
const maxMirrors = 200;

type Progress = 'approved' | 'rejected' | 'inProcess';
const approved: readonly (string | null)[] = ['Processed', 'Partially Approved', 'Adjusted'];

interface Known extends ChainClaim {
  readonly progress: Progress;
  readonly suffix: string;
  readonly lineKeys: ReadonlySet<string>;
}

const isNegative = ({ billed }: ChainClaim): boolean => billed !== null && billed < 0;
const spanOf = ({ first, last }: Pick<ChainClaim, 'first' | 'last'>): string => `${first} ${last}`;

function toKnown(claim: ChainClaim): Known {
  const { status, number, lines } = claim;
  return {
    ...claim,
    progress: status === 'Rejected' ? 'rejected' : approved.includes(status) ? 'approved' : 'inProcess',
    suffix: number === null ? '' : number.whole.slice(number.base.length + 1),
    lineKeys: new Set(lines.map((line) => `${line.first ?? claim.first} ${line.code}`)),
  };
}

/** Returns the billed amount and lines of a claim, or those that a reversal cancels; the keys of both are equal. */
function mirrorKeyOf(claim: Known): string {
  const sign = isNegative(claim) ? -1 : 1;
  const lines = claim.lines.map(({ first, last, code, billed }) =>
    JSON.stringify([first, last, code, billed === null ? null : billed * sign + 0]),
  );
  return `${(claim.billed ?? 0) * sign} ${lines.length === 0 ? spanOf(claim) : lines.toSorted().join()}`;
}

const suffixNumber = (suffix: string): number => (/^\d+$/.test(suffix) ? Number(suffix) : Number.NaN);

/** Returns a negative number if `a` is older by its suffix; numbers by their size, and no suffix first. */
function compareSuffixes(a: Known, b: Known): number {
  const [first, second] = [suffixNumber(a.suffix), suffixNumber(b.suffix)];
  if (!Number.isNaN(first) && !Number.isNaN(second)) return first - second;
  return Number(a.suffix > b.suffix) - Number(a.suffix < b.suffix);
}

/** Returns a negative number if `a` is older; 0 if that is unknown. */
function compareAge(a: Known, b: Known): number {
  const isOpen = [a.progress, b.progress].map((progress) => Number(progress === 'inProcess')) as [
    number,
    number,
  ];
  // A claim that is not processed yet is newer, unless the carrier numbered it before the other one.
  if (isOpen[0] !== isOpen[1]) {
    const bySuffix = compareSuffixes(a, b);
    return bySuffix === 0 ? isOpen[0] - isOpen[1] : bySuffix;
  }
  const [first, second] = [a.processed ?? '', b.processed ?? ''];
  if (first !== second) return first < second ? -1 : 1;
  const adjusted = Number(a.status === 'Adjusted') - Number(b.status === 'Adjusted');
  return adjusted === 0 ? compareSuffixes(a, b) : adjusted;
}

/** Compares claims in an order that is the same on every computer. */
const byAge = (a: Known, b: Known): number => compareAge(a, b) || a.id - b.id;

const mayBeSamePerson = (a: Known, b: Known): boolean =>
  a.name === null || b.name === null || isSamePerson(a.name, b.name);

/** Providers without an identifier in common may be the same. */
const mayBeSameProvider = (a: Known, b: Known): boolean =>
  isSameProvider(a.provider, b.provider) ||
  !a.provider.some((id, at) => id !== null && (b.provider[at] ?? null) !== null);

/** Returns whether two claims are the same claim, received through two connections: a duplicate, not a correction. */
const isCopy = (a: Known, b: Known): boolean =>
  a.connection !== null &&
  b.connection !== null &&
  a.connection !== b.connection &&
  a.number?.whole === b.number?.whole &&
  a.billed === b.billed &&
  a.patientResponsibility === b.patientResponsibility &&
  a.processed === b.processed &&
  compareLines(a, b) === 'same';

function compareLines(a: Known, b: Known): 'same' | 'none' | 'some' {
  if (a.lines.length === 0 && b.lines.length === 0) return spanOf(a) === spanOf(b) ? 'same' : 'some';
  if (a.lines.length === 0 || b.lines.length === 0) return 'some';
  const shared = [...a.lineKeys].filter((key) => b.lineKeys.has(key)).length;
  if (shared === 0) return 'none';
  return shared === a.lineKeys.size && shared === b.lineKeys.size ? 'same' : 'some';
}

/** Returns whether a correction or reversal has an effect: it was not rejected, nor lost before it was processed. */
const isInEffect = ({ progress, isMissing }: Known): boolean =>
  progress === 'approved' || (progress === 'inProcess' && !isMissing);

interface Work {
  readonly byId: ReadonlyMap<number, Known>;
  readonly links: Link[];
  readonly relationOf: (a: number, b: number) => JudgedRelation | undefined;
  /** Claims that are a reversal or are reversed by one. */
  readonly reversed: Set<number>;
  /** How many claims have a number without its suffix. */
  readonly sizes: ReadonlyMap<string, number>;
  compared: number;
}

const pairKey = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;

function link(work: Work, kind: Link['kind'], from: Known, to: Known, isApart = false): void {
  work.links.push({ kind, from: from.id, to: to.id, ...(isApart ? { isApart } : {}) } as Link);
}

/** Links reversals as the user answered, otherwise with the claims they mirror: an original takes one reversal. */
function linkMirrors(work: Work, claims: readonly Known[], judged: readonly JudgedRelation[]): void {
  for (const { claimId, otherClaimId, relation } of judged) {
    const [from, to] = [work.byId.get(claimId), work.byId.get(otherClaimId)];
    if (relation !== 'replaces' || from === undefined || to === undefined) continue;
    if (!isNegative(from) || isNegative(to) || work.reversed.has(from.id) || work.reversed.has(to.id))
      continue;
    link(work, 'takesBack', from, to);
    work.reversed.add(from.id).add(to.id);
  }
  const isWanted = (claim: Known): boolean => (claim.billed ?? 0) !== 0 && !work.reversed.has(claim.id);
  const buckets = Map.groupBy(claims.filter(isWanted), mirrorKeyOf);
  for (const bucket of buckets.values()) {
    const reversals = bucket.filter((claim) => isNegative(claim) && isInEffect(claim)).sort(byAge);
    if (reversals.length === 0) continue;
    const free = bucket.filter((claim) => !isNegative(claim)).sort(byAge);
    for (const reversal of reversals) {
      const at = findMirrored(work, reversal, free);
      const original = free[at];
      if (original === undefined) continue;
      free.splice(at, 1);
      const isDone = reversal.progress === 'approved';
      link(work, isDone ? 'takesBack' : 'inProcess', reversal, original);
      work.reversed.add(reversal.id);
      if (isDone) work.reversed.add(original.id);
    }
  }
}

/** Returns the index of the claim that a reversal cancels: the oldest with its number, or the oldest; or -1. */
function findMirrored(work: Work, reversal: Known, free: readonly Known[]): number {
  const base = reversal.number?.base;
  const hasOwn = base !== undefined && (work.sizes.get(base) ?? 0) > 1;
  let fallbackAt = -1;
  for (const [at, original] of free.slice(0, maxMirrors).entries()) {
    work.compared += 1;
    const isOwn = base !== undefined && original.number?.base === base;
    if (fallbackAt >= 0 && !isOwn) continue;
    if (!isMirror(reversal, original, isOwn)) continue;
    if (work.relationOf(reversal.id, original.id) !== undefined) continue;
    if (isOwn || !hasOwn) return at;
    fallbackAt = at;
  }
  return fallbackAt;
}

function isMirror(reversal: Known, original: Known, isOwn: boolean): boolean {
  const [reversedAmount, originalAmount] = [reversal.patientResponsibility, original.patientResponsibility];
  if (reversedAmount !== null && originalAmount !== null && reversedAmount !== -originalAmount) return false;
  if (isOwn) return mayBeSamePerson(reversal, original) && mayBeSameProvider(reversal, original);
  return (
    reversal.name !== null &&
    original.name !== null &&
    isSamePerson(reversal.name, original.name) &&
    isSameProvider(reversal.provider, original.provider)
  );
}

/** The newer one of two claims with one number, if it corrects the other; `unclear`, or null: they do not relate. */
function relate(a: Known, b: Known, hasSameLines: (claim: Known) => boolean): 'corrects' | 'unclear' | null {
  const [older, newer] = compareAge(a, b) <= 0 ? [a, b] : [b, a];
  const lines = compareLines(a, b);
  if (lines !== 'same') {
    // An adjusted claim corrects the one with its lines; if there is none, any with its number.
    const isAdjusted = newer.status === 'Adjusted' && compareAge(older, newer) < 0;
    if (isAdjusted && !hasSameLines(newer)) return 'corrects';
    if (lines === 'none' || older.progress === 'rejected' || newer.progress === 'rejected') return null;
    return newer.progress === 'inProcess' && older.progress === 'approved' ? 'corrects' : 'unclear';
  }
  return compareAge(a, b) === 0 ? 'unclear' : 'corrects';
}

function linkNumber(work: Work, claims: readonly Known[]): void {
  const hasCopies = claims.some((claim, at) => claims.slice(at + 1).some((other) => isCopy(claim, other)));
  const mayRelate = (a: Known, b: Known): boolean =>
    a.id !== b.id &&
    mayBeSamePerson(a, b) &&
    mayBeSameProvider(a, b) &&
    (!hasCopies || a.connection === b.connection || a.connection === null || b.connection === null);
  const charges = claims.filter((claim) => !isNegative(claim)).sort(byAge);
  const hasSameLines = (claim: Known): boolean =>
    charges.some((other) => mayRelate(claim, other) && compareLines(claim, other) === 'same');
  const corrections: { older: Known; newer: Known }[] = [];
  for (const [at, older] of charges.entries())
    for (const newer of charges.slice(at + 1)) {
      work.compared += 1;
      const judged = work.relationOf(older.id, newer.id);
      if (judged !== undefined) {
        linkJudged(work, judged);
        continue;
      }
      if (!mayRelate(older, newer)) continue;
      const relation = relate(older, newer, hasSameLines);
      // The lines of a reversed claim no longer count.
      const isReversed = work.reversed.has(older.id) || work.reversed.has(newer.id);
      if (relation === 'corrects') corrections.push({ older, newer });
      else if (relation === 'unclear' && !isReversed) link(work, 'unclear', newer, older);
    }
  linkCorrections(work, corrections);
  for (const reversal of claims)
    if (isNegative(reversal) && !work.reversed.has(reversal.id))
      linkOrphan(
        work,
        reversal,
        claims.filter((claim) => mayRelate(reversal, claim)),
      );
}

/** Links claims with the newest one that corrects them. */
function linkCorrections(work: Work, corrections: readonly { older: Known; newer: Known }[]): void {
  const takenBack = (claim: Known): boolean => work.reversed.has(claim.id);
  const held = new Set<number>();
  const ofOlder = Map.groupBy(corrections, ({ older }) => older);
  for (const [older, all] of ofOlder) {
    const newest = all.map(({ newer }) => newer).sort(byAge);
    const last = newest.findLast((claim) => !takenBack(claim) && claim.progress === 'approved');
    const ofRejected =
      older.progress === 'rejected' ? newest.findLast((claim) => claim.progress === 'rejected') : undefined;
    const replacement = last ?? ofRejected;
    if (replacement !== undefined) {
      link(work, 'replaces', replacement, older);
      continue;
    }
    const [back, open, rejected] = [
      newest.findLast(takenBack),
      newest.findLast((claim) => claim.progress === 'inProcess' && !claim.isMissing && !takenBack(claim)),
      newest.findLast((claim) => claim.progress === 'rejected' && !claim.isMissing),
    ];
    // It is unknown whether the original counts if its correction was reversed, or if the correction of a reversed one
    // was rejected.
    if (takenBack(older) ? rejected !== undefined && open === undefined : back !== undefined) {
      link(work, 'unclear', (takenBack(older) ? rejected : back) as Known, older);
      continue;
    }
    for (const [kind, correction] of [
      ['inProcess', open],
      ['rejected', rejected],
    ] as const) {
      if (correction === undefined) continue;
      link(work, kind, correction, older, held.has(correction.id));
      held.add(correction.id);
    }
    if (takenBack(older) && back !== undefined) link(work, 'replaces', back, older);
  }
}

/** Links a reversal, or a difference, that mirrors no claim with its number. */
function linkOrphan(work: Work, reversal: Known, others: readonly Known[]): void {
  if (!isInEffect(reversal)) return;
  const judged = others.map((other) => work.relationOf(reversal.id, other.id));
  for (const said of judged) if (said !== undefined && said.relation !== 'unrelated') linkJudged(work, said);
  if (judged.some((said) => said !== undefined && said.relation !== 'unrelated')) return;
  const isOpen = reversal.progress === 'inProcess';
  const charges = others.filter((other, at) => judged[at] === undefined && !isNegative(other));
  for (const [at, other] of charges.entries())
    link(work, isOpen ? 'inProcess' : 'unclear', reversal, other, isOpen && at > 0);
}

function linkJudged(work: Work, { claimId, otherClaimId, relation }: JudgedRelation): void {
  const [from, to] = [work.byId.get(claimId), work.byId.get(otherClaimId)];
  if (from !== undefined && to !== undefined && relation !== 'unrelated') link(work, relation, from, to);
}

/** Drops open questions about two claims if a third one replaces one of them. */
function dropDecided(links: readonly Link[]): Link[] {
  const replaced = new Set(links.flatMap(({ kind, to }) => (kind === 'replaces' ? [to] : [])));
  return links.filter(
    ({ kind, from, to }) => kind !== 'unclear' || !(replaced.has(from) || replaced.has(to)),
  );
}

/** Links these claims by what users decided about them, otherwise by their values. */
export function findLinks(
  claims: readonly ChainClaim[],
  judged: readonly JudgedRelation[],
): { readonly links: readonly Link[]; readonly compared: number } {
  const knownClaims = claims.map(toKnown).sort((a, b) => a.id - b.id);
  const numbers = Map.groupBy(knownClaims, ({ number }) => number?.base);
  const relations = new Map(
    judged.map((relation) => [pairKey(relation.claimId, relation.otherClaimId), relation]),
  );
  const work: Work = {
    byId: new Map(knownClaims.map((claim) => [claim.id, claim])),
    links: [],
    relationOf: (a, b) => relations.get(pairKey(a, b)),
    reversed: new Set(),
    sizes: new Map([...numbers].map(([base, some]) => [base ?? '', some.length])),
    compared: 0,
  };
  linkMirrors(work, knownClaims, judged);
  for (const [base, some] of numbers)
    if (base !== undefined && some.length > 1 && some.length <= maxOfNumber) linkNumber(work, some);
  return { links: dropDecided(work.links), compared: work.compared };
}
