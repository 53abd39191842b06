import { z } from 'zod';
import { sumPayments } from '../../money/reimbursement.ts';
import { eventKind } from '../event-kind.ts';
import { paymentsOf } from '../fold-earlier.ts';
import { findRun, stateInRun } from '../fold-runs.ts';
import { isOpenIn } from '../run-facts.ts';

export const runLeft = eventKind({
  /**
   * The claims are removed from the run: the payer rejected them, or an admin left them out. `reason` null: each claim
   * has its reason. If a claim was recorded as reimbursed, the same event reverses that.
   */
  schema: z.object({
    kind: z.literal('runLeft'),
    run: z.string().max(60),
    reason: z.string().trim().min(1).max(1000).nullable(),
  }),
  counted: ['claim left out of a run', 'claims left out of a run'],
  words: () => 'Left out of run',
  detail: ({ reason }, { ofRun }) => reason ?? ofRun?.reason ?? null,
  isEffective(review, { fact }) {
    const state = stateInRun(review, fact.run);
    return isOpenIn(state) || state === 'recorded';
  },
  fold({ review }, { id, at, author, fact, detail }) {
    const run = findRun(review, fact.run);
    if (run === undefined) return;
    const payments = paymentsOf(review, run);
    const paid = payments.filter((payment) => payment.run === run.id);
    const amount = sumPayments(paid.map((payment) => ({ kind: payment.payment, amount: payment.amount })));
    const last = paid.at(-1);
    if (last !== undefined && amount !== 0) {
      const { account, day } = last;
      payments.push({
        // An offset is reversed by counting as reimbursed again.
        id,
        payment: amount > 0 ? 'reversed' : 'reimbursed',
        amount: Math.abs(amount),
        day,
        account,
        author,
        at,
        run: run.id,
        fromFile: false,
        alsoBy: [],
      });
    }
    Object.assign(run, { state: 'left', reason: detail?.reason ?? fact.reason });
    if (detail?.rejected === true) run.isRejected = true;
  },
  isOfRun: true,
  inCheckpoint: 'each',
});
