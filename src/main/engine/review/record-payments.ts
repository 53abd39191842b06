import { localDayOf } from '../../../rules/days.ts';
import { findHoldingRun } from '../../../rules/money/corrections.ts';
import { isTooFarAhead, type PaymentKind, reducesOwed, signOf } from '../../../rules/money/reimbursement.ts';
import type { UnusedRow } from '../../../rules/review/file-rows.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import type { BrokenRule, ReviewDone } from '../../../rules/review/review.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { type ActOn, nothingLeftOut } from './append-act.ts';
import { type FoundByKeys, indexKeys, type RowKeys, sayKeys } from './find-by-keys.ts';
import { limitOf, readOpen, readServiceDays } from './pay-open.ts';
import { type ClaimReader, readAtOnce } from './read-claims.ts';
import { type ReadPayment, readPayments } from './read-payments.ts';
import type { ReviewPorts } from './review-ports.ts';
import { createSelections, type Selections } from './selections.ts';
import { openTwoPeopleRule } from './two-people.ts';
import type { ReviewUpdater } from './update-reviews.ts';

/** The most claims listed that an open run pays as well. */
const maxInRuns = 200;

type PaidOn = Pick<ReadPayment, 'amount' | 'day'>;
type PlannedRow = PaidOn & { readonly claimId: number; readonly isEarly: boolean };

/** Payments of a file whose claims were found. */
interface PaymentPlan {
  readonly workspaceId: string;
  readonly payment: PaymentKind;
  readonly account: string;
  readonly rows: readonly PlannedRow[];
}

/** The identity of a payment: two payments of one kind with the same mark are the same payment. */
const markOf = ({ claimId, day, amount }: Omit<PlannedRow, 'isEarly'>): string =>
  `${claimId} ${day} ${amount}`;

/** The event of payments from a file; their amounts and days are stored with its claims. */
const factOf = (payment: PaymentKind, account: string) =>
  ({ kind: 'payment', payment, amount: null, day: null, account }) as const;

