import { z } from 'zod';
import { shortText } from '../decision.ts';
import { actKind } from '../event-kind.ts';

const sayTags = (does: string, tags: readonly string[]): string[] =>
  tags.length === 0 ? [] : [`${does} ${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`];

export const tag = actKind({
  schema: z.object({
    kind: z.literal('tag'),
    add: z.array(shortText).max(50),
    remove: z.array(shortText).max(50),
  }),
  counted: ['change of tags', 'changes of tags'],
  words: ({ add, remove }) => [...sayTags('Added', add), ...sayTags('Removed', remove)].join('; '),
  fold({ review }, { fact }) {
    const tags = new Set([...review.tags, ...fact.add]);
    review.tags = [...tags].filter((name) => !fact.remove.includes(name)).sort();
  },
  commands: [{ key: 't', label: 'Tags', goesOn: false, group: 'detail', does: { asks: 'tags' } }],
  ofOptions: (options) =>
    (options.tag ?? options.untag) === undefined
      ? null
      : { kind: 'tag' as const, add: options.tag ?? [], remove: options.untag ?? [] },
  setsValues: true,
  decidesNothing: true,
  inCheckpoint: 'each',
});
