import { z } from 'zod';
import { eventKind } from '../event-kind.ts';

export const computer = eventKind({
  /** About the author's computer. */
  schema: z.object({
    kind: z.literal('computer'),
    /** How many employers its records have, and a keyed digest of their IDs. */
    employers: z.object({ count: z.int().min(0), digest: z.string().max(60) }).optional(),
    /** The newest entry of its audit log, so that the team has evidence of it. */
    audit: z.object({ seq: z.int().min(1), hash: z.string().max(80) }).optional(),
    version: z.string().max(40).optional(),
  }),
  counted: ['state of a computer', 'states of computers'],
  words: () => 'State of a computer',
  isOfTeam: true,
});
