import { describe, expect, it } from 'vitest';
import type { Decision, ReviewEvent, ReviewFact } from '../../../../../src/contract/review.ts';
import { describeTerm } from '../../../../../src/renderer/domain/review/claim-worklists.tsx';
import {
  describeClaims,
  describeFact,
  detailOfEvent,
} from '../../../../../src/renderer/domain/review/describe-event.ts';
import { describeLine, formatReviewed } from '../../../../../src/renderer/domain/review/review-changes.tsx';
import { readPaymentAmount } from '../../../../../src/renderer/domain/review/review-payments.tsx';

const none = { onWhom: null, reason: null, reminder: null };

describe('an event of a review in words', () => {
  it.each<[ReviewFact, string]>([
    [{ kind: 'decision', state: 'done', outcome: 'partlyEligible', ...none }, 'Partly eligible'],
    [{ kind: 'decision', state: 'todo', outcome: null, ...none }, 'To do'],
    [{ kind: 'tag', add: ['HRA'], remove: ['FSA', 'Q1'] }, 'Added tag HRA; Removed tags FSA, Q1'],
    [
      { kind: 'payment', payment: 'reimbursed', amount: 125_000, day: '2026-02-01', account: '' },
      'Reimbursed $12.50',
    ],
    [{ kind: 'reminder', day: '2026-02-01' }, 'Reminder 02/01/2026'],
    [{ kind: 'judgeDuplicate', otherClaimId: 9, isDuplicate: false }, 'Not a duplicate of claim 9'],
    [{ kind: 'reopened' }, 'Reopened: changed since reviewed'],
  ])('%o', (fact, text) => {
    expect(describeFact(fact)).toBe(text);
  });

  it.each<[Partial<Decision>, ReviewEvent['amounts'], string]>([
    [
      { partly: { by: 'amount', amount: 1_200_000 }, cause: 'Copay not covered' },
      { eligible: 1_200_000, byRules: 4_383_100 },
      'Partly eligible: $120.00 of $438.31, copay not covered',
    ],
    [
      {
        partly: {
          by: 'lines',
          lines: [
            { line: 0, amount: 100_000 },
            { line: 1, amount: 20_000 },
          ],
        },
      },
      null,
      'Partly eligible: $12.00',
    ],
    [
      { partly: { by: 'parts', without: ['copay'] } },
      { eligible: 400_000, byRules: null },
      'Partly eligible: all but copay, $40.00',
    ],
    [
      { partly: { by: 'parts', without: ['copay', 'deductible'] } },
      null,
      'Partly eligible: all but deductible and copay',
    ],
    [
      { partly: { by: 'share', percent: 12.5 }, cause: 'HRA limit' },
      null,
      'Partly eligible: 12.5%, HRA limit',
    ],
    [{ outcome: 'notEligible', cause: 'Missing receipt' }, null, 'Not eligible: missing receipt'],
    [{ outcome: 'notEligible' }, null, 'Not eligible'],
  ])('says how much was decided, and why: %o', (decision, amounts, text) => {
    const fact = {
      kind: 'decision',
      state: 'done',
      outcome: 'partlyEligible',
      ...none,
      ...decision,
    } as const;
    expect(describeFact(fact, amounts)).toBe(text);
  });

  it('names what an undo is about', () => {
    expect(describeClaims({ claims: 1, claimId: 20_007 })).toBe('claim 20007');
    expect(describeClaims({ claims: 1214, claimId: null })).toBe('1,214 claims');
  });

  it('has the longer texts apart: on whom, why, until when', () => {
    const fact: ReviewFact = {
      kind: 'decision',
      state: 'waiting',
      outcome: null,
      onWhom: 'Carrier',
      reason: 'No split',
      reminder: '2026-03-01',
    };
    expect(detailOfEvent({ fact, payments: null })).toBe('On Carrier · No split · Reminder 03/01/2026');
    expect(detailOfEvent({ fact: { kind: 'flag', isFlagged: true }, payments: null })).toBeNull();
  });
});

describe('a difference since the review', () => {
  const change = { label: '', effect: 'reopen', before: null, after: null } as const;
  it.each([
    ['patient_responsibility', 12.5, '$12.50'],
    ['patient_responsibility', null, '—'],
    ['network', 'OUT', 'Out-of-network'],
    ['is_incomplete', true, 'Yes'],
    ['$isMissing', true, 'Missing'],
    ['$isMissing', null, 'In the service'],
  ] as const)('%s %s is shown as %s', (name, value, text) => {
    expect(formatReviewed({ ...change, name }, value)).toBe(text);
  });

  it('tells of a line what it is, and each amount with its name', () => {
    expect(describeLine({ procedure_code: '99213', amount_billed: 80, quantity: 1 })).toBe(
      '99213 · Quantity 1 · Billed $80.00',
    );
  });
});

describe('the amount of a payment', () => {
  it.each([
    ['12.50', 125_000],
    ['$1,234.5', 12_345_000],
    ['0.0001', 1],
    ['0', null],
    ['-5', null],
    ['1,2', null],
    ['', null],
    ['ten', null],
    ['0.00001', null],
  ] as const)('%s', (typed, amount) => {
    expect(readPaymentAmount(typed)).toBe(amount);
  });
});

describe('why a claim is in a worklist', () => {
  it.each([
    ['facts.open', 'Open amount', 30, 'Open amount: $30.00'],
    ['review.state', 'Review', 'todo', 'Review: To do'],
    ['review.changed_at', 'Changed since review', null, 'Changed since review: —'],
  ] as const)('%s', (field, label, value, text) => {
    expect(describeTerm({ condition: { field, operator: 'is', values: [] }, label, value })).toBe(text);
  });
});
