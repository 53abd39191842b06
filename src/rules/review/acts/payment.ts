import { z } from 'zod';
import { formatDay } from '../../days.ts';
import { formatTenThousandths } from '../../money/format-amount.ts';
import { isTooFarAhead, paymentKinds, signOf } from '../../money/reimbursement.ts';
import { amount, day } from '../decision.ts';
import { actKind } from '../event-kind.ts';
import { paymentsOf } from '../fold-earlier.ts';
import { findRun, stateInRun } from '../fold-runs.ts';
import { paymentLabels } from '../review-labels.ts';
import { isOpenIn } from '../run-facts.ts';

const schema = z.object({
  kind: z.literal('payment'),
  payment: z.enum(paymentKinds),
  /**
   * Ten-thousandths of a dollar. Null in an act: the open amount of each claim, with a `day`. Null in an event: each
   * claim has its amount, as for payments that were imported together.
   */
  amount: amount.nullable(),
  day: day.nullable(),
  /** The account that paid, or a reference. */
  account: z.string().trim().max(200).default(''),
  /** The run whose claims it marks as reimbursed, with the amounts of the run. */
  run: z.string().max(60).optional(),
  /**
   * The ID of the event of the payments that were recorded in the same act, for what a run offsets; null: there are
   * none. Events made before this was stored lack it.
   */
  sameActAs: z.string().max(60).nullable().optional(),
});

export const payment = actKind({
  schema,
  counted: ['payment'],
  words({ payment: kind, amount: paid, sameActAs = null }) {
    if (sameActAs !== null) return `${paymentLabels[kind]} with the payments of its run`;
    return paid === null ? paymentLabels[kind] : `${paymentLabels[kind]} ${formatTenThousandths(paid)}`;
  },
  detail(fact, { payments }) {
    const paid = (payments ?? []).map(
      (part) => `${formatTenThousandths(part.amount)} · ${formatDay(part.day)}`,
    );
    const parts = [fact.day === null ? paid.join('; ') : formatDay(fact.day), fact.account];
    return parts.filter((part) => part !== '').join(' · ') || null;
  },
  /** The payment of a run counts once, and only for the claims of the run. */
  isEffective: (review, { fact: { run } }) => run === undefined || isOpenIn(stateInRun(review, run)),
  fold({ review }, { id, at, author, fact, digest, detail }) {
    if (review.reviewedIn === null && digest !== null)
      Object.assign(review, { paidIn: id, comparedIn: id, digest });
    const run = findRun(review, fact.run);
    if (run !== undefined) run.state = 'recorded';
    const { payment: kind, account } = fact;
    const paid =
      fact.amount === null || fact.day === null
        ? (detail?.payments ?? [])
        : [{ amount: fact.amount, day: fact.day }];
    const fromFile = detail?.fromFile === true;
    const payments = paymentsOf(review, run);
    for (const part of paid) {
      const same = payments.find(
        (other) => other.payment === kind && other.amount === part.amount && other.day === part.day,
      );
      if (fromFile && same?.fromFile === true) same.alsoBy.push({ author, at });
      else {
        const ofRun = fact.run === undefined ? {} : { run: fact.run };
        const { amount: paidAmount, day: paidOn } = part;
        const recorded = { id, payment: kind, amount: paidAmount, day: paidOn, account, author, at };
        payments.push({ ...recorded, fromFile, alsoBy: [], ...ofRun });
      }
    }
  },
  refuse({ payment: kind, amount: paid, day: paidOn, account }, today) {
    if (kind === 'writtenOff' && account === '') return 'review.incomplete';
    if (paid === null && (paidOn === null || signOf(kind) !== 1)) return 'usage.invalid';
    const isOfCents = paid === null || paid % 100 === 0;
    return isOfCents && (paidOn === null || !isTooFarAhead(paidOn, today)) ? null : 'review.badPayment';
  },
  commands: [{ key: 'p', label: 'Payment', goesOn: false, group: 'detail', does: { asks: 'payment' } }],
  finishes: 'paid',
  isShownSaved: true,
  isPlaced: true,
  isOfRun: true,
  inCheckpoint: 'each',
});