/** The payments of a kind that are already recorded, by whom and when. */
const findRecorded = (payment: PaymentKind, reviews: readonly FoldedReview[]) =>
  new Map(
    reviews.flatMap(({ claimId, payments }) =>
      payments
        .filter((entry) => entry.payment === payment)
        .map((entry) => [markOf({ ...entry, claimId }), { author: entry.author, at: entry.at }] as const),
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

export const claimProblems = { none: 'noClaim', several: 'severalClaims', disagrees: 'disagrees' } as const;

/** The payments that can be recorded, and why the others can't. */
function matchPayments(
  payments: readonly ReadPayment[],
  context: {
    readonly findClaim: (keys: RowKeys) => FoundByKeys<number>;
    readonly recorded: ReturnType<typeof findRecorded>;
    /** The two-person rule that these payments of one claim together would break. */
    readonly findBroken: (claimId: number, ofClaim: readonly PaidOn[]) => BrokenRule | null;
    /** Whether these payments of one claim together are more than is owed back on it, for kinds that can't be. */
    readonly isTooMuch: (claimId: number, ofClaim: readonly PaidOn[]) => boolean;
    /** `YYYY-MM-DD`. */
    readonly today: string;
    /** The first days of service by claim. */
    readonly services: ReadonlyMap<number, string>;
  },
): { rows: PlannedRow[]; unmatched: UnusedRow[]; early: UnusedRow[] } {
  const rows: PlannedRow[] = [];
  const early: UnusedRow[] = [];
  const unmatched: UnusedRow[] = [];
  const ofClaims = new Map<number, readonly PaidOn[]>();
  const inFile = new Set<string>();
  for (const { line, keys, amount, day } of payments) {
    const refuse = (why: Omit<UnusedRow, 'line' | 'of'>) =>
      unmatched.push({ line, of: sayKeys(keys), ...why });
    const match = context.findClaim(keys);
    if ('problem' in match) {
      refuse({ reason: claimProblems[match.problem] });
      continue;
    }
    const claimId = match.one;
    const row = { claimId, amount, day, isEarly: day < (context.services.get(claimId) ?? '') };
    const mark = markOf(row);
    const before = context.recorded.get(mark);
    const ofClaim = [...(ofClaims.get(claimId) ?? []), { amount, day }];
    if (before !== undefined) refuse({ reason: 'recordedBefore', recorded: before });
    else if (inFile.has(mark)) refuse({ reason: 'repeated' });
    else if (isTooFarAhead(day, context.today)) refuse({ reason: 'tooFarAhead' });
    else if (context.isTooMuch(claimId, ofClaim)) refuse({ reason: 'moreThanOwed' });
    else {
      const rule = context.findBroken(claimId, ofClaim);
      if (rule !== null) refuse({ reason: 'needsSecond', rule });
      else {
        rows.push(row);
        if (row.isEarly) early.push({ line, of: sayKeys(keys), reason: 'beforeService' });
        ofClaims.set(claimId, ofClaim);
      }
    }
    inFile.add(mark);
  }
  return { rows, unmatched, early };
}

type OpenClaims = Awaited<ReturnType<typeof readOpen>>;

async function openAll(
  ports: ReviewPorts,
  workspaceId: string,
  claimIds: readonly number[],
): Promise<OpenClaims> {
  const open: OpenClaims = new Map();
  for (let at = 0; at < claimIds.length; at += readAtOnce)
    for (const [claimId, openClaim] of await readOpen(
      ports,
      workspaceId,
      claimIds.slice(at, at + readAtOnce),
    ))
      open.set(claimId, openClaim);
  return open;
}

/**
 * Whether payments of a claim, given by its ID, are more than is owed back on its chain now, or was paid on it, for
 * kinds that can't be. Payments of other claims of the chain that were checked before are included.
 */
function isTooMuchOf(
  open: OpenClaims,
  payment: PaymentKind,
): (claimId: number, ofClaim: readonly PaidOn[]) => boolean {
  if (!reducesOwed(payment) && signOf(payment) > 0) return () => false;
  const asked = new Map<number, number>();
  return (claimId, ofClaim) => {
    const openClaim = open.get(claimId);
    const sum = ofClaim.reduce((all, { amount }) => all + amount, 0);
    const others = openClaim?.chainClaims.reduce((all, id) => all + (asked.get(id) ?? 0), 0) ?? 0;
    if (sum + others > limitOf(payment, openClaim)) return true;
    asked.set(claimId, sum);
    return false;
  };
}

const sumRows = (rows: readonly PlannedRow[]): { payments: number; claims: number; amount: number } => ({
  payments: rows.length,
  claims: new Set(rows.map(({ claimId }) => claimId)).size,
  amount: rows.reduce((sum, row) => sum + row.amount, 0),
});

/**
 * Finds the claims of a payments file and keeps the result in memory until it is recorded. Rows that don't match are
 * listed with the reason: a payment that was recorded before (the same claim, kind, day and amount), or is earlier in
 * the file; one that together with the rows before it would break the team's two-person rule or write off more than is
 * owed back on the claim's chain; one that is more than 31 days ahead. Payments dated before the service are in
 * `early`.
 * @throws DeskError `review.badCsv`, `file.*`
 */
async function planPayments(
  { ports, plans }: RecorderContext,
  request: { workspaceId: string; file: Uint8Array; payment: PaymentKind; account: string },
) {
  const { workspaceId, payment, account } = request;
  const { payments, unmatched } = readPayments(request.file);
  const store = await ports.getStore(workspaceId);
  const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
  const numberedClaims = await store.read('findNumbered', {
    ids: distinct(payments.flatMap(({ keys }) => [keys.id, keys.either])),
    numbers: distinct(payments.flatMap(({ keys }) => [keys.number, keys.either])),
  });
  const findClaim = indexKeys(numberedClaims.map(({ claimId, ...keys }) => ({ ...keys, value: claimId })));
  const claimIds = [
    ...new Set(
      payments.flatMap(({ keys }) => {
        const match = findClaim(keys);
        return 'one' in match ? [match.one] : [];
      }),
    ),
  ];
  const reviews = await readReviews(ports, workspaceId, claimIds);
  const open = await openAll(ports, workspaceId, claimIds);
  const reviewOf = new Map(reviews.map((review) => [review.claimId, review]));
  const fact = factOf(payment, account);
  const rule = await openTwoPeopleRule(ports, workspaceId, fact);
  const matched = matchPayments(payments, {
    findClaim,
    recorded: findRecorded(payment, reviews),
    findBroken: (claimId, ofClaim) =>
      rule?.(reviewOf.get(claimId), { fact, detail: { payments: ofClaim } }) ?? null,
    isTooMuch: isTooMuchOf(open, payment),
    today: localDayOf(new Date(ports.clock.now())),
    services: await readServiceDays(ports, workspaceId, claimIds),
  });
  return {
    selectionId: plans.add({ workspaceId, payment, account, rows: matched.rows }),
    ...sumRows(matched.rows.filter(({ isEarly }) => !isEarly)),
    withEarly: sumRows(matched.rows),
    inRuns: [...new Set(matched.rows.map(({ claimId }) => claimId))]
      .flatMap((claimId) => {
        const run = findHoldingRun(reviewOf.get(claimId)?.runs ?? [], open.get(claimId)?.mates ?? []);
        return run === undefined ? [] : [{ claimId, run: run.name }];
      })
      .slice(0, maxInRuns),
    early: matched.early,
    unmatched: [...unmatched, ...matched.unmatched].sort((a, b) => a.line - b.line),
  };
}

async function recordPlan(
  { ports, claims, plans, actOn }: RecorderContext,
  workspaceId: string,
  selectionId: string,
  acceptsEarly: boolean,
): Promise<ReviewDone> {
  await ports.requireRead?.(workspaceId);
  const { payment, account, rows: all } = plans.get(workspaceId, selectionId);
  const rows = all.filter(({ isEarly }) => acceptsEarly || !isEarly);
  plans.remove(selectionId);
  const planned = [...new Set(rows.map(({ claimId }) => claimId))];
  const recorded = findRecorded(payment, await readReviews(ports, workspaceId, planned));
  const payments = new Map<number, PaidOn[]>();
  for (const { claimId, amount, day } of rows.filter((row) => !recorded.has(markOf(row))))
    payments.set(claimId, [...(payments.get(claimId) ?? []), { amount, day }]);
  const left = { ...nothingLeftOut(), leftOut: planned.filter((claimId) => !payments.has(claimId)) };
  if (payments.size === 0) return { eventId: null, claims: 0, ...left };
  const claimIds = Float64Array.from(payments.keys());
  const keep = async function* (): AsyncGenerator<ActedClaim[]> {
    const isTooMuch = isTooMuchOf(await openAll(ports, workspaceId, [...payments.keys()]), payment);
    // The claims' current values are stored, so that a later change in what is eligible is found.
    for await (const { ids, found } of claims.readParts(workspaceId, claimIds)) {
      const kept = found.filter(({ claimId }) => !isTooMuch(claimId, payments.get(claimId) ?? []));
      const keptIds = new Set(kept.map(({ claimId }) => claimId));
      left.leftOut.push(...ids.filter((claimId) => !keptIds.has(claimId)));
      yield kept.map((claim) => ({
        ...claim,
        // If a colleague imports an equal row at the same time, only one of the two counts (`fold-review.ts`).
        detail: { payments: payments.get(claim.claimId) ?? [], fromFile: true },
      }));
    }
  };
  return actOn(workspaceId, keep(), { fact: factOf(payment, account), left });
}

/** Records payments from a file in two steps: the first shows what would be recorded. */
export function createPaymentRecorder(
  ports: ReviewPorts,
  claims: ClaimReader,
  { inQueue }: ReviewUpdater,
  actOn: ActOn,
) {
  const context: RecorderContext = { ports, claims, plans: createSelections(), actOn };
  return {
    readPayments: planPayments.bind(null, context),
    /**
     * Records the payments that `readPayments` found as one event, so that one undo removes them. Payments that were
     * recorded since are left out, and so are those of claims that were removed since or on which too little is owed
     * back now.
     */
    recordPayments: (workspaceId: string, selectionId: string, acceptsEarly = false): Promise<ReviewDone> =>
      // One file at a time, so that the same file read twice is recorded once.
      inQueue(`payments ${workspaceId}`, () => recordPlan(context, workspaceId, selectionId, acceptsEarly)),
  };
}
