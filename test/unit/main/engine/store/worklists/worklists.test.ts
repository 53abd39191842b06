import { describe, expect, it } from 'vitest';
import type { ClaimReviewRow } from '../../../../../../src/main/engine/store/record/review-facts.ts';
import type { FactRules } from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { defaultReimbursementRules } from '../../../../../../src/rules/money/reimbursement.ts';
import {
  conditionsOn,
  exclusiveIds,
  partsOf,
  type WorklistId,
  worklistIds,
  worklistQuery,
  worklistTable,
} from '../../../../../../src/rules/worklists/worklist-table.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { updateStore, usualRules, writeReviews } from '../../../../../support/update-store.ts';

const today = '2026-11-20';
type Claim = Record<string, unknown>;

/** A claim that is in the list of new ones and ready, and in no other. */
const claimOf = (id: number, more: Claim = {}): Claim => ({
  id,
  status: 'Processed',
  is_incomplete: false,
  vendor_system_id: `N${id}000000`,
  type: { name: 'medical', type_id: 1 },
  patient_name: `Pat${String.fromCharCode(65 + (id % 26))}${String.fromCharCode(65 + (Math.floor(id / 26) % 26))} Edwards`,
  service_provider: 'Lakeside Clinic',
  members: [{ id: 7, employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[)', start: '2026-03-02', end: '2026-03-03' },
  createddate: '2026-03-05T10:00:00Z',
  processed_on: '2026-04-01',
  amount_billed: 100,
  amount_allowed: 80,
  amount_paid: 50,
  amount_paid_other: 0,
  amount_not_covered: 0,
  reduction: 10,
  copayment: 20,
  coinsurance_patient: 0,
  patient_responsibility: 30,
  claim_medical_lines: [
    { id: id * 10, procedure_code: 'G0439', amount_billed: 100, patient_responsibility: 30 },
  ],
  ...more,
});

/** A claim in a worklist, and one that differs from it in one thing and is not; with their reviews. */
type Case = [
  name: string,
  id: WorklistId,
  inside: Claim,
  outside: Claim,
  reviews?: { readonly in?: Partial<ClaimReviewRow>; readonly out?: Partial<ClaimReviewRow> },
];

const at = '2026-10-01T10:00:00.000Z';
const done = { state: 'done', outcome: 'eligible', reviewedAt: at, lastEventAt: at } as const;
const paidAt = (fields: Record<string, string | number>): string =>
  JSON.stringify({
    fields: {
      ...{ status: 'Processed', network: 'In', reduction: 10, copayment: 20, coinsurance_patient: 0 },
      ...fields,
    },
    lines: [],
  });
const waiting = {
  state: 'waiting',
  onWhom: 'Carrier',
  reason: 'EOB',
  reviewedAt: '2026-10-01T10:00:00.000Z',
};

const onDay = (day: string): Claim => ({ date_of_service: { bounds: '[]', start: day, end: day } });
const rejectedOn = (day: string): Claim => ({ status: 'Rejected', processed_on: day });
const noParts = { reduction: null, copayment: null, coinsurance_patient: null };

const cases: readonly Case[] = [
  ['new: no decision', 'new', {}, {}, { out: done }],
  ['new: in scope', 'new', {}, onDay('2024-12-31')],
  ['new: a note is an event', 'new', {}, {}, { out: { note: 'Hm', lastEventAt: at } }],
  [
    'changed: since the review',
    'changed',
    {},
    {},
    { in: { ...done, state: 'todo', changedAt: '2026-11-01T10:00:00.000Z' }, out: done },
  ],
  ['to decide: final status', 'toDecide', {}, { status: 'In Process' }],
  ['to decide: complete', 'toDecide', { is_incomplete: null }, { is_incomplete: true }],
  ['to decide: patient', 'toDecide', {}, { patient_name: ' ' }],
  [
    'to decide: provider',
    'toDecide',
    { service_provider: null, service_provider_billing_name: 'Lakeside' },
    { service_provider: null },
  ],
  ['to decide: days', 'toDecide', {}, { date_of_service: null }],
  [
    'to decide: description',
    'toDecide',
    { claim_medical_lines: [{ id: 1, procedure_name: 'Visit' }] },
    { claim_medical_lines: [{ id: 1, procedure_code: ' ' }] },
  ],
  [
    'to decide: eligible more than reimbursed',
    'toDecide',
    {},
    {},
    { in: { reimbursed: 299_999 }, out: { reimbursed: 300_000 } },
  ],
  ['to decide: no other insurance', 'toDecide', { amount_paid_other: null }, { amount_paid_other: 0.01 }],
  ['to decide: not waiting', 'toDecide', {}, {}, { in: { state: 'inReview' }, out: waiting }],
  ['to decide: nobody decided', 'toDecide', {}, {}, { out: done }],
  ['to pay: done and not paid', 'toPay', {}, {}, { in: done, out: { ...done, outcome: 'noAction' } }],
  [
    'to pay: partly eligible, and paid in part',
    'toPay',
    {},
    {},
    {
      in: { ...done, outcome: 'partlyEligible', keptEligible: 300, keptByRules: 300_000, reimbursed: 200 },
      out: { ...done, outcome: 'partlyEligible', keptEligible: 299, keptByRules: 300_000, reimbursed: 200 },
    },
  ],
  [
    'to pay: an amount that is not known',
    'toPay',
    { copayment: null },
    { copayment: null },
    { in: done, out: { ...done, reimbursed: 1 } },
  ],
  ['to pay: not in dispute', 'toPay', {}, {}, { in: done, out: { ...done, outcome: 'disputed' } }],
  [
    'owed back: reimbursed',
    'owedBack',
    {},
    {},
    {
      in: { reimbursed: 1, paidValues: paidAt({ copayment: 21 }) },
      out: { paidValues: paidAt({ copayment: 21 }) },
    },
  ],
  [
    'owed back: an amount that counts',
    'owedBack',
    {},
    {},
    {
      in: { reimbursed: 1, paidValues: paidAt({ coinsurance_patient: 5 }) },
      out: { reimbursed: 1, paidValues: paidAt({ network: 'Out', patient_responsibility: 99 }) },
    },
  ],
  [
    'owed back: more than eligible',
    'owedBack',
    {},
    {},
    { in: { reimbursed: 300_001 }, out: { reimbursed: 300_000 } },
  ],
  ['back', 'back', {}, {}, { in: { ...waiting, state: 'back' }, out: waiting }],
  ['waiting', 'waiting', {}, {}, { in: { ...waiting, state: 'escalated' }, out: done }],
  ['escalated', 'escalated', {}, {}, { in: { ...waiting, state: 'escalated' }, out: waiting }],
  ['denied: rejected', 'denied', { status: 'Rejected' }, { status: 'Processed' }],
  ['denied: partly approved', 'denied', { status: 'Partially Approved' }, { status: 'Adjusted' }],
  ['denied: not covered above 0', 'denied', { amount_not_covered: 0.01 }, { amount_not_covered: null }],
  ['denied: not done', 'denied', { status: 'Rejected' }, { status: 'Rejected' }, { out: done }],
  [
    'pending: 30 days',
    'pending',
    { status: 'In Process', createddate: '2026-10-21T23:00:00Z' },
    { status: 'In Process', createddate: '2026-10-22T01:00:00Z' },
  ],
  [
    'pending: another status than the decided ones',
    'pending',
    { status: 'Under Review' },
    { status: 'Adjusted' },
  ],
  [
    'pending: from the last day of service where nothing was created',
    'pending',
    { status: null, createddate: null },
    { status: null, createddate: null, date_of_service: null },
  ],
  ['not substantiated: description', 'notSubstantiated', { claim_medical_lines: [] }, {}],
  [
    'not substantiated: decided',
    'notSubstantiated',
    { patient_name: null },
    { patient_name: null, status: 'In Process' },
  ],
  [
    'no split: null is not zero',
    'noSplit',
    noParts,
    { reduction: null, copayment: 0, coinsurance_patient: null },
  ],
  ['no split: above 0', 'noSplit', noParts, { ...noParts, patient_responsibility: 0 }],
  ['no split: calculated parts count', 'noSplit', noParts, { ...noParts, computed_copayment: 30 }],
  [
    'amounts disagree: a cent of the lines',
    'amountsDisagree',
    { amount_billed: 100.01 },
    { amount_billed: null },
  ],
  [
    'amounts disagree: a blank line is not zero',
    'amountsDisagree',
    {
      claim_medical_lines: [
        { id: 1, amount_billed: 60, procedure_code: 'X1234' },
        { id: 2, amount_billed: 30 },
      ],
    },
    {
      claim_medical_lines: [
        { id: 1, amount_billed: 60, procedure_code: 'X1234' },
        { id: 2, amount_billed: null },
      ],
    },
  ],
  ['amounts disagree: the parts', 'amountsDisagree', { copayment: 19 }, { copayment: null }],
  [
    'amounts disagree: not covered may be one of the parts',
    'amountsDisagree',
    { copayment: 15, amount_not_covered: 4 },
    { copayment: 15, amount_not_covered: 5 },
  ],
  ['other insurance', 'otherInsurance', { amount_paid_other: 1 }, { amount_paid_other: 0 }],
  ['due, run-out: the last day', 'due', onDay('2025-12-31'), onDay('2026-01-01')],
  [
    'due, run-out: decided and not paid',
    'due',
    onDay('2025-06-01'),
    onDay('2025-06-01'),
    { in: done, out: { ...done, outcome: 'notEligible' } },
  ],
  [
    'due, run-out: an open amount',
    'due',
    onDay('2025-06-01'),
    onDay('2025-06-01'),
    { out: { reimbursed: 300_000 } },
  ],
  ['due, to appeal: the last day', 'due', rejectedOn('2026-05-24'), rejectedOn('2026-05-23')],
  ['due, to appeal: in 30 days', 'due', rejectedOn('2026-06-23'), rejectedOn('2026-06-24')],
  [
    'due, to appeal: not decided',
    'due',
    rejectedOn('2026-06-01'),
    rejectedOn('2026-06-01'),
    { out: { ...done, outcome: 'noAction' } },
  ],
];

/** The plan year of 2025 can be reimbursed until 30 November 2026, ten days from today. */
const rules: FactRules = {
  ...usualRules,
  settings: {
    ...usualRules.settings,
    reimbursementRules: {
      w: {
        parts: ['deductible', 'copay', 'coinsurance'],
        networks: null,
        runOutDays: 334,
        highCostFrom: null,
        decideDays: null,
        appealDays: 180,
        answerDays: 60,
      },
    },
  },
};

function openScoped(): OpenedStore {
  const store = openTestStore();
  store.write.writeReviewPeriod({ from: '2025-01-01', on: null });
  return store;
}

const memberships = (store: OpenedStore, claimId: number): WorklistId[] =>
  (
    store.database
      .prepare('SELECT worklist FROM claim_worklists WHERE id=? ORDER BY 1')
      .pluck()
      .all(claimId) as number[]
  ).map((index) => worklistIds[index] as WorklistId);

describe('each worklist has the claims that it says, and none just outside', () => {
  it.each(cases)('%s', (_name, id, inside, outside, reviews = {}) => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1, inside), claimOf(2, outside)]);
    if (reviews.in !== undefined) writeReviews(store, { claimId: 1, ...reviews.in });
    if (reviews.out !== undefined) writeReviews(store, { claimId: 2, ...reviews.out });
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toContain(id);
    expect(memberships(store, 2)).not.toContain(id);
  });

  it('a claim without anything odd is to decide, not yet examined, and in no other list', () => {
    const one = openScoped();
    one.ingest('claims', [claimOf(1)]);
    updateStore(one, today, rules);
    expect(memberships(one, 1)).toEqual(['toDecide', 'new']);
  });
});

