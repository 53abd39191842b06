import { z } from 'zod';
import { formatCountOf } from '../../count.ts';
import { shortText } from '../decision.ts';
import { eventKind } from '../event-kind.ts';

export const maxDealt = 100;

export const deal = eventKind({
  /** Claims were assigned to these people; the owner of each is with its claim. */
  schema: z.object({ kind: z.literal('deal'), owners: z.array(shortText).min(1).max(maxDealt) }),
  counted: ['assignment', 'assignments'],
  words: ({ owners: { length }, owners }) =>
    `Assigned to ${length < 4 ? owners.join(', ') : formatCountOf(length, 'person', 'people')}`,
  detail: (_fact, { owner }) => (owner === undefined ? null : `Owner ${owner}`),
  fold({ review }, { detail }) {
    review.owner = detail?.owner ?? review.owner;
  },
  decidesNothing: true,
  inCheckpoint: 'newest',
});
