import { z } from 'zod';
import { formatTenThousandths } from '../../money/format-amount.ts';
import { amount, day } from '../decision.ts';
import { actKind } from '../event-kind.ts';
import { leavePaymentOut } from '../fold-earlier.ts';

export const settlePayments = actKind({
  /**
   * Settles payments that two people recorded: all of them are right or, with `leaveOut`, one is the same as another
   * and does not count. Its `id` is that of its event.
   */
  schema: z.object({
    kind: z.literal('settlePayments'),
    leaveOut: z.object({ id: z.string().max(60), amount, day }).nullable(),
  }),
  counted: ['settled payment'],
  words: ({ leaveOut }) =>
    leaveOut === null
      ? 'Both payments are right'
      : `Left out a payment recorded twice: ${formatTenThousandths(leaveOut.amount)}`,
  fold({ review }, { fact }) {
    leavePaymentOut(review, fact.leaveOut);
    review.paidTwice = null;
  },
  isOfOneClaim: true,
  isPlaced: true,
});
