import type { ClaimReviewRow } from '../../src/main/engine/store/record/review-facts.ts';
import { toReviewRow } from '../../src/main/engine/store/record/review-facts.ts';
import type { FactRules } from '../../src/main/engine/store/worklists/claim-facts.ts';
import { foldReview } from '../../src/rules/review/fold-review.ts';
import type { OpenedStore } from './engine-store.ts';

export const usualRules: FactRules = {
  service: 'w',
  settings: { planYearStart: 1, planYearStarts: {}, reimbursementRules: {}, planRules: {} },
};

/** Updates duplicates, facts and worklists, as the engine does after a sync. */
export function updateStore(store: OpenedStore, today: string, rules: FactRules = usualRules): void {
  const looked = store.read.lookForDuplicates(null);
  if (looked === 'firstRead') throw new Error('the indexes are not there');
  const at = `${today}T12:00:00.000Z`;
  let findings = looked;
  while (store.write.updateFacts({ ...rules, today, at, findings })) findings = null;
}

const noReview = toReviewRow(foldReview(0, []), { today: '2026-01-01', paidValues: null, blankChange: null });

/** Writes the rows of reviews that lists show, without the events from which they are usually made. */
export function writeReviews(
  store: OpenedStore,
  ...rows: (Partial<ClaimReviewRow> & { claimId: number })[]
): void {
  store.write.applyReviews({
    rows: rows.map((row) => ({ ...noReview, ...row })),
    mark: null,
    isFirst: false,
  });
}
