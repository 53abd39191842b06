import { z } from 'zod';
import { duplicatePairSchema } from './duplicates.ts';

const claimRef = z.object({ workspaceId: z.string(), claimId: z.number().int() });

/** Worklists and duplicates. */
export const worklistProcedures = {
  /**
   * The claims that relate to this one, side by side: duplicates, what the patient would pay twice first, and then
   * adjustments.
   */
  'duplicates:of': {
    answeredBy: 'engine',
    input: claimRef,
    output: z.object({ pairs: z.array(duplicatePairSchema) }),
  },
} as const;
