import { describe, expect, it } from 'vitest';
import {
  describeClaims,
  describeFact,
  detailOfEvent,
} from '../../../../../src/renderer/domain/review/describe-event.ts';
import {
  formatReviewed,
  listDifferences,
  sayChanges,
} from '../../../../../src/renderer/domain/review/list-differences.ts';
import { readPaymentAmount } from '../../../../../src/renderer/domain/review/review-payments.tsx';
import type { Cell } from '../../../../../src/rules/query.ts';
import type { Decision } from '../../../../../src/rules/review/decision.ts';
import type { ReviewFact } from '../../../../../src/rules/review/event-kinds.ts';
import type { ReviewEvent } from '../../../../../src/rules/review/review.ts';
import type { ReviewedChange } from '../../../../../src/rules/review/reviewed-values.ts';

const none = { onWhom: null, reason: null, reminder: null };

describe('an event of a review in words', () => {
  it.each<[ReviewFact, string]>([
    [{ kind: 'decision', state: 'done', outcome: 'partlyEligible', ...none }, 'Partly eligible'],
    [{ kind: 'decision', state: 'todo', outcome: null, ...none }, 'Undecided'],
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

  it('describes what an undo is about', () => {
    expect(describeClaims({ claims: 1, claimId: 20_007 })).toBe('claim 20007');
    expect(describeClaims({ claims: 1214, claimId: null })).toBe('1,214 claims');
  });

  it('has the longer texts separately: on whom, why, until when', () => {
    const fact: ReviewFact = {
      kind: 'decision',
      state: 'waiting',
      outcome: null,
      onWhom: 'Carrier',
      reason: 'No split',
      reminder: '2026-03-01',
    };
    expect(detailOfEvent({ fact, payments: null })).toBe(
      'Waiting on Carrier · No split · Reminder 03/01/2026',
    );
    expect(detailOfEvent({ fact: { kind: 'flag', isFlagged: true }, payments: null })).toBeNull();
  });

  it('says that it broke the team’s two-person rule', () => {
    const broken = 'One person decided and paid this, above the team’s amount of $500.00';
    const of = { payments: null, twoPeopleAbove: 5_000_000 };
    const paid = { payment: 'reimbursed', amount: 6_000_000, day: '2026-02-01', account: '' } as const;
    expect(detailOfEvent({ fact: { kind: 'payment', ...paid }, ...of })).toBe(`02/01/2026 · ${broken}`);
    const decision = { kind: 'decision', state: 'done', outcome: 'eligible', ...none } as const;
    expect(detailOfEvent({ fact: decision, ...of })).toBe(broken);
  });
});

describe('a difference since the review', () => {
  const change = (name: string, label: string, before: Cell, after: Cell): ReviewedChange => ({
    ...{ name, label, before, after },
    effect: 'reopen',
  });
  const responsibility = change('patient_responsibility', 'Patient responsibility', 50, 438.31);
  const status = change('status', 'Status', 'Processed', 'Adjusted');
  const lines: ReviewedChange = {
    ...change('claim_medical_lines', 'Claim lines', 2, 2),
    lines: {
      before: [
        {
          procedure_code: '99213',
          date_of_service: '2026-11-09/2026-11-09',
          amount_paid: 80.1,
          copayment: 5,
        },
        { procedure_code: 'A0425', amount_billed: 10 },
      ],
      after: [
        { procedure_code: 'J3010', amount_billed: 20 },
        { procedure_code: '99213', date_of_service: '2026-11-09/2026-11-09', amount_paid: 0 },
      ],
    },
  };
  it.each([
    ['patient_responsibility', 12.5, '$12.50'],
    ['patient_responsibility', null, '–'],
    ['network', 'OUT', 'Out-of-network'],
    ['is_incomplete', true, 'Yes'],
    ['$isMissing', true, 'Missing'],
    ['$isMissing', null, 'In the service'],
  ] as const)('%s %s is shown as %s', (name, value, text) => {
    expect(formatReviewed(name, value)).toBe(text);
  });

  it('has the difference of two amounts with its sign, and none if one is blank', () => {
    const blank = change('copayment', 'Copay', null, 5);
    expect(listDifferences([responsibility, status, blank])).toEqual([
      {
        title: null,
        differences: [
          { label: 'Patient responsibility', before: '$50.00', after: '$438.31', delta: '+$388.31' },
          { label: 'Status', before: 'Processed', after: 'Adjusted', delta: null },
          { label: 'Copay', before: '–', after: '$5.00', delta: null },
        ],
      },
    ]);
  });

  it('is described line by line, only what changed, and never as a count of lines', () => {
    expect(listDifferences([lines])).toEqual([
      {
        title: 'Line 11/09/2026 99213',
        differences: [
          { label: 'Plan paid', before: '$80.10', after: '$0.00', delta: '−$80.10' },
          { label: 'Copay', before: '$5.00', after: '–', delta: null },
        ],
      },
      {
        title: 'Line removed: A0425',
        differences: [{ label: 'Billed', before: '$10.00', after: null, delta: null }],
      },
      {
        title: 'Line added: J3010',
        differences: [{ label: 'Billed', before: null, after: '$20.00', delta: null }],
      },
    ]);
  });

  it.each([
    [[responsibility], 'Patient responsibility $50.00 → $438.31, +$388.31'],
    [[status, responsibility], 'Patient responsibility $50.00 → $438.31, +$388.31, and 1 more change'],
    [[status, lines], 'Status Processed → Adjusted, and 3 more changes'],
    [[lines], '3 claim lines changed'],
    [[change('$isMissing', 'No longer in the service', null, true)], 'No longer in the service'],
  ])('is one sentence: %#', (changes, sentence) => {
    expect(sayChanges(changes)).toBe(sentence);
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
