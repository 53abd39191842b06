import { sumPayments } from '../../../contract/reimbursement.ts';
import type { ClaimReviewRow } from '../store/record/claim-reviews.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { type FoldedReview, stateOn } from '../store/user-data/fold-review.ts';

/** Claims that are folded and written at once: other calls are answered between two of these. */
const atOnce = 2_000;

/** The row of a review in lists. */
export function toReviewRow(review: FoldedReview, paidValues: string | null, today: string): ClaimReviewRow {
  const { payments } = review;
  return {
    claimId: review.claimId,
    state: stateOn(review, today),
    outcome: review.outcome,
    decidedOutcome: review.decidedOutcome,
    onWhom: review.onWhom,
    reason: review.reason,
    reminder: review.reminder,
    owner: review.owner,
    isFlagged: review.isFlagged,
    tags: review.tags,
    note: review.notes.at(-1)?.text ?? null,
    reviewedAt: review.reviewedAt,
    reviewedBy: review.reviewedBy,
    secondBy: review.secondBy,
    lastEventAt: review.lastEventAt,
    changedAt: review.changedAt,
    changedFields: review.changedFields,
    changedResponsibility: review.changedResponsibility,
    reimbursed:
      payments.length === 0
        ? null
        : sumPayments(payments.map(({ payment, amount }) => ({ kind: payment, amount }))),
    paidValues,
    digest: review.digest,
    judged: review.duplicates.flatMap(({ otherClaimId, isDuplicate, fingerprint }) =>
      fingerprint === null ? [] : [{ otherClaimId, isDuplicate, fingerprint }],
    ),
  };
}

/**
 * Brings the reviews in the records file up to the events in the user data file: two files, so that a crash between
 * them leaves rows behind, which are caught up from where they are. True where rows changed.
 *
 * @throws DeskError `store.*`, `disk.*`
 */
export async function catchUpReviews(wanted: {
  readonly workspaceId: string;
  readonly store: Store;
  readonly userData: UserDataStore;
  /** The day that it is on this computer. */
  readonly today: string;
  /** The day of service from which claims are to be reviewed. */
  readonly from: string;
  /** Claims that were added to events of before. */
  readonly added?: readonly number[] | undefined;
}): Promise<boolean> {
  const { workspaceId, store, userData, today } = wanted;
  const { mark, from } = await store.read('readReviewMark', null);
  let isChanged = from !== wanted.from;
  if (isChanged) await store.write('writeReviewsFrom', wanted.from);
  if (!userData.isThere()) return isChanged;
  const found = await userData.call('findReviewedAfter', {
    workspaceId,
    seq: mark?.seq ?? 0,
    id: mark?.id ?? '',
  });
  const end = found.end ?? { seq: 0, id: '' };
  const isWhole = found.isWhole && (mark !== null || found.claimIds.length > 0);
  const claimIds = [...new Set([...found.claimIds, ...(wanted.added ?? [])])];
  for (let at = 0; at < claimIds.length || (isWhole && at === 0); at += atOnce) {
    const some = claimIds.slice(at, at + atOnce);
    const reviews = await userData.call('foldReviews', { workspaceId, claimIds: some });
    const payments = reviews.flatMap(({ claimId, payments }) => {
      const last = payments.at(-1);
      return last === undefined ? [] : [{ claimId, eventId: last.id }];
    });
    const paid =
      payments.length === 0 ? [] : await userData.call('readPaidValues', { workspaceId, payments });
    const paidOf = new Map(paid.map(({ claimId, values }) => [claimId, values]));
    await store.write('applyReviews', {
      rows: reviews.map((review) => toReviewRow(review, paidOf.get(review.claimId) ?? null, today)),
      mark: at + atOnce >= claimIds.length ? { ...end, today } : null,
      isFirst: isWhole && at === 0,
    });
    isChanged = true;
  }
  if (!isWhole && mark !== null && mark.today !== today) {
    await store.write('bringBackReviews', { ...end, today });
    isChanged = true;
  }
  return isChanged;
}
