import { z } from 'zod';
import { formatTenThousandths } from '../../money/dollars.ts';
import { eventKind } from '../event-kind.ts';
import { isOpenIn } from '../run-facts.ts';

export const run = eventKind({
  /**
   * A run is made, whose ID is that of this event. It has claims with an open amount, each with what was open of it then; and
   * claims of the same members of which something is owed back, with an amount below zero, by which it pays the member
   * less.
   */
  schema: z.object({
    kind: z.literal('run'),
    name: z.string().trim().min(1).max(80),
    /** The account that it is paid from, or by, as typed. */
    account: z.string().trim().max(200).default(''),
    /** How many claims it had then, and their sum in ten-thousandths of a dollar: claims may be removed later. */
    claims: z.int().min(1),
    amount: z.int(),
    /** It holds what differs from what was sent, also amounts below zero that no other claim of the member covers. */
    corrections: z.literal(true).optional(),
  }),
  counted: ['run'],
  words: ({ name }) => `Added to run ${name}`,
  detail: ({ account }, { ofRun }) =>
    ofRun?.amount === undefined ? account || null : formatTenThousandths(ofRun.amount),
  /**
   * A claim is in one open run: where two computers put it into a run without having seen that of each other, the earlier
   * run has it, also where it was recorded as reimbursed before the later one was made.
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
