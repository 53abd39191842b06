import type { FoldedReview } from './folded-review.ts';
import type { ReviewOutcome } from './review.ts';

interface MadeEvent {
  readonly at: string;
  readonly author: string;
  readonly isUnsigned?: true | undefined;
}

/**
 * Collects, of the events of a claim that count, in their order, who decided it, what was reopened after that, and who
 * looked at it again.
 */
export function createDecisionFold() {
  const decisions: FoldedReview['decisions'] = [];
  const checks: FoldedReview['checks'] = [];
  return {
    decisions,
    checks,
    /** `outcome` null: the decision does not complete the claim. */
    decide({ at, author, isUnsigned }: MadeEvent, outcome: ReviewOutcome | null): void {
      decisions.push({ author, isVerified: isUnsigned !== true, at, outcome, isReopened: false });
    },
    /** A sync changed the claim after the last decision. */
    reopen(isReopened: boolean): void {
      const last = decisions.at(-1);
      if (last !== undefined) last.isReopened = isReopened && last.outcome !== null;
    },
    /** Somebody else looked at the last decision. */
    check({ at }: MadeEvent, agrees: boolean): void {
      const last = decisions.at(-1);
      if (last !== undefined) checks.push({ author: last.author, isVerified: last.isVerified, at, agrees });
    },
  };
}
