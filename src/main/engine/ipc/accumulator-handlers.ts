import type { Handlers } from '../../../contract/procedures.ts';
import type { Accumulators } from '../review/accumulators.ts';

/** Answers the procedures of families in their plan years. */
export const createAccumulatorHandlers = (
  accumulators: Accumulators,
): Handlers<'accumulators:family' | 'accumulators:try'> => ({
  'accumulators:family': accumulators.readFamily,
  'accumulators:try': accumulators.tryRules,
});
