import type { EligiblePart, PaymentKind } from '../money/reimbursement.ts';
import type { ReviewOutcome, ReviewState } from './decision.ts';

export const stateLabels: Readonly<Record<ReviewState, string>> = {
  todo: 'Undecided',
  inReview: 'In review',
  waiting: 'Waiting',
  back: 'Waiting, due',
  escalated: 'Escalated',
  done: 'Done',
  notSelected: 'Not selected',
};

export const outcomeLabels: Readonly<Record<ReviewOutcome, string>> = {
  eligible: 'Eligible',
  partlyEligible: 'Partly eligible',
  notEligible: 'Not eligible',
  noAction: 'No action',
  duplicate: 'Duplicate',
  disputed: 'Disputed',
};

export const paymentLabels: Readonly<Record<PaymentKind, string>> = {
  reimbursed: 'Reimbursed',
  matchedToCard: 'Matched to card payment',
  repaid: 'Repaid',
  offset: 'Offset against a payment',
  reversed: 'Reversed',
  writtenOff: 'Written off',
};

export const partLabels: Readonly<Record<EligiblePart, string>> = {
  deductible: 'Deductible',
  coinsurance: 'Coinsurance',
  copay: 'Copay',
};
