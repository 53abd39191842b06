import { z } from 'zod';
import { shortText } from '../decision.ts';
import { actKind } from '../event-kind.ts';

export const owner = actKind({
  schema: z.object({ kind: z.literal('owner'), owner: shortText.nullable() }),
  counted: ['change of owner', 'changes of owner'],
  words: (fact) => (fact.owner === null ? 'Removed owner' : `Owner ${fact.owner}`),
  fold({ review }, { fact }) {
    review.owner = fact.owner;
  },
  cells: (fact) => ({ 'review.owner': fact.owner }),
  commands: [
    { key: 'o', label: 'Owner', goesOn: false, group: 'detail', does: { asks: 'owner' } },
    { key: 's', label: 'Take claim', goesOn: false, group: 'inTeam', does: { takes: true } },
  ],
  ofOptions: (options) =>
    options.owner === undefined
      ? null
      : { kind: 'owner' as const, owner: options.owner === '' ? null : options.owner },
  setsValues: true,
  decidesNothing: true,
  inCheckpoint: 'newest',
});
