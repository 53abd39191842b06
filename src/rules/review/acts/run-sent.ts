import { z } from 'zod';
import { eventKind } from '../event-kind.ts';
import { findRun, stateInRun } from '../fold-runs.ts';

export const runSent = eventKind({
  /** The claims of the run were sent to the payer, with the file if one was made. */
  schema: z.object({
    kind: z.literal('runSent'),
    run: z.string().max(60),
    file: z.object({ name: z.string().max(255), sha256: z.string().max(64) }).nullable(),
  }),
  counted: ['sent run'],
  words: () => 'Run: sent',
  detail: ({ file }) => file?.name ?? null,
  isEffective: (review, { fact }) => ['made', 'checked'].includes(stateInRun(review, fact.run)),
  fold({ review }, { fact }) {
    Object.assign(findRun(review, fact.run) ?? {}, { state: 'sent' });
  },
  isOfRun: true,
  inCheckpoint: 'each',
});
