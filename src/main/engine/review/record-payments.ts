import { type PaymentKind, settlesOwed } from '../../../contract/reimbursement.ts';
import type { BrokenRule, PaymentRow, ReviewDone } from '../../../contract/review.ts';
import type { FoldedReview } from '../store/record/review-facts.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import type { ActOn } from './act-on-claims.ts';
import { readOpen } from './pay-open.ts';
import { type ClaimReader, readAtOnce } from './read-claims.ts';
import { type ReadPayment, readPayments } from './read-payments.ts';
import type { ReviewPorts } from './review-ports.ts';
import { createSelections, type Selections } from './selections.ts';
import type { Settling } from './settle-reviews.ts';
import { openTwoPeopleRule } from './two-people.ts';

type PaidOn = Pick<ReadPayment, 'amount' | 'day'>;
type PlannedRow = PaidOn & { readonly claimId: number };

/** Payments of a file whose claims were found. */
interface PaymentPlan {
  readonly workspaceId: string;
  readonly payment: PaymentKind;
  readonly account: string;
  readonly rows: readonly PlannedRow[];
}

/** The identity of a payment: two payments of a kind with the same mark are the same payment. */
const markOf = ({ claimId, day, amount }: PlannedRow): string => `${claimId} ${day} ${amount}`;

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

interface RecorderContext {
  readonly ports: ReviewPorts;
  readonly claims: ClaimReader;
  readonly plans: Selections<PaymentPlan>;
  readonly actOn: ActOn;
}

async function readReviews(ports: ReviewPorts, workspaceId: string, claimIds: number[]) {
  const userData = await ports.getUserData(workspaceId);
  return userData.isThere() ? userData.call('foldReviews', { workspaceId, claimIds }) : [];
}

/** The payments that can be recorded, and why the others can't. */
function matchPayments(
  payments: readonly ReadPayment[],
  known: {
    readonly claimsOf: ReadonlyMap<string, readonly number[]>;
    readonly recorded: ReturnType<typeof findRecorded>;
    /** The two-person rule that these payments of one claim would break together. */
    readonly findBroken: (claimId: number, ofClaim: readonly PaidOn[]) => BrokenRule | null;
    /** Whether these payments of one claim together are more than is owed back of it, where they can't be. */
    readonly isTooMuch: (claimId: number, ofClaim: readonly PaidOn[]) => boolean;
  },
): { rows: PlannedRow[]; unmatched: PaymentRow[] } {
  const rows: PlannedRow[] = [];
  const unmatched: PaymentRow[] = [];
  const ofClaims = new Map<number, readonly PaidOn[]>();
  const inFile = new Set<string>();
  for (const { line, claim, amount, day } of payments) {
    const refuse = (why: Omit<PaymentRow, 'line' | 'claim'>) => unmatched.push({ line, claim, ...why });
    const [claimId, ...others] = known.claimsOf.get(claim) ?? [];
    if (claimId === undefined || others.length > 0) {
      refuse({ reason: claimId === undefined ? 'noClaim' : 'severalClaims' });
      continue;
    }
    const row = { claimId, amount, day };
    const mark = markOf(row);
    const before = known.recorded.get(mark);
    const ofClaim = [...(ofClaims.get(claimId) ?? []), { amount, day }];
    if (before !== undefined) refuse({ reason: 'recordedBefore', recorded: before });
    else if (inFile.has(mark)) refuse({ reason: 'repeated' });
    else if (known.isTooMuch(claimId, ofClaim)) refuse({ reason: 'moreThanOwed' });
    else {
      const rule = known.findBroken(claimId, ofClaim);
      if (rule !== null) refuse({ reason: 'needsSecond', rule });
      else {
        rows.push(row);
        ofClaims.set(claimId, ofClaim);
      }
    }
    inFile.add(mark);
  }
  return { rows, unmatched };
}

/** Whether payments of a claim, given by its ID, are more than is owed back of it now, where their kind can't be. */
async function openOwed(
  ports: ReviewPorts,
  workspaceId: string,
  payment: PaymentKind,
  claimIds: readonly number[],
): Promise<(claimId: number, ofClaim: readonly PaidOn[]) => boolean> {
  if (!settlesOwed(payment)) return () => false;
  const open: Awaited<ReturnType<typeof readOpen>> = new Map();
  for (let at = 0; at < claimIds.length; at += readAtOnce)
    for (const [claimId, one] of await readOpen(ports, workspaceId, claimIds.slice(at, at + readAtOnce)))
      open.set(claimId, one);
  return (claimId, ofClaim) =>
    ofClaim.reduce((sum, { amount }) => sum + amount, 0) > (open.get(claimId)?.mayWriteOff ?? 0);
}

