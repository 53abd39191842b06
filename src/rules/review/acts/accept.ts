import { z } from 'zod';
import { formatTenThousandths } from '../../money/format-amount.ts';
import { confirmValues } from '../apply-decision.ts';
import { actKind } from '../event-kind.ts';

export const accept = actKind({
  /** Confirms the previous decision for the claim's current values. */
  schema: z.object({ kind: z.literal('accept') }),
  counted: ['accepted change'],
  words: (_fact, { amounts = null }) =>
    `Kept decision after a change${amounts === null ? '' : `: ${formatTenThousandths(amounts.eligible)}`}`,
  isEffective: ({ reviewedIn }) => reviewedIn !== null,
  fold(fold, event) {
    const { review, decided, lastDecision } = fold;
    Object.assign(review, decided);
    review.amounts = event.detail?.amounts ?? review.amounts;
    confirmValues(fold, event, lastDecision);
  },
  cells: () => ({ 'review.changed_at': null }),
  /** Shown on a claim that changed since it was decided: the decision applies to its current values. */
  commands: [
    { key: 'a', label: 'Keep decision', goesOn: true, group: 'keep', does: { act: { kind: 'accept' } } },
  ],
  finishes: 'decided',
  isPlaced: true,
});
