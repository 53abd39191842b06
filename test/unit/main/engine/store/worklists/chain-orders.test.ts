import { expect, it } from 'vitest';
import { ordersOf } from '../../../../../support/chain-claims.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { updateStore, writeReviews } from '../../../../../support/update-store.ts';

const dollar = 10_000;

/** A claim of one patient and provider with one line; amounts in dollars. */
const claimOf = (
  id: number,
  dollars: number,
  more: Record<string, unknown> & { day?: string; employerId?: number } = {},
) => {
  const { day = '2025-12-30', employerId = 3, ...given } = more;
  const days = { start: day, end: day, bounds: '[]' };
  return {
    ...{ id, status: 'Processed', network: 'IN', patient_name: 'EDWARDS, ANA', service_provider: 'Lakeside' },
    ...{ service_provider_npi_number: '1234567893', vendor_system_id: 'C0001234', date_of_service: days },
    members: [{ id: 7, first_name: 'Ana', employer: { id: employerId, name: `Employer ${employerId}` } }],
    ...{ processed_on: `2026-0${id}-10`, amount_billed: dollars, amount_paid: 0, amount_not_covered: 0 },
    ...{ reduction: dollars, copayment: 0, coinsurance_patient: 0, patient_responsibility: dollars },
    claim_medical_lines: [{ procedure_code: '99213', amount_billed: dollars, date_of_service: days }],
    ...given,
  };
};
const original = claimOf(1, 1000);
const correction = claimOf(2, 800, { vendor_system_id: 'C0001234-1' });
/** The correction in the next plan year and with another employer. */
const moved = claimOf(2, 800, { status: 'Adjusted', day: '2026-01-02', employerId: 4 });
const second = claimOf(3, 600, { vendor_system_id: 'C0001234-2' });
const reversal = claimOf(4, -1000);
const pending = claimOf(2, 800, { status: 'In Process', vendor_system_id: 'C0001234-1' });
const rejected = claimOf(2, 800, { status: 'Rejected', vendor_system_id: 'C0001234-1' });

type Case = readonly [
  name: string,
  claims: readonly { readonly id: number }[],
  paid: Readonly<Record<number, number>>,
  /** The open amount of each claim by its ID, and what is owed back, in dollars. */
  expected: Readonly<Record<number, readonly [open: number | null, owed: number]>>,
];

// Worked by hand.
it.each<Case>([
  ['nothing paid', [original, correction], {}, { 1: [0, 0], 2: [800, 0] }],
  ['the original paid', [original, correction], { 1: 1000 }, { 1: [0, 0], 2: [0, 200] }],
  ['the original paid in part', [original, correction], { 1: 500 }, { 1: [0, 0], 2: [300, 0] }],
  ['both paid', [original, correction], { 1: 1000, 2: 800 }, { 1: [0, 0], 2: [0, 1000] }],
  ['another plan year and employer', [original, moved], { 1: 1000 }, { 1: [0, 0], 2: [0, 200] }],
  ['another plan year, nothing paid', [original, moved], {}, { 1: [0, 0], 2: [800, 0] }],
  ['two corrections', [original, correction, second], { 1: 1000 }, { 1: [0, 0], 2: [0, 0], 3: [0, 400] }],
  [
    'two, the first one paid',
    [original, correction, second],
    { 2: 500 },
    { 1: [0, 0], 2: [0, 0], 3: [100, 0] },
  ],
  ['a reversal', [original, reversal], { 1: 1000 }, { 1: [0, 1000], 4: [0, 0] }],
  ['a reversal, nothing paid', [original, reversal], {}, { 1: [0, 0], 4: [0, 0] }],
  [
    'a reversal and a correction',
    [original, reversal, correction],
    { 1: 1000 },
    { 1: [0, 0], 2: [0, 200], 4: [0, 0] },
  ],
  ['a correction in process', [original, pending], { 1: 400 }, { 1: [600, 0], 2: [0, 0] }],
  ['a rejected correction', [original, rejected], { 1: 1000 }, { 1: [0, 0], 2: [0, 0] }],
])('has one balance in every order of arrival and decision: %s', (_name, claims, paid, expected) => {
  const reviewOf = (id: number) => ({
    ...{ claimId: id, state: 'done', outcome: 'eligible' as const },
    paidOn: paid[id] === undefined ? null : '2026-05-01',
    reimbursed: (paid[id] ?? 0) * dollar || null,
  });
  for (const order of ordersOf(claims))
    for (const isDecidedFirst of [true, false]) {
      const store = openTestStore();
      store.write.writeReviewPeriod({ from: '2025-01-01', on: null });
      const update = () => updateStore(store, '2026-11-20');
      for (const claim of order) {
        store.ingest('claims', [claim]);
        if (isDecidedFirst) writeReviews(store, reviewOf(claim.id));
        update();
      }
      if (!isDecidedFirst)
        for (const { id } of order.toReversed()) {
          writeReviews(store, reviewOf(id));
          update();
        }
      const rows = store.database.prepare('SELECT id, open, owed FROM claim_facts').all() as {
        id: number;
        open: number | null;
        owed: number | null;
      }[];
      const found = rows.map(({ id, open, owed }) => [
        id,
        [open === null ? null : open / dollar, (owed ?? 0) / dollar],
      ]);
      expect(Object.fromEntries(found), `${order.map(({ id }) => id)} ${isDecidedFirst}`).toEqual(expected);
      store.database.close();
    }
});
