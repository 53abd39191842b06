import type { ListKind } from '../store/record/list-kind.ts';
import type { FinishedPass, SyncState } from '../store/sync/sync-state.ts';

export const listKinds: readonly ListKind[] = ['members', 'claims'];

/** The most full reads of one list; beyond it the result is "not verified". */
export const maxPasses = 5;

interface PageFacts {
  readonly page: number;
  readonly records: number;
  readonly perPage: number;
  readonly pages: number | null;
  readonly hasNext: boolean | null;
}

/**
 * Whether a list ends with this page. An empty page ends it whatever `has_next` is; if `pages` shows that there is
 * more, `has_next: false` is ignored.
 */
export function isLastPage(facts: PageFacts): boolean {
  if (facts.records === 0) return true;
  if (facts.pages !== null && facts.page < facts.pages) return false;
  if (facts.hasNext !== null) return !facts.hasNext;
  return facts.pages !== null || facts.records < facts.perPage;
}

type Proof = { isProven: true } | { isProven: false; reason: string };

/**
 * Complete means: two successive full reads returned the same ids and digests, and both equal a total that did not
 * change. A single read by page numbers is not enough, because rows shift between requests.
 */
export function checkProof(
  passes: readonly Pick<FinishedPass, 'kind' | 'digest' | 'count' | 'total' | 'isSteady'>[],
  kind: ListKind,
): Proof {
  const [before, last] = passes.filter((pass) => pass.kind === kind).slice(-2);
  if (before === undefined || last === undefined)
    return { isProven: false, reason: 'It was read only once.' };
  if (before.digest !== last.digest)
    return { isProven: false, reason: `The ${kind} changed between two reads.` };
  if (!before.isSteady || !last.isSteady || before.total !== last.total)
    return { isProven: false, reason: `The service’s total of ${kind} kept moving.` };
  if (last.total === null) return { isProven: false, reason: `The service gave no total of ${kind}.` };
  if (last.total !== last.count) {
    return {
      isProven: false,
      reason: `The service says there are ${last.total} ${kind}, and returned ${last.count}.`,
    };
  }
  return { isProven: true };
}

/**
 * Chooses the list to read next: first every list once, so that all records are available early; then again, until two
 * reads agree. Null: nothing more.
 */
export function chooseNextPass(passes: readonly FinishedPass[]): { kind: ListKind; pass: number } | null {
  const countOf = (kind: ListKind): number => passes.filter((pass) => pass.kind === kind).length;
  for (const kind of listKinds) if (countOf(kind) === 0) return { kind, pass: 1 };
  for (const kind of listKinds) {
    if (!checkProof(passes, kind).isProven && countOf(kind) < maxPasses)
      return { kind, pass: countOf(kind) + 1 };
  }
  return null;
}

/**
 * Maximum age of the oldest read of a proof, in milliseconds. A sync that was interrupted for longer begins again,
 * because a read from days ago does not verify today's records, even if a read of today is equal to it.
 */
export const oldestReadMs = 12 * 60 * 60 * 1000;

/** Whether the reads of an interrupted sync are too old to continue with; an unknown time counts as too old. */
export function isTooOld(
  sync: Pick<SyncState, 'passes' | 'passStartedAt' | 'nextPage'>,
  nowMs: number,
): boolean {
  const begins = sync.passes.map((pass) => pass.startedAt);
  if (sync.nextPage > 1) begins.push(sync.passStartedAt);
  return begins.some((at) => !(nowMs - Date.parse(at) <= oldestReadMs));
}

/** Records still to be read, including the verifying reads; null while the size of a list is unknown. */
export function countLeft(
  sync: Pick<SyncState, 'kind' | 'total'> & { readonly passes: readonly FinishedPass[] },
  readInPass: number,
  expected: Readonly<Record<ListKind, number>>,
): number | null {
  let left = 0;
  for (const kind of listKinds) {
    const finished = sync.passes.filter((pass) => pass.kind === kind);
    const isCurrent = kind === sync.kind;
    const total = (isCurrent ? sync.total : null) ?? finished.at(-1)?.total ?? (expected[kind] || null);
    const reads = Math.max(2 - finished.length, isCurrent ? 1 : 0);
    if (reads > 0 && total === null) return null;
    left += reads * (total ?? 0) - (isCurrent ? Math.min(readInPass, total ?? 0) : 0);
  }
  return left;
}

/** The share of missing records above which the user is asked first. */
const suddenLossShare = 0.3;
const suddenLossMin = 20;

export const isSuddenLoss = (counts: { here: number; unseen: number }): boolean =>
  counts.unseen >= suddenLossMin && counts.unseen > counts.here * suddenLossShare;
