import { z } from 'zod';
import { longText } from '../decision.ts';
import { eventKind } from '../event-kind.ts';

export const undo = eventKind({
  /** `reason`: why a step of a run was undone. */
  schema: z.object({ kind: z.literal('undo'), reason: longText.optional() }),
  counted: ['undo', 'undone acts'],
  words: ({ reason }) => (reason === undefined ? 'Undo' : 'Took run back a step'),
  detail: ({ reason = null }) => reason,
  /** The undone event is left out beforehand (`findUndone`). */
  isEffective: () => false,
  decidesNothing: true,
});
