import { z } from 'zod';
import { eventKind } from '../event-kind.ts';
import { findRun, stateInRun } from '../fold-runs.ts';

export const runChecked = eventKind({
  /** The run was checked before it is sent. */
  schema: z.object({ kind: z.literal('runChecked'), run: z.string().max(60) }),
  counted: ['checked run'],
  words: () => 'Run: checked',
  isEffective: (review, { fact }) => stateInRun(review, fact.run) === 'made',
  fold({ review }, { fact }) {
    Object.assign(findRun(review, fact.run) ?? {}, { state: 'checked' });
  },
  isOfRun: true,
  inCheckpoint: 'each',
});
