import type { ListKind } from '../store/ingest.ts';
import type { RunState } from '../store/sync-state.ts';

export type FinishedPass = RunState['passes'][number];

/** As many full reads of one list at the most; then the result is "not proven". */
export const mostPasses = 5;

/** What a page said about itself and about what follows. */
export interface PageFacts {
  readonly page: number;
  readonly records: number;
  readonly perPage: number;
  readonly pages: number | null;
  readonly hasNext: boolean | null;
}

/**
 * Whether a list ends with this page. An empty page ends it whatever `has_next` says; where `pages` says
 * there is more, `has_next: false` is not believed.
 */
export function isLastPage(facts: PageFacts): boolean {
  if (facts.records === 0) return true;
  if (facts.pages !== null && facts.page < facts.pages) return false;
  if (facts.hasNext !== null) return !facts.hasNext;
  return facts.pages !== null || facts.records < facts.perPage;
}

export type Proof = { isProven: true } | { isProven: false; reason: string };

/**
 * Complete means: two successive full reads gave the same ids and digests, and both equal a total that did
 * not move. One read over offsets proves nothing, because rows shift between requests.
 */
export function judgeProof(passes: readonly FinishedPass[], kind: ListKind): Proof {
  const [before, last] = passes.filter((pass) => pass.kind === kind).slice(-2);
  if (before === undefined || last === undefined)
    return { isProven: false, reason: 'It was read only once.' };
  if (before.digest !== last.digest) {
    return { isProven: false, reason: `The ${kind} changed between two reads.` };
  }
  if (!before.isSteady || !last.isSteady || before.total !== last.total) {
    return { isProven: false, reason: `The service’s total of ${kind} kept moving.` };
  }
  if (last.total === null) return { isProven: false, reason: `The service gave no total of ${kind}.` };
  if (last.total !== last.count) {
    return {
      isProven: false,
      reason: `The service says there are ${last.total} ${kind}, and returned ${last.count}.`,
    };
  }
  return { isProven: true };
}

/** What is to be read next: every list once first, so that all is usable early; then proof. Null: nothing more. */
export function chooseNextPass(passes: readonly FinishedPass[]): { kind: ListKind; pass: number } | null {
  const kinds: ListKind[] = ['members', 'claims'];
  const countOf = (kind: ListKind): number => passes.filter((pass) => pass.kind === kind).length;
  for (const kind of kinds) if (countOf(kind) === 0) return { kind, pass: 1 };
  for (const kind of kinds) {
    if (!judgeProof(passes, kind).isProven && countOf(kind) < mostPasses)
      return { kind, pass: countOf(kind) + 1 };
  }
  return null;
}

/** Records that vanish at once without being believed: more than this share of those that are here. */
export const suddenLossShare = 0.3;
export const suddenLossLeast = 20;

export function isSuddenLoss(counts: { here: number; unseen: number }): boolean {
  return counts.unseen >= suddenLossLeast && counts.unseen > counts.here * suddenLossShare;
}
