import { z } from 'zod';
import { actKind } from '../event-kind.ts';

export const flag = actKind({
  schema: z.object({ kind: z.literal('flag'), isFlagged: z.boolean() }),
  counted: ['flag'],
  words: ({ isFlagged }) => (isFlagged ? 'Flagged' : 'Removed flag'),
  fold({ review }, { fact }) {
    review.isFlagged = fact.isFlagged;
  },
  cells: ({ isFlagged }) => ({ 'review.flag': isFlagged || null }),
  commands: [{ key: 'm', label: 'Flag', goesOn: false, group: 'detail', does: { toggles: 'flag' } }],
  ofOptions: ({ flag: isFlagged, unflag }) =>
    isFlagged === true || unflag === true ? { kind: 'flag' as const, isFlagged: isFlagged === true } : null,
  setsValues: true,
  decidesNothing: true,
  inCheckpoint: 'newest',
});
