import type { Decision } from './decision.ts';

/**
 * Whether nothing is left to do about a claim with this newest decision: it is done, and what is eligible of it was paid. All
 * others are open.
 */
export const isFinal = (decision: Pick<Decision, 'state' | 'outcome'> | null, isPaid: boolean): boolean =>
  decision?.state === 'done' &&
  (isPaid || (decision.outcome !== 'eligible' && decision.outcome !== 'partlyEligible'));
