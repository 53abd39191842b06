import { z } from 'zod';
import { formatDay } from '../../days.ts';
import { appealAskers, appealDirections, sayAppeal } from '../appeals.ts';
import { day, longText } from '../decision.ts';
import { actKind } from '../event-kind.ts';

export const appeal = actKind({
  /** The last day to answer; null: the engine computes it from `day` by the employer's rules. Stored events always have a day. */
  schema: z.object({
    kind: z.literal('appeal'),
    direction: z.enum(appealDirections),
    asker: z.enum(appealAskers),
    level: z.int().min(1).max(3),
    day,
    due: day.nullable(),
    reason: longText.nullable(),
  }),
  counted: ['appeal'],
  words: (fact) => sayAppeal(fact),
  detail: ({ due, reason }) => {
    const parts = [due === null ? null : `Answer due ${formatDay(due)}`, reason];
    return parts.filter((part) => part !== null).join(' · ') || null;
  },
  fold({ review }, { id, at, author, fact }) {
    const { direction, asker, level, reason } = fact;
    const made = review.decisions.filter(({ outcome }) => outcome !== null);
    const deciders = [...new Set(made.map((decision) => decision.author))];
    review.appeals.push({
      id,
      direction,
      asker,
      level,
      day: fact.day,
      due: fact.due ?? fact.day,
      reason,
      author,
      at,
      deciders,
      answered: null,
    });
  },
  refuse: ({ direction, asker, day: from, due }) =>
    (direction === 'received' && asker === 'us') || (due !== null && due < from) ? 'usage.invalid' : null,
  isOfOneClaim: true,
  decidesNothing: true,
  isShownSaved: true,
  texts: ['reason'],
});
