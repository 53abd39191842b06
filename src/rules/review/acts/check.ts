import { z } from 'zod';
import { isVerified } from '../apply-decision.ts';
import { longText } from '../decision.ts';
import { actKind } from '../event-kind.ts';
import type { FoldedReview } from '../folded-review.ts';

/** Whether this author may check the claim's decision: it is done, and another author's. */
const isCheckable = (
  { state, reviewedBy }: Pick<FoldedReview, 'state' | 'reviewedBy'>,
  author: string,
): boolean => state === 'done' && reviewedBy !== author;

export const check = actKind({
  /** A second person agrees with a decision, or returns the claim to its author, always with a `reason`. */
  schema: z.object({
    kind: z.literal('check'),
    agrees: z.boolean(),
    reason: longText.nullable().default(null),
  }),
  counted: ['quality check'],
  words: ({ agrees }) => (agrees ? 'Quality check: agreed' : 'Quality check: sent back'),
  detail: ({ reason }) => reason,
  isEffective: (review, event) => isVerified(event) && isCheckable(review, event.author),
  fold(fold, { at, author, fact }) {
    const { review } = fold;
    const last = review.decisions.at(-1);
    if (last !== undefined) {
      const { author: decider, isVerified: isKnown } = last;
      review.checks.push({ author: decider, isVerified: isKnown, at, agrees: fact.agrees });
    }
    if (fact.agrees) {
      review.secondBy = author;
      fold.isAgreed = true;
      return;
    }
    fold.decided = { state: 'todo', outcome: null };
    const { owner, reviewedBy } = review;
    Object.assign(review, { ...fold.decided, reason: fact.reason, owner: owner ?? reviewedBy });
  },
  refuse: ({ agrees, reason }) => (!agrees && reason === null ? 'review.incomplete' : null),
  refuseOn: (_fact, review, { author }) =>
    review !== undefined && isCheckable(review, author) ? null : 'review.notToCheck',
  cells: ({ agrees, reason }) =>
    agrees ? {} : { 'review.state': 'todo', 'review.outcome': null, 'review.reason': reason },
  commands: [
    {
      key: 'y',
      label: 'Agree',
      goesOn: true,
      group: 'second',
      does: { act: { kind: 'check', agrees: true, reason: null } },
    },
    { key: 'd', label: 'Disagree', goesOn: true, group: 'second', does: { asks: 'disagree' } },
  ],
  isOfOneClaim: true,
  finishes: 'decided',
  texts: ['reason'],
  isPlaced: true,
});
