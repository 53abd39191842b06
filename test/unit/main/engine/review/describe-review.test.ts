import { expect, test } from 'vitest';
import { defaultReimbursementRules } from '../../../../../src/contract/reimbursement.ts';
import type { ReviewedValues } from '../../../../../src/contract/reviewed-values.ts';
import { defaultSettings } from '../../../../../src/contract/workspace.ts';
import { describeReview } from '../../../../../src/main/engine/review/describe-review.ts';
import { foldReview } from '../../../../../src/main/engine/store/user-data/fold-review.ts';

test('the rules are those of the first member with an employer', () => {
  const now = {
    fields: { reduction: 10, coinsurance_patient: 0, copayment: 5, patient_responsibility: 15 },
    members: [
      { id: 1, employerId: null },
      { id: 2, employerId: 7 },
      { id: 3, employerId: 8 },
    ],
  } as unknown as ReviewedValues;
  const reimbursementRules = {
    'w/7': { ...defaultReimbursementRules, parts: ['copay' as const] },
    'w/8': { ...defaultReimbursementRules, parts: ['deductible' as const] },
  };
  const described = describeReview({
    workspaceId: 'w',
    review: foldReview(1, []),
    now,
    reviewed: null,
    receipt: null,
    settings: { ...defaultSettings, reimbursementRules },
    today: '2026-11-22',
  });
  expect(described.eligible).toBe(50_000);
});
