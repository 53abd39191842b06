import { computeEligible } from '../../../../rules/money/eligible.ts';
import type { EligibleSource } from '../../../../rules/money/eligible-source.ts';
import {
  defaultReimbursementRules,
  eligibleParts,
  type ReimbursementRules,
} from '../../../../rules/money/reimbursement.ts';

const all: ReimbursementRules = { ...defaultReimbursementRules, parts: [...eligibleParts] };
const onlyDeductible: ReimbursementRules = { ...all, parts: ['deductible'] };

const isPlain = ({ status, isUnread, notCovered }: EligibleSource): boolean =>
  status === 'Processed' && !isUnread && (notCovered === null || notCovered >= 0);

/**
 * Reads what the carrier applied to the deductible, and in total: what would be eligible of these parts, whatever
 * another plan paid. Null: unknown.
 */
export function readApplied(source: EligibleSource): {
  readonly isProcessed: boolean;
  readonly deductible: number | null;
  readonly outOfPocket: number | null;
} {
  const { deductible, copay, coinsurance, responsibility } = source;
  // Parts that add up, which is the usual case, give the same result as the table, which takes ten times as long.
  if (deductible !== null && copay !== null && coinsurance !== null && isPlain(source))
    if (Math.min(deductible, copay, coinsurance) >= 0 && deductible + copay + coinsurance === responsibility)
      return { isProcessed: true, deductible, outOfPocket: responsibility };
  const ownSource = { ...source, otherPaid: null, isOtherPaidPartial: false };
  const whole = computeEligible(ownSource, all);
  return {
    isProcessed: whole.rule !== 'notProcessed',
    deductible: computeEligible(ownSource, onlyDeductible).amount,
    outOfPocket: whole.amount,
  };
}
