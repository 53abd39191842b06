import { describe, expect, it } from 'vitest';
import { worklistQuery } from '../../../../../../src/rules/worklists/worklist-table.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { updateStore, writeReviews } from '../../../../../support/update-store.ts';

const today = '2026-11-20';
type Claim = Record<string, unknown>;

const claimOf = (id: number, dollars: number, more: Claim = {}): Claim => ({
  id,
  status: 'Processed',
  is_incomplete: false,
  vendor_system_id: 'C0001234',
  type: { name: 'medical', type_id: 1 },
  patient_name: 'Pat Edwards',
  service_provider: 'Lakeside Clinic',
  members: [{ id: 7, employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[)', start: '2026-03-02', end: '2026-03-03' },
  processed_on: `2026-04-0${id}`,
  amount_billed: dollars,
  amount_allowed: dollars,
  amount_paid: 0,
  amount_paid_other: 0,
  amount_not_covered: 0,
  reduction: dollars,
  copayment: 0,
  coinsurance_patient: 0,
  patient_responsibility: dollars,
  claim_medical_lines: [
    { id: id * 10, procedure_code: 'G0439', amount_billed: dollars, patient_responsibility: dollars },
  ],
  ...more,
});

const done = { state: 'done', outcome: 'eligible', reviewedAt: today, lastEventAt: today } as const;
const dollar = 10_000;

function openScoped(): OpenedStore {
  const store = openTestStore();
  store.write.writeReviewPeriod({ from: '2026-01-01', on: null });
  return store;
}

const factsOf = (store: OpenedStore): unknown[] =>
  store.database
    .prepare(
      `SELECT id, chain_role AS role, open/${dollar} AS open, owed/${dollar} AS owed, to_pay IS NOT NULL AS isToPay
       FROM claim_facts ORDER BY id`,
    )
    .raw()
    .all();

describe('an original of $1,000 and its correction of $800', () => {
  it('pays only the correction, and only it has to be decided', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1, 1000)]);
    writeReviews(store, { claimId: 1, ...done });
    updateStore(store, today);
    expect(factsOf(store)).toEqual([[1, null, 1000, null, 1]]);
    store.ingest('claims', [claimOf(2, 800)]);
    updateStore(store, today);
    expect(factsOf(store)).toEqual([
      [1, 'Replaced', 0, null, 0],
      [2, 'Counts for its chain', 800, null, 0],
    ]);
    expect(store.list(worklistQuery('toDecide'))).toEqual([2]);
    writeReviews(store, { claimId: 2, ...done });
    updateStore(store, today);
    expect(store.list(worklistQuery('toPay'))).toEqual([2]);
  });

  it('after $1,000 was paid, has $200 owed back and nothing open, in either order', () => {
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const store = openScoped();
      for (const id of order) {
        store.ingest('claims', [claimOf(id, id === 1 ? 1000 : 800)]);
        updateStore(store, today);
      }
      writeReviews(store, { claimId: 1, ...done, reimbursed: 1000 * dollar, paidOn: '2026-05-01' });
      updateStore(store, today);
      expect(factsOf(store)).toEqual([
        [1, 'Replaced', 0, 0, 0],
        [2, 'Counts for its chain', 0, 200, 0],
      ]);
      expect(store.list(worklistQuery('toDecide'))).toEqual([2]);
      expect(store.list(worklistQuery('owedBack'))).toEqual([2]);
    }
  });

  it('if reversed, has all of it owed back on the claim that was paid', () => {
    const store = openScoped();
    const lines = [{ id: 20, procedure_code: 'G0439', amount_billed: -1000, patient_responsibility: -1000 }];
    store.ingest('claims', [claimOf(1, 1000), claimOf(2, -1000, { claim_medical_lines: lines })]);
    writeReviews(store, { claimId: 1, ...done, reimbursed: 1000 * dollar, paidOn: '2026-05-01' });
    updateStore(store, today);
    expect(factsOf(store)).toEqual([
      [1, 'Reversed', 0, 1000, 0],
      [2, 'Reversal', 0, null, 0],
    ]);
  });

  it('is an exception while it is unclear which of them counts, until a user answers', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1, 1000), claimOf(2, 800, { processed_on: '2026-04-01' })]);
    updateStore(store, today);
    expect(factsOf(store)).toEqual([
      [1, 'To judge', null, null, 0],
      [2, 'To judge', null, null, 0],
    ]);
    expect(store.list(worklistQuery('exceptions')).toSorted()).toEqual([1, 2]);
    expect(store.list(worklistQuery('toDecide'))).toEqual([]);
    const related = { relation: 'replaces', isOfThis: true, eventId: 'event' } as const;
    writeReviews(store, { claimId: 2, related: [{ otherClaimId: 1, ...related }] });
    updateStore(store, today);
    expect(factsOf(store)).toEqual([
      [1, 'Replaced', 0, null, 0],
      [2, 'Counts for its chain', 800, null, 0],
    ]);
    expect(store.list(worklistQuery('exceptions'))).toEqual([]);
  });

  it('is neither open nor owed back while it is missing, until a user says what that means', () => {
    const store = openScoped();
    store.ingest('claims', [claimOf(1, 1000)]);
    const paid = { claimId: 1, ...done, reimbursed: 600 * dollar, paidOn: '2026-05-01' };
    writeReviews(store, paid);
    store.database.prepare("UPDATE claims SET gone_since='2026-11-19' WHERE id=1").run();
    updateStore(store, today);
    expect(factsOf(store)).toEqual([[1, 'Gone', 0, 0, 0]]);
    expect(store.list(worklistQuery('exceptions'))).toEqual([1]);
    writeReviews(store, { ...paid, missingAnswer: 'owedBack', missingAnsweredAt: '2026-11-20' });
    updateStore(store, today);
    expect(factsOf(store)).toEqual([[1, 'Gone, owed back', 0, 600, 0]]);
    expect(store.list(worklistQuery('exceptions'))).toEqual([]);
  });
});
