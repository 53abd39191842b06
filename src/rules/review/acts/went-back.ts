import { z } from 'zod';
import { eventKind } from '../event-kind.ts';

export const wentBack = eventKind({
  /**
   * A computer found that the server's log had gone back to entry `to`, for example after a restore, and sent the lost
   * entries up to `from` again.
   */
  schema: z.object({ kind: z.literal('wentBack'), from: z.int().min(1), to: z.int().min(0) }),
  counted: ['earlier state of the server', 'earlier states of the server'],
  words: () => 'The team’s server went back',
  isOfTeam: true,
});
