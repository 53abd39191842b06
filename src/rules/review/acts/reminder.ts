import { z } from 'zod';
import { formatDay } from '../../days.ts';
import { day } from '../decision.ts';
import { actKind } from '../event-kind.ts';

export const reminder = actKind({
  schema: z.object({ kind: z.literal('reminder'), day: day.nullable() }),
  counted: ['reminder'],
  words: (fact) => (fact.day === null ? 'Removed reminder' : `Reminder ${formatDay(fact.day)}`),
  fold({ review }, { fact }) {
    review.reminder = fact.day;
  },
  cells: (fact) => ({ 'review.reminder': fact.day }),
  commands: [{ key: 'r', label: 'Reminder', goesOn: false, group: 'detail', does: { asks: 'reminder' } }],
  ofOptions: (options) =>
    options.state !== undefined || options.reminder === undefined
      ? null
      : { kind: 'reminder' as const, day: options.reminder === '' ? null : options.reminder },
  setsValues: true,
  decidesNothing: true,
  inCheckpoint: 'newest',
});