describe('worklists that look beyond one claim', () => {
  it('high cost: the claims of a person whose plan year passes the threshold, even by a later claim', () => {
    const store = openScoped();
    const highCost: FactRules = {
      ...rules,
      settings: {
        ...rules.settings,
        reimbursementRules: {
          'w#3': { ...defaultReimbursementRules, parts: [], highCostFrom: 1_500_000 },
        },
      },
    };
    const patient = { patient_name: 'Luis Edwards' };
    const lastYear = { bounds: '[]', start: '2025-03-02', end: '2025-03-02' };
    store.ingest('claims', [
      claimOf(1, patient),
      claimOf(2, { ...patient, date_of_service: lastYear }),
      claimOf(3, { patient_name: 'Mei Edwards' }),
    ]);
    updateStore(store, today, highCost);
    expect(memberships(store, 1)).not.toContain('highCost');
    store.ingest('claims', [claimOf(4, { patient_name: 'EDWARDS, LUIS', amount_allowed: 70.01 })]);
    updateStore(store, today, highCost);
    const inIt = [1, 2, 3, 4].filter((id) => memberships(store, id).includes('highCost'));
    expect(inIt).toEqual([1, 4]);
    store.ingest('claims', [claimOf(4, { patient_name: 'EDWARDS, LUIS', amount_allowed: 70 })]);
    updateStore(store, today, highCost);
    expect(memberships(store, 1)).not.toContain('highCost');
  });

  it('the sum of a plan year orders only high-cost claims, so that others are not listed again for it', () => {
    const byYear = worklistTable.filter(
      ({ terms, sort }) =>
        sort.field === 'facts.year_allowed' || terms.some(({ field }) => field === 'facts.year_allowed'),
    );
    expect(byYear.map(({ id }) => id)).toEqual(['highCost']);
    for (const { terms } of byYear)
      expect(terms).toContainEqual(expect.objectContaining({ field: 'facts.is_high_cost', values: [true] }));
  });

  it('high cost: claims are ordered by a sum that a later claim raised', () => {
    const store = openScoped();
    const highCost: FactRules = {
      ...rules,
      settings: {
        ...rules.settings,
        reimbursementRules: { w: { ...defaultReimbursementRules, highCostFrom: 1_000_000 } },
      },
    };
    const ranks = (): unknown[] =>
      store.database
        .prepare('SELECT id, rank FROM claim_worklists WHERE worklist=? ORDER BY id')
        .raw()
        .all(worklistIds.indexOf('highCost'));
    const of = (id: number): Claim => claimOf(id, { patient_name: 'Luis Edwards' });
    store.ingest('claims', [of(1), of(2)]);
    updateStore(store, today, highCost);
    expect(ranks()).toEqual([
      [1, 1_600_000],
      [2, 1_600_000],
    ]);
    store.ingest('claims', [of(3)]);
    updateStore(store, today, highCost);
    expect(ranks()).toEqual([
      [1, 2_400_000],
      [2, 2_400_000],
      [3, 2_400_000],
    ]);
  });

  it('duplicates: both claims of a pair, out of the ready ones, until a user rules the pair out, and again once it changed', () => {
    const store = openScoped();
    const same = { patient_name: 'Luis Edwards', claim_medical_lines: [{ id: 5, procedure_code: 'G0439' }] };
    store.ingest('claims', [claimOf(1, same), claimOf(2, same), claimOf(3)]);
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toEqual(['duplicates']);
    expect(memberships(store, 2)).toEqual(['duplicates']);
    expect(memberships(store, 3)).toEqual(['toDecide', 'new']);
    const { fingerprint } = store.database.prepare('SELECT fingerprint FROM duplicate_pairs').get() as {
      fingerprint: string;
    };
    const judged = { otherClaimId: 1, fingerprint, eventId: 'event' };
    writeReviews(store, { claimId: 2, judged: [{ ...judged, isDuplicate: true, markedId: 2 }] });
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toEqual(['toDecide', 'new']);
    expect(store.read.describePairs({ claimId: 1 }).pairs).toMatchObject([
      { right: 2, isOpen: false, judged: { isDuplicate: true, eventId: 'event' }, markedId: 2 },
    ]);
    writeReviews(store, { claimId: 2, judged: [{ ...judged, isDuplicate: false, markedId: null }] });
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toEqual(['toDecide', 'new']);
    expect(store.read.describePairs({ claimId: 1 }).pairs).toMatchObject([
      { right: 2, isOpen: false, judged: { isDuplicate: false }, markedId: null },
    ]);
    store.ingest(
      'claims',
      [1, 2].map((id) => claimOf(id, { ...same, patient_responsibility: 30.5, copayment: 20.5 })),
    );
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toEqual(['duplicates']);

    store.ingest('claims', [
      claimOf(2, { ...same, amount_billed: 5000, status: 'Adjusted', vendor_system_id: 'N1000000-01' }),
    ]);
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toEqual(['nothingOpen']);
    expect(memberships(store, 2)).toContain('new');
    expect(store.list(worklistQuery('duplicates'))).toEqual([]);
  });

  it('changed: the largest change first, down or up; missing claims stay in back, waiting and escalated', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3)]);
    const changed = { ...done, state: 'todo', changedAt: at };
    writeReviews(
      store,
      { claimId: 1, ...changed, changeSize: 10_000 },
      { claimId: 2, ...changed, changeSize: 50_000_000 },
      { claimId: 3, ...changed, changeSize: 20_000 },
    );
    updateStore(store, today, rules);
    expect(store.list(worklistQuery('changed'))).toEqual([2, 3, 1]);

    store.database.prepare("UPDATE claims SET gone_since='2026-11-01' WHERE id<=3").run();
    writeReviews(
      store,
      { claimId: 1, ...waiting, state: 'back' },
      { claimId: 2, ...waiting },
      { claimId: 3, ...waiting, state: 'escalated' },
    );
    updateStore(store, today, rules);
    expect(
      (['back', 'waiting', 'escalated'] as const).map((id) => [id, store.list(worklistQuery(id))]),
    ).toEqual([
      ['back', [1]],
      ['waiting', [1, 2, 3]],
      ['escalated', [3]],
    ]);
  });

  it('waiting: the next reminder first, those without one last', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3)]);
    writeReviews(
      store,
      { claimId: 1, ...waiting },
      { claimId: 2, ...waiting, reminder: '2027-02-01' },
      { claimId: 3, ...waiting, reminder: '2026-12-01' },
    );
    updateStore(store, today, rules);
    expect(store.list(worklistQuery('waiting'))).toEqual([3, 2, 1]);
  });

  it('amounts disagree: the largest difference first, of lines or of parts, up or down', () => {
    const store = openScoped();
    const lines = (billed: number) => ({
      amount_billed: 100,
      claim_medical_lines: [{ id: 1, amount_billed: billed, procedure_code: 'X1234' }],
    });
    store.ingest('claims', [claimOf(1, lines(100.01)), claimOf(2, lines(60)), claimOf(3, { copayment: 13 })]);
    updateStore(store, today, rules);
    expect(store.list(worklistQuery('amountsDisagree'))).toEqual([2, 3, 1]);
    const rows = store.read.readRows({
      entity: 'claims',
      keys: [2, 3, 1],
      fields: ['facts.amounts_difference'],
    });
    expect(rows.map((row) => row['facts.amounts_difference'])).toEqual([400_000, 70_000, 100]);
  });

  it('quality check: until a second person decided', () => {
    const store = openScoped();
    const ids = Array.from({ length: 100 }, (_one, index) => index + 1);
    store.ingest(
      'claims',
      ids.map((id) => claimOf(id, { patient_responsibility: 6000 })),
    );
    const decide = (secondBy: string | null): void => {
      writeReviews(store, ...ids.map((claimId) => ({ claimId, ...done, secondBy })));
      updateStore(store, today, rules);
    };
    decide(null);
    expect(store.list(worklistQuery('qualityCheck')).length).toBeGreaterThan(20);
    decide('second@example.com');
    expect(store.list(worklistQuery('qualityCheck'))).toEqual([]);
  });

  it('quality check in a team: the decider has neither the claim nor its amount in their list and count', () => {
    const store = openScoped();
    const ids = Array.from({ length: 100 }, (_one, index) => index + 1);
    store.ingest(
      'claims',
      ids.map((id) => claimOf(id, { patient_responsibility: id % 2 === 0 ? 6000.000004 : 6000 })),
    );
    const reviewedBy = (claimId: number) => ['ana@example.com', 'ben@example.com', null][claimId % 3] ?? null;
    writeReviews(store, ...ids.map((claimId) => ({ claimId, ...done, reviewedBy: reviewedBy(claimId) })));
    updateStore(store, today, rules);
    const countFor = (person: string | null) =>
      store.read.readWorklistCounts({ person }).worklists.find(({ id }) => id === 'qualityCheck');
    const all = countFor(null)?.claims ?? 0;
    for (const person of ['ana@example.com', 'ben@example.com', 'cleo@example.com']) {
      const { keys, totals } = store.lists.makeList(worklistQuery('qualityCheck', [], person));
      expect(countFor(person)).toMatchObject({ claims: keys.length, amount: totals?.patientResponsibility });
      expect(keys.length === all, person).toBe(person === 'cleo@example.com');
    }
  });

  it('quality check: a share of the completed claims, always the same, larger for large ones', () => {
    const store = openScoped();
    const ids = Array.from({ length: 400 }, (_none, index) => index + 1);
    store.ingest(
      'claims',
      ids.map((id) => claimOf(id, id > 200 ? { patient_responsibility: 6_000 } : {})),
    );
    writeReviews(store, ...ids.map((claimId) => ({ claimId, ...done })));
    updateStore(store, today, rules);
    const sampled = (): number[] => store.list(worklistQuery('qualityCheck')).sort((a, b) => a - b);
    const first = sampled();
    const small = first.filter((id) => id <= 200).length;
    expect(small).toBeGreaterThan(2);
    expect(small).toBeLessThan(25);
    expect(first.length - small).toBeGreaterThan(70);
    expect(first.length - small).toBeLessThan(130);
    writeReviews(store, ...ids.map((claimId) => ({ claimId, ...done, tags: 'again' })));
    updateStore(store, today, rules);
    expect(sampled()).toEqual(first);
  });

  it('a reimbursed claim that is missing is in a worklist that shows missing claims; others leave theirs', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1)]);
    writeReviews(store, { claimId: 1, reimbursed: 1 });
    store.database.prepare("UPDATE claims SET gone_since='2026-11-19' WHERE id=1").run();
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toEqual(['exceptions', 'missing']);
    expect(store.list(worklistQuery('exceptions'))).toEqual([1]);
  });

  it('a decided claim that is missing, or another claim under its ID, is in Exceptions and not in Changed', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3)]);
    const changed = { ...done, state: 'todo', changedAt: at };
    writeReviews(
      store,
      { claimId: 1, ...changed },
      { claimId: 2, ...changed, changedFields: '$otherClaim patient_name' },
      { claimId: 3, ...changed, changedFields: 'status' },
    );
    store.database.prepare("UPDATE claims SET gone_since='2026-11-19' WHERE id=1").run();
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toEqual(['exceptions', 'missing']);
    expect(memberships(store, 2)).toEqual(['exceptions', 'otherClaims']);
    expect(memberships(store, 3)).toEqual(['changed']);
  });
});

