import { expect, test } from 'vitest';
import {
  computeEligible,
  defaultReimbursementRules,
  type EligiblePart,
} from '../../../src/contract/reimbursement.ts';

const all: EligiblePart[] = ['deductible', 'coinsurance', 'copay'];
type Fields = Parameters<typeof computeEligible>[0]['fields'];

test.each<[string, Fields, EligiblePart[], number | null]>([
  ['nothing split', { patient_responsibility: 100 }, all, 1_000_000],
  ['nothing split, some parts count', { patient_responsibility: 100 }, ['copay'], null],
  ['a part is missing', { copayment: 20, patient_responsibility: 100 }, all, null],
  ['a part is missing, the others are all', { copayment: 100, patient_responsibility: 100 }, all, 1_000_000],
  ['the others are all', { reduction: 80, copayment: 20, patient_responsibility: 100 }, ['coinsurance'], 0],
  [
    'a part that does not count is missing',
    { copayment: 20, patient_responsibility: 100 },
    ['copay'],
    200_000,
  ],
  ['no total, all parts', { reduction: 1, coinsurance_patient: 0.1, copayment: 0.2 }, all, 13_000],
  ['no total, a part is missing', { reduction: 1, copayment: 0.2 }, all, null],
])('eligible: %s', (_case, fields, parts, eligible) => {
  expect(computeEligible({ fields }, { ...defaultReimbursementRules, parts })).toBe(eligible);
});
