import { describe, expect, it } from 'vitest';
import { sayClaimReason } from '../../../../../src/renderer/domain/worklist/say-claim-reason.ts';
import { fieldsOf } from '../../../../../src/rules/list-fields.ts';
import type { Row } from '../../../../../src/rules/query.ts';
import { fieldsOfReason } from '../../../../../src/rules/worklists/worklist-reasons.ts';
import { type WorklistId, worklistIds } from '../../../../../src/rules/worklists/worklist-table.ts';

const cases: readonly (readonly [WorklistId, Row, string])[] = [
  ['new', {}, 'Not looked at yet'],
  [
    'changed',
    { 'review.changed_fields': 'status patient_responsibility', 'review.changed_responsibility': 3_883_100 },
    'Patient responsibility +$388.31, status',
  ],
  [
    'changed',
    { 'review.changed_fields': 'patient_responsibility', 'review.changed_responsibility': -50_000 },
    'Patient responsibility −$5.00',
  ],
  [
    'changed',
    { 'review.changed_fields': 'patient_responsibility claim_medical_lines' },
    'Patient responsibility, claim lines',
  ],
  ['changed', { 'review.changed_fields': null }, 'Changed since reviewed'],
  [
    'lettersUntrue',
    { 'facts.letter_untrue': 'Not eligible, Owed back', 'review.letter_day': '2026-11-02' },
    'Letter no longer true: not eligible, owed back, last one of 11/02/2026',
  ],
  ['toDecide', { 'facts.open': 63_515_100 }, 'Open $6,351.51, nothing missing'],
  ['toPay', { 'facts.open': 300_000, 'review.outcome': 'eligible' }, 'Open $30.00, reviewed as eligible'],
  ['toPay', { 'review.outcome': 'partlyEligible' }, 'Open amount not known, reviewed as partly eligible'],
  [
    'decidedTwice',
    { 'review.decided_twice': 'ann@acme.example, ben@acme.example', 'review.outcome': 'notEligible' },
    'Decided differently by ann@acme.example, ben@acme.example; counts as not eligible',
  ],
  [
    'paidTwice',
    { 'review.paid_twice': 1_000_000, 'review.reimbursed': 2_200_000 },
    'Two people recorded payments, $100.00 at stake, $220.00 reimbursed in all',
  ],
  [
    'owedBack',
    {
      'facts.changed_since_paid': 'Eligible amount changed',
      'review.reimbursed': 1_200_000,
      'facts.eligible': 1_000_000,
    },
    'Eligible amount changed: $120.00 reimbursed, $100.00 eligible now',
  ],
  [
    'back',
    { 'review.on_whom': 'Summit Ridge', 'review.reason': 'EOB', 'review.reminder': '2026-11-02' },
    'Reminder of 11/02/2026 is due, was waiting on Summit Ridge: EOB',
  ],
  [
    'back',
    { 'review.on_whom': 'Summit Ridge', 'review.changed_at': '2026-11-05T12:00:00Z' },
    'Changed on 11/05/2026, was waiting on Summit Ridge',
  ],
  [
    'waiting',
    { 'review.on_whom': 'Summit Ridge', 'review.at': '2026-11-02T12:00:00Z', 'review.reason': 'EOB' },
    'Waiting on Summit Ridge since 11/02/2026: EOB',
  ],
  [
    'waiting',
    { 'review.on_whom': 'Member', 'review.at': '2026-11-02T12:00:00Z', 'review.reminder': '2026-11-20' },
    'Waiting on Member since 11/02/2026 until 11/20/2026',
  ],
  [
    'escalated',
    { 'review.on_whom': 'Ann', 'review.at': '2026-11-02T12:00:00Z', 'review.reason': 'Too large' },
    'Escalated to Ann on 11/02/2026: Too large',
  ],
  [
    'denied',
    {
      'facts.denial': 'Rejected',
      'facts.appeal_check_by': '2026-11-11',
      remarks: 'Not medically necessary',
    },
    'Denied, 1 day left to appeal: Not medically necessary',
  ],
  [
    'denied',
    { 'facts.denial': 'Rejected', 'facts.appeal_check_by': '2026-11-09' },
    'Denied, time to appeal may be over',
  ],
  ['denied', { 'facts.denial': 'Not covered in part' }, 'Not covered in part'],
  ['pending', { 'facts.pending_since': '2026-10-01' }, 'Not processed by the carrier for 40 days'],
  [
    'notSubstantiated',
    { 'facts.missing_items': 'Provider, Dates of service' },
    'Missing: provider, dates of service',
  ],
  ['noSplit', { patient_responsibility: 500_000 }, '$50.00 without deductible, copay, and coinsurance'],
  [
    'amountsDisagree',
    { 'facts.amounts_disagree': 'Lines', 'facts.line_difference': -125_000, 'facts.parts_sum': 10_000 },
    'Lines are $12.50 below the claim',
  ],
  [
    'amountsDisagree',
    {
      'facts.amounts_disagree': 'Lines, Patient responsibility',
      'facts.line_difference': 30_000,
      'facts.parts_sum': 400_000,
      patient_responsibility: 500_000,
    },
    'Lines are $3.00 above the claim; deductible, copay, and coinsurance are $40.00 of $50.00 patient responsibility',
  ],
  [
    'rejectedByPayer',
    { 'review.rejected': 'No such employee', 'review.run': 'November', 'facts.open': 250_000 },
    'Rejected in the run November: No such employee; open $25.00',
  ],
  [
    'exceptions',
    {
      'facts.exception_parts': 'Could not be computed',
      'facts.exceptions_why': 'Deadline to decide: “soon” is not a date',
    },
    'Could not be computed: Deadline to decide: “soon” is not a date',
  ],
  [
    'carrierDisagrees',
    { 'facts.carrier_deductible': 4_000_000, 'facts.carrier_out_of_pocket': 3_011_700 },
    'Deductible $400.00 too high; over the out-of-pocket maximum by $301.17',
  ],
  [
    'carrierDisagrees',
    { 'facts.carrier_deductible': -120_000 },
    'Deductible $12.00 too low, as coinsurance was charged before it was met',
  ],
  ['otherInsurance', { amount_paid_other: 120_000 }, 'Another plan paid $12.00'],
  [
    'highCost',
    { 'facts.year_allowed': 520_000_000, 'facts.plan_year': '2026', 'facts.high_cost_from': 500_000_000 },
    '$52,000.00 allowed in plan year 2026, more than $50,000.00',
  ],
  [
    'duplicates',
    { 'facts.duplicate': 'Exact', $equalClaims: 3, 'facts.payable_twice': 500_000 },
    'Exact duplicate, one of 3 equal claims, $50.00 payable twice',
  ],
  ['duplicates', { 'facts.duplicate': 'Same claim twice' }, 'Same claim twice'],
  [
    'due',
    { 'facts.due_kind': 'Reimburse', 'facts.due_day': '2026-11-22', 'facts.open': 200_000 },
    '12 days left to reimburse, by 11/22/2026, open $20.00',
  ],
  [
    'due',
    { 'facts.due_kind': 'Decide', 'facts.due_day': '2026-11-09', 'facts.open': 200_000 },
    '1 day overdue, due 11/09/2026',
  ],
  [
    'deadlineNear',
    { 'facts.due_kind': 'Decide', 'facts.due_day': '2026-11-12', 'facts.open': 200_000 },
    '2 days left to decide, by 11/12/2026',
  ],
  ['amountNotKnown', {}, 'The open amount is not known'],
  ['incomplete', {}, 'Data is missing or was redacted by the service'],
  ['adjustments', { 'facts.exceptions_why': 'It is not clear' }, 'It is not clear'],
  ['missing', { 'facts.exceptions_why': 'It is no longer in the service' }, 'It is no longer in the service'],
  ['oddPayments', {}, 'Something is odd'],
  ['otherClaims', { 'facts.exceptions_why': 'decide this one' }, 'decide this one'],
  ['notComputed', { 'facts.exceptions_why': 'No date' }, 'No date'],
  ['nothingOpen', {}, 'Processed by the carrier, with nothing left to reimburse'],
  ['withCarrier', { 'facts.pending_since': '2026-11-09' }, 'Not processed by the carrier yet, for 1 day'],
  [
    'qualityCheck',
    { 'review.outcome': 'eligible', 'review.by': 'ann@acme.example', 'review.at': '2026-11-02T12:00:00Z' },
    'Eligible, reviewed by ann@acme.example on 11/02/2026',
  ],
];

describe('why a claim is in a worklist', () => {
  it.each(cases)('%s %o', (id, values, sentence) => {
    expect(sayClaimReason(id, values, '2026-11-10')).toBe(sentence);
  });

  it('exists for every worklist, from fields that claims have', () => {
    expect(worklistIds.filter((id) => cases.every(([one]) => one !== id))).toEqual([]);
    const known = new Set(fieldsOf.claims.map(({ path }) => path));
    expect(worklistIds.flatMap(fieldsOfReason).filter((field) => !known.has(field))).toEqual([]);
  });
});
