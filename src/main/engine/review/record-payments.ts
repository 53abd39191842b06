import type { PaymentKind } from '../../../contract/reimbursement.ts';
import type { ReviewDone } from '../../../contract/review.ts';
import type { FoldedReview } from '../store/record/review-facts.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import type { ActOn } from './act-on-claims.ts';
import type { ClaimReader } from './read-claims.ts';
import { type ReadPayment, readPayments } from './read-payments.ts';
import type { ReviewPorts } from './review-ports.ts';
import { createSelections } from './selections.ts';
import type { Settling } from './settle-reviews.ts';
import { openTwoPeopleRule } from './two-people.ts';

/** Payments of a file whose claims were found. */
interface PaymentPlan {
  readonly workspaceId: string;
  readonly payment: PaymentKind;
  readonly account: string;
  readonly rows: readonly { readonly claimId: number; readonly amount: number; readonly day: string }[];
}

/** The identity of a payment: two payments of a kind with the same mark are the same payment. */
const markOf = ({ claimId, day, amount }: PaymentPlan['rows'][number]): string =>
  `${claimId} ${day} ${amount}`;

/** The event of payments of a file; their amounts and days are with its claims. */
const factOf = (payment: PaymentKind, account: string) =>
  ({ kind: 'payment', payment, amount: null, day: null, account }) as const;

/** The payments of a kind that are already recorded, by whom and when. */
const findRecorded = (payment: PaymentKind, reviews: readonly FoldedReview[]) =>
  new Map(
    reviews.flatMap(({ claimId, payments }) =>
      payments
        .filter((one) => one.payment === payment)
        .map((one) => [markOf({ ...one, claimId }), { author: one.author, at: one.at }] as const),
    ),
  );

/** Records payments from a file in two steps: the first shows what would be recorded. */
export function createPaymentRecorder(
  ports: ReviewPorts,
  { readParts }: ClaimReader,
  { inQueue }: Settling,
  actOn: ActOn,
) {
  const paymentPlans = createSelections<PaymentPlan>();

  const readReviews = async (workspaceId: string, claimIds: number[]): Promise<FoldedReview[]> => {
    const userData = await ports.getUserData(workspaceId);
    return userData.isThere() ? userData.call('foldReviews', { workspaceId, claimIds }) : [];
  };

  return {
    /**
     * Finds the claims of a payments file and keeps the result in memory until it is recorded. A payment that was
     * recorded before (the same claim, kind, day and amount), or earlier in the file, or that would break the team's
     * two-person rule together with the rows before it, is listed with what does not match.
     *
     * @throws DeskError `review.badCsv`
     */
    async readPayments(wanted: { workspaceId: string; csv: string; payment: PaymentKind; account: string }) {
      const { workspaceId, payment, account } = wanted;
      const { payments, unmatched } = readPayments(wanted.csv);
      const store = await ports.getStore(workspaceId);
      const numbers = [...new Set(payments.map(({ claim }) => claim))];
      const found = await store.read('findNumbered', { numbers });
      const claimsOf = new Map(found.map(({ number, claims }) => [number, claims]));
      const claimIds = found.flatMap(({ claims }) => (claims.length === 1 ? claims : []));
      const reviews = await readReviews(workspaceId, claimIds);
      const reviewOf = new Map(reviews.map((review) => [review.claimId, review]));
      const recorded = findRecorded(payment, reviews);
      const findBroken = await openTwoPeopleRule(ports, workspaceId);
      const ofClaims = new Map<number, Pick<ReadPayment, 'amount' | 'day'>[]>();
      const inFile = new Set<string>();
      const rows: PaymentPlan['rows'][number][] = [];
      for (const { line, claim, amount, day } of payments) {
        const [claimId, ...others] = claimsOf.get(claim) ?? [];
        if (claimId === undefined) unmatched.push({ line, claim, reason: 'noClaim' });
        else if (others.length > 0) unmatched.push({ line, claim, reason: 'severalClaims' });
        else {
          const row = { claimId, amount, day };
          const before = recorded.get(markOf(row));
          if (before !== undefined)
            unmatched.push({ line, claim, reason: 'recordedBefore', recorded: before });
          else if (inFile.has(markOf(row))) unmatched.push({ line, claim, reason: 'repeated' });
          else {
            const ofClaim = [...(ofClaims.get(claimId) ?? []), { amount, day }];
            const detail = { payments: ofClaim };
            const rule = findBroken?.(reviewOf.get(claimId), { fact: factOf(payment, account), detail });
            if (rule != null) unmatched.push({ line, claim, reason: 'needsSecond', rule });
            else {
              rows.push(row);
              ofClaims.set(claimId, ofClaim);
            }
          }
          inFile.add(markOf(row));
        }
      }
      return {
        selectionId: paymentPlans.add({ workspaceId, payment, account, rows }),
        payments: rows.length,
        claims: new Set(rows.map(({ claimId }) => claimId)).size,
        amount: rows.reduce((sum, row) => sum + row.amount, 0),
        unmatched: unmatched.sort((a, b) => a.line - b.line),
      };
    },

    /**
     * Records the payments that `readPayments` found as one event, so that one undo removes them. Payments that were
     * recorded since, and those of claims that were removed since, are left out.
     */
    recordPayments(workspaceId: string, selectionId: string): Promise<ReviewDone> {
      // One file at a time, so that the same file read twice is recorded once.
      return inQueue(`payments ${workspaceId}`, async () => {
        const { payment, account, rows } = paymentPlans.get(workspaceId, selectionId);
        paymentPlans.remove(selectionId);
        const planned = [...new Set(rows.map(({ claimId }) => claimId))];
        const recorded = findRecorded(payment, await readReviews(workspaceId, planned));
        const payments = new Map<number, { amount: number; day: string }[]>();
        for (const { claimId, amount, day } of rows.filter((row) => !recorded.has(markOf(row))))
          payments.set(claimId, [...(payments.get(claimId) ?? []), { amount, day }]);
        const leftOut = planned.filter((claimId) => !payments.has(claimId));
        if (payments.size === 0) return { eventId: null, claims: 0, leftOut, notKnown: [], needsSecond: [] };
        const fact = factOf(payment, account);
        const claimIds = Float64Array.from(payments.keys());
        const keep = async function* (): AsyncGenerator<ActedClaim[]> {
          // With the claims' current values, so that a later change of what is eligible is found.
          for await (const { ids, found } of readParts(workspaceId, claimIds)) {
            const there = new Set(found.map(({ claimId }) => claimId));
            leftOut.push(...ids.filter((claimId) => !there.has(claimId)));
            yield found.map((one) => ({
              ...one,
              // Of an equal row that a colleague imports at the same time, only one counts (`fold-review.ts`).
              detail: { payments: payments.get(one.claimId) ?? [], fromFile: true },
            }));
          }
        };
        return { ...(await actOn(workspaceId, keep(), { fact })), leftOut, notKnown: [] };
      });
    },
  };
}
