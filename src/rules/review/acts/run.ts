import { z } from 'zod';
import { formatTenThousandths } from '../../money/format-amount.ts';
import { eventKind } from '../event-kind.ts';
import { isOpenIn } from '../run-facts.ts';

export const run = eventKind({
  /**
   * Makes a run, whose ID is that of this event. Its claims have their open amounts at that time. Claims of the same
   * members on which something is owed back have an amount below zero, which the run deducts.
   */
  schema: z.object({
    kind: z.literal('run'),
    name: z.string().trim().min(1).max(80),
    /** The account from which, or by which, it is paid, as typed. */
    account: z.string().trim().max(200).default(''),
    /** How many claims it had at first, and their sum in ten-thousandths of a dollar: claims may be removed later. */
    claims: z.int().min(1),
    amount: z.int(),
    /** It has differences from what was sent, including amounts below zero that no other claim of the member covers. */
    corrections: z.literal(true).optional(),
  }),
  counted: ['run'],
  words: ({ name }) => `Added to run ${name}`,
  detail: ({ account }, { ofRun }) =>
    ofRun?.amount === undefined ? account || null : formatTenThousandths(ofRun.amount),
  /**
   * A claim is in one open run. If two computers added it to runs without having seen each other's, the earlier run has
   * it, even if that run was recorded as reimbursed before the later one was made.
   */
  fold({ review: { runs } }, { id, fact, detail }) {
    const { amount = 0, after = [] } = detail?.run ?? {};
    const other = runs.find(
      (candidate) =>
        isOpenIn(candidate.state) || (candidate.state === 'recorded' && !after.includes(candidate.id)),
    );
    const state = other === undefined ? 'made' : 'inOther';
    runs.push({ id, name: fact.name, amount, state, reason: other?.id ?? null });
  },
  isOfRun: true,
  inCheckpoint: 'each',
});
