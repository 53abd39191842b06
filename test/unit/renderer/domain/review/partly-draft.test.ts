import { describe, expect, it, test } from 'vitest';
import type { ClaimRecord } from '../../../../../src/contract/records.ts';
import {
  findProblem,
  findWhole,
  limitOf,
  readDraft,
  startDraft,
} from '../../../../../src/renderer/domain/review/partly-draft.ts';
import { readAmount, writeAmount } from '../../../../../src/renderer/domain/review/typed-amount.ts';
import { defaultReimbursementRules } from '../../../../../src/rules/money/reimbursement.ts';

const line = (patient_responsibility: number | null, more: object = {}) => ({
  id: 1,
  patient_responsibility,
  ...more,
});
const claim = {
  id: 7,
  status: 'Processed',
  patient_responsibility: 438.31,
  claim_medical_lines: [
    line(400, { reduction: 300, copayment: 50, coinsurance_patient: 0, amount_not_covered: 50 }),
    line(38.31),
    line(null),
  ],
} as unknown as ClaimRecord;
const review = { partly: null, eligible: 4_383_100, byRules: 4_383_100 };
const start = startDraft(review, claim, defaultReimbursementRules);
const amount = (typed: string) => ({ ...start, amount: typed });
const lines = (...typed: string[]) => ({ ...start, by: 'lines' as const, lines: typed });

describe('what is typed of a partly eligible claim', () => {
  it('begins with what the rules give, for the claim and for each line', () => {
    expect(start).toEqual({ by: 'amount', amount: '438.31', lines: ['350.00', '38.31', ''] });
    const unknown = startDraft(
      { ...review, byRules: null, eligible: null },
      claim,
      defaultReimbursementRules,
    );
    expect(unknown.amount).toBe('');
  });

  it('begins with the decided amount if there is one', () => {
    const decided = { ...review, eligible: 1_200_000, partly: { by: 'amount', amount: 1_200_000 } as const };
    expect(startDraft(decided, claim, defaultReimbursementRules)).toMatchObject({
      by: 'amount',
      amount: '120.00',
    });
    const byLine = { by: 'lines', lines: [{ line: 1, amount: 100_000 }] } as const;
    expect(
      startDraft(
        { ...decided, partly: { ...byLine, lines: [...byLine.lines] } },
        claim,
        defaultReimbursementRules,
      ),
    ).toMatchObject({ by: 'lines', lines: ['0.00', '10.00', '0.00'] });
  });

  it('is the amount, or that of every line, with a blank one as 0', () => {
    expect(readDraft(amount('120'))).toEqual({
      partly: { by: 'amount', amount: 1_200_000 },
      eligible: 1_200_000,
    });
    expect(readDraft(lines('100', '', '20.5'))).toEqual({
      partly: {
        by: 'lines',
        lines: [
          { line: 0, amount: 1_000_000 },
          { line: 1, amount: 0 },
          { line: 2, amount: 205_000 },
        ],
      },
      eligible: 1_205_000,
    });
    expect(readDraft(amount(''))).toBeNull();
    expect(readDraft(lines('100', 'x', ''))).toBeNull();
  });

  it('goes from zero to what the rules give or, if that is unknown, to patient responsibility', () => {
    const limit = limitOf(review, claim);
    expect(findProblem(amount('0'), limit)).toBeNull();
    expect(findProblem(amount('438.31'), limit)).toBeNull();
    expect(findProblem(amount('438.32'), limit)).toBe('Enter an amount from $0.00 to $438.31.');
    expect(findProblem(amount('-1'), limit)).toBe('Enter an amount from $0.00 to $438.31.');
    expect(findProblem(amount('ten'), limit)).toBe('Enter an amount from $0.00 to $438.31.');
    expect(findProblem(lines('400', '38.31', '1'), limit)).toBe(
      'Enter amounts whose sum is from $0.00 to $438.31.',
    );
    expect(limitOf({ byRules: null }, claim)).toBe(4_383_100);
    expect(limitOf({ byRules: null }, undefined)).toBeNull();
    expect(findProblem(amount('ten'), null)).toBe('Enter an amount, for example 12.50.');
    expect(findProblem(amount('1'), 0)).toBe('By the rules, none of this claim is eligible.');
    expect(findProblem(amount('0'), 0)).toBeNull();
    expect(findProblem(amount('-20'), -300_000)).toBeNull();
    expect(findProblem(amount('20'), -300_000)).toBe('Enter an amount from −$30.00 to $0.00.');
  });

  it('is not part of the claim if it is all that the rules give', () => {
    const whole = 'This is the full amount. Choose Eligible, or enter less.';
    expect(findWhole(amount('438.31'), review.byRules)).toBe(whole);
    expect(findWhole(lines('400', '38.31', ''), review.byRules)).toBe(whole);
    expect(findWhole(amount('438.30'), review.byRules)).toBeNull();
    // What the rules can't tell is decided by its amount.
    expect(findWhole(amount('438.31'), null)).toBeNull();
  });
});

test.each([
  ['120', 1_200_000],
  ['$1,234.50', 12_345_000],
  ['-$12.5', -125_000],
  ['−12.50', -125_000],
  ['0', 0],
  ['1,2', null],
  ['', null],
  ['99999999999999999999', null],
] as const)('the amount %s', (typed, read) => {
  expect(readAmount(typed)).toBe(read);
});

test('an amount is written as typed', () => {
  expect([1_200_000, 5, -125_000, 0].map(writeAmount)).toEqual(['120.00', '0.0005', '-12.50', '0.00']);
});
