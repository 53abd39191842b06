import { z } from 'zod';
import { eventKind } from '../event-kind.ts';

export const wentBack = eventKind({
  /**
   * The server's log ended with an earlier entry again, `to`, as after a restore, and what was lost up to `from` was given
   * back; by a computer that had read it.
   */
  schema: z.object({ kind: z.literal('wentBack'), from: z.int().min(1), to: z.int().min(0) }),
  counted: ['earlier state of the server', 'earlier states of the server'],
  words: () => 'The team’s server went back',
  isOfTeam: true,
});
