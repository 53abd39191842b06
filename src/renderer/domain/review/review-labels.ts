import type { PaymentKind } from '../../../contract/reimbursement.ts';
import type { ReviewOutcome, ReviewState } from '../../../contract/review.ts';
import type { StatusTone } from '../../lib/claim-status.ts';

export const stateLabels: Readonly<Record<ReviewState, string>> = {
  todo: 'To do',
  inReview: 'In review',
  waiting: 'Waiting',
  back: 'Back',
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
  reversed: 'Reversed',
};

export const stateTones: Readonly<Record<ReviewState, StatusTone | null>> = {
  todo: 'open',
  inReview: 'open',
  waiting: 'caution',
  back: 'caution',
  escalated: 'bad',
  done: 'good',
  notSelected: null,
};
