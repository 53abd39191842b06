import { expect, test } from 'vitest';
import { defaultSettings } from '../../../../../src/contract/settings.ts';
import { describeReview } from '../../../../../src/main/engine/review/describe-review.ts';
import { readEligibleSource } from '../../../../../src/rules/money/eligible-source.ts';
import { defaultReimbursementRules } from '../../../../../src/rules/money/reimbursement.ts';
import { foldReview } from '../../../../../src/rules/review/fold-review.ts';

test('the rules are those of the employer of the claim', () => {
  const fields = {
    status: 'Processed',
    reduction: 10,
    coinsurance_patient: 0,
    copayment: 5,
    patient_responsibility: 15,
  };
  const reimbursementRules = {
    'w#7': { ...defaultReimbursementRules, parts: ['copay' as const] },
    'w#8': { ...defaultReimbursementRules, parts: ['deductible' as const] },
  };
  const described = describeReview({
    workspaceId: 'w',
    review: foldReview(1, []),
    now: null,
    claim: { employerId: 7, source: readEligibleSource({ fields }), account: null },
    chain: null,
    reviewed: null,
    compared: null,
    settings: { ...defaultSettings, service: 'w', reimbursementRules },
    today: '2026-11-22',
  });
  expect(described.eligible).toBe(50_000);
});