describe('kept current', () => {
  const makeAll = (store: OpenedStore): void => {
    store.ingest(
      'claims',
      cases.flatMap(([, , inside, outside], index) => [
        claimOf(index * 2 + 1, { patient_responsibility: 30 + index, ...inside }),
        claimOf(index * 2 + 2, outside),
      ]),
    );
    for (const [index, [, , , , reviews = {}]] of cases.entries()) {
      if (reviews.in !== undefined) writeReviews(store, { claimId: index * 2 + 1, ...reviews.in });
      if (reviews.out !== undefined) writeReviews(store, { claimId: index * 2 + 2, ...reviews.out });
    }
  };

  it('the claims of a worklist are those that a list by its conditions finds and no earlier list has, in its order, and are counted', () => {
    const store = openScoped();
    makeAll(store);
    updateStore(store, today, rules);
    const { worklists } = store.read.readWorklistCounts({});
    const all = { entity: 'claims', includesMissing: true } as const;
    const met = new Map(
      worklistTable.map((worklist) => {
        const conditions = conditionsOn(worklist, today);
        const { includesMissing } = worklist;
        return [worklist.id, new Set(store.list({ entity: 'claims', conditions, includesMissing }))];
      }),
    );
    for (const { id, unless } of worklistTable)
      for (const other of unless)
        for (const claim of met.get(other as WorklistId) ?? []) met.get(id)?.delete(claim);
    const odd = partsOf('exceptions').flatMap(({ id }) => [...(met.get(id) ?? [])]);
    met.set('exceptions', new Set(odd));
    const listOf = new Map(
      exclusiveIds
        .toReversed()
        .flatMap((id) => [...(met.get(id) ?? [])].map((claim) => [claim, id] as const)),
    );
    let found = 0;
    for (const { id, partOf, sort } of worklistTable) {
      const list = exclusiveIds.find((one) => one === id || one === partOf);
      const expected = store
        .list({ ...all, sort: [sort] })
        .filter((claim) => met.get(id)?.has(claim) && (list === undefined || listOf.get(claim) === list));
      const query = worklistQuery(id);
      expect([id, store.list(query)]).toEqual([id, expected]);
      expect([id, Array.from(store.lists.makeList(query).keys)]).toEqual([id, expected]);
      const first = store.read.readFirst({ query, limit: 5, fields: ['id'] }).rows.map((row) => row.id);
      expect([id, first]).toEqual([id, expected.slice(0, 5)]);
      expect(worklists.find((one) => one.id === id)?.claims).toBe(expected.length);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(100);
    // Every undecided claim of the review period is in exactly one of these lists.
    const states = ['todo', 'inReview', 'waiting', 'back', 'escalated'];
    const undecided = store.list({
      entity: 'claims',
      conditions: [{ field: 'review.state', operator: 'isOneOf', values: states }],
    });
    const placed = exclusiveIds.flatMap((id) => store.list(worklistQuery(id)));
    expect(new Set(placed).size).toBe(placed.length);
    expect(undecided.filter((claim) => !placed.includes(claim))).toEqual([]);
    // Claims counted as nothing open have nothing open, or do not count.
    const open = store.list({
      ...worklistQuery('nothingOpen'),
      conditions: [
        ...(worklistQuery('nothingOpen').conditions ?? []),
        { field: 'facts.open', operator: 'moreThan', values: [0] },
        { field: 'facts.is_void', operator: 'isNot', values: [true] },
      ],
    });
    expect(open).toEqual([]);
  });

  it('the sum of To pay shows how many amounts are unknown, and the reason of a claim that its own is', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1), claimOf(2, { copayment: null }), claimOf(3, { copayment: null })]);
    for (const claimId of [1, 2]) writeReviews(store, { claimId, ...done });
    updateStore(store, today, rules);
    const countsOf = (): unknown =>
      store.read.readWorklistCounts({}).worklists.find(({ id }) => id === 'toPay');
    expect(countsOf()).toMatchObject({ claims: 2, amount: 300_000, notKnown: 1 });
    expect(store.list(worklistQuery('toPay'))).toEqual([1, 2]);
    expect(store.read.readReasons({ claimId: 2 }).find(({ id }) => id === 'toPay')?.values).toEqual({
      'facts.open': null,
      'review.outcome': 'eligible',
    });
    // Not decided, its amount is not known either.
    expect(memberships(store, 3)).toEqual(['exceptions', 'amountNotKnown']);
    writeReviews(store, { claimId: 2, ...done, outcome: 'partlyEligible', keptEligible: 50_000 });
    updateStore(store, today, rules);
    expect(countsOf()).toMatchObject({ claims: 2, amount: 350_000, notKnown: 0 });
  });

  it('a day later claims age without changing, and another setting is applied', () => {
    const store = openScoped();
    store.ingest('claims', [
      claimOf(1, { status: 'In Process', createddate: '2026-10-22T01:00:00Z' }),
      claimOf(2, onDay('2025-03-02')),
    ]);
    updateStore(store, today, rules);
    expect(memberships(store, 1)).toEqual(['withCarrier']);
    expect(memberships(store, 2)).toContain('due');
    expect(store.read.areFactsCurrent({ ...rules, today })).toBe(true);
    expect(store.read.areFactsCurrent({ ...rules, today: '2026-11-21' })).toBe(false);
    updateStore(store, '2026-11-21', rules);
    expect(memberships(store, 1)).toEqual(['exceptions', 'pending']);
    updateStore(store, '2026-12-01', rules);
    expect(memberships(store, 2)).not.toContain('due');
    updateStore(store, '2026-12-01', { ...rules, settings: { ...rules.settings, reimbursementRules: {} } });
    expect(
      store.list({
        entity: 'claims',
        conditions: [{ field: 'facts.run_out_day', operator: 'is', values: ['2026-03-31'] }],
      }),
    ).toEqual([2]);
  });

  it('the sum of a worklist is exact even if a double can’t hold it', () => {
    const store = openScoped();
    store.ingest(
      'claims',
      [1, 2, 3].map((id) => claimOf(id, { patient_responsibility: 800_719_925_474.0991 })),
    );
    updateStore(store, today, rules);
    const { worklists } = store.read.readWorklistCounts({});
    expect(worklists.find(({ id }) => id === 'amountsDisagree')).toMatchObject({
      claims: 3,
      amount: '24021597764222973',
    });
  });

  it('says why a claim is in a worklist, by the values of its reason', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1, { status: 'Rejected', remarks: 'Not covered' })]);
    updateStore(store, today, rules);
    expect(store.read.readReasons({ claimId: 1 }).find(({ id }) => id === 'denied')?.values).toEqual({
      'facts.denial': 'Rejected',
      'facts.appeal_check_by': '2026-09-28',
      remarks: 'Not covered',
      'review.appeal': null,
      'review.appeal_day': null,
      'review.appeal_due': null,
    });
  });

  it('refuses an unknown worklist, and other operators', () => {
    const store = openScoped();
    const by = (operator: 'is' | 'contains', value: string) => () =>
      store.list({ entity: 'claims', conditions: [{ field: 'worklist', operator, values: [value] }] });
    expect(by('is', 'old')).toThrow(expect.objectContaining({ code: 'query.invalid' }));
    expect(by('contains', 'new')).toThrow(expect.objectContaining({ code: 'query.invalid' }));
    expect(() =>
      store.lists.groupList({
        query: { entity: 'claims' },
        by: 'worklist',
        options: { order: 'count', isDescending: true, offset: 0, limit: 9 },
      }),
    ).toThrow(expect.objectContaining({ code: 'query.invalid' }));
  });
});