/**
 * Finds the claims of a payments file and keeps the result in memory until it is recorded. A payment that was
 * recorded before (the same claim, kind, day and amount), or earlier in the file, or that together with the rows before it
 * would break the team's two-person rule or write off more than is owed back, is listed with what does not match.
 *
 * @throws DeskError `review.badCsv`
 */
async function planPayments(
  { ports, plans }: RecorderContext,
  wanted: { workspaceId: string; csv: string; payment: PaymentKind; account: string },
) {
  const { workspaceId, payment, account } = wanted;
  const { payments, unmatched } = readPayments(wanted.csv);
  const store = await ports.getStore(workspaceId);
  const numbers = [...new Set(payments.map(({ claim }) => claim))];
  const found = await store.read('findNumbered', { numbers });
  const claimIds = found.flatMap(({ claims }) => (claims.length === 1 ? claims : []));
  const reviews = await readReviews(ports, workspaceId, claimIds);
  const reviewOf = new Map(reviews.map((review) => [review.claimId, review]));
  const rule = await openTwoPeopleRule(ports, workspaceId);
  const fact = factOf(payment, account);
  const matched = matchPayments(payments, {
    claimsOf: new Map(found.map(({ number, claims }) => [number, claims])),
    recorded: findRecorded(payment, reviews),
    findBroken: (claimId, ofClaim) =>
      rule?.(reviewOf.get(claimId), { fact, detail: { payments: ofClaim } }) ?? null,
    isTooMuch: await openOwed(ports, workspaceId, payment, claimIds),
  });
  const { rows } = matched;
  return {
    selectionId: plans.add({ workspaceId, payment, account, rows }),
    payments: rows.length,
    claims: new Set(rows.map(({ claimId }) => claimId)).size,
    amount: rows.reduce((sum, row) => sum + row.amount, 0),
    unmatched: [...unmatched, ...matched.unmatched].sort((a, b) => a.line - b.line),
  };
}

async function recordPlan(
  { ports, claims, plans, actOn }: RecorderContext,
  workspaceId: string,
  selectionId: string,
): Promise<ReviewDone> {
  const { payment, account, rows } = plans.get(workspaceId, selectionId);
  plans.remove(selectionId);
  const planned = [...new Set(rows.map(({ claimId }) => claimId))];
  const recorded = findRecorded(payment, await readReviews(ports, workspaceId, planned));
  const payments = new Map<number, PaidOn[]>();
  for (const { claimId, amount, day } of rows.filter((row) => !recorded.has(markOf(row))))
    payments.set(claimId, [...(payments.get(claimId) ?? []), { amount, day }]);
  const leftOut = planned.filter((claimId) => !payments.has(claimId));
  if (payments.size === 0) return { eventId: null, claims: 0, leftOut, notKnown: [], needsSecond: [] };
  const claimIds = Float64Array.from(payments.keys());
  const keep = async function* (): AsyncGenerator<ActedClaim[]> {
    const isTooMuch = await openOwed(ports, workspaceId, payment, [...payments.keys()]);
    // With the claims' current values, so that a later change of what is eligible is found.
    for await (const { ids, found } of claims.readParts(workspaceId, claimIds)) {
      const kept = found.filter(({ claimId }) => !isTooMuch(claimId, payments.get(claimId) ?? []));
      const there = new Set(kept.map(({ claimId }) => claimId));
      leftOut.push(...ids.filter((claimId) => !there.has(claimId)));
      yield kept.map((one) => ({
        ...one,
        // Of an equal row that a colleague imports at the same time, only one counts (`fold-review.ts`).
        detail: { payments: payments.get(one.claimId) ?? [], fromFile: true },
      }));
    }
  };
  const done = await actOn(workspaceId, keep(), { fact: factOf(payment, account) });
  return { ...done, leftOut, notKnown: [] };
}

/** Records payments from a file in two steps: the first shows what would be recorded. */
export function createPaymentRecorder(
  ports: ReviewPorts,
  claims: ClaimReader,
  { inQueue }: Settling,
  actOn: ActOn,
) {
  const context: RecorderContext = { ports, claims, plans: createSelections(), actOn };
  return {
    readPayments: planPayments.bind(null, context),
    /**
     * Records the payments that `readPayments` found as one event, so that one undo removes them. Payments that were
     * recorded since, and those of claims that were removed since or of which too little is owed back now, are left out.
     */
    recordPayments: (workspaceId: string, selectionId: string): Promise<ReviewDone> =>
      // One file at a time, so that the same file read twice is recorded once.
      inQueue(`payments ${workspaceId}`, () => recordPlan(context, workspaceId, selectionId)),
  };
}
