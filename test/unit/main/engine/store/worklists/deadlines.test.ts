import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FactRules } from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { addDays } from '../../../../../../src/rules/days.ts';
import { defaultReimbursementRules } from '../../../../../../src/rules/money/reimbursement.ts';
import { sayDeadlineRule } from '../../../../../../src/rules/plans/deadlines.ts';
import { worklistQuery } from '../../../../../../src/rules/worklists/worklist-table.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { updateStore, writeReviews } from '../../../../../support/update-store.ts';

const rules: FactRules = {
  service: 'w',
  settings: {
    planYearStart: 1,
    planYearStarts: {},
    planRules: {},
    reimbursementRules: {
      w: { ...defaultReimbursementRules, runOutDays: 60, decideDays: 30, appealDays: 45 },
      'w#3': { ...defaultReimbursementRules, decideDays: null },
    },
  },
};

interface Made {
  readonly id: number;
  readonly served: string;
  readonly processed: string | null;
  readonly isRejected: boolean;
  readonly employerId: 2 | 3;
  readonly isDone: boolean;
  readonly isPaid: boolean;
  /** The day on which the answer to an open appeal is due. */
  readonly answerDue: string | null;
}

const days = fc.integer({ min: 0, max: 900 }).map((count) => addDays('2025-01-01', count) ?? '');
const made = (id: number): fc.Arbitrary<Made> =>
  fc.record({
    id: fc.constant(id),
    served: days,
    processed: fc.option(days, { freq: 5 }),
    isRejected: fc.boolean(),
    employerId: fc.constantFrom(2, 3),
    isDone: fc.boolean(),
    isPaid: fc.boolean(),
    answerDue: fc.option(days, { freq: 3 }),
  });

const toClaim = ({ id, served, processed, isRejected, employerId }: Made) => ({
  id,
  status: isRejected ? 'Rejected' : 'Processed',
  patient_name: 'Pat Edwards',
  members: [{ id: 7, employer: { id: employerId, name: `Employer ${employerId}` } }],
  date_of_service: { bounds: '[]', start: served, end: served },
  processed_on: processed,
  ...{ reduction: 10, copayment: 20, coinsurance_patient: 0, patient_responsibility: 30 },
});

/** Finds the next deadline by hand, from the rules above and a scope that begins on 2026-01-01. */
function findByHand(of: Made, today: string): [string, string] | null {
  const found: [string, string][] = [];
  const isUndecided = !of.isDone && of.served >= '2026-01-01';
  const { id, processed, isRejected, employerId } = of;
  if (isUndecided && processed !== null && employerId === 2)
    found.push([addDays(processed, 30) ?? '', 'Decide']);
  const appealBy = processed === null ? null : addDays(processed, employerId === 2 ? 45 : 180);
  if (of.answerDue !== null) found.push([of.answerDue, 'Answer']);
  const isAtCarrier = of.answerDue !== null && id % 2 === 0;
  if (!isAtCarrier && isUndecided && isRejected && appealBy !== null && appealBy >= today)
    found.push([appealBy, 'Appeal']);
  const ends = `${Number(of.served.slice(0, 4)) + 1}-01-01`;
  const runOut = addDays(ends, (employerId === 2 ? 60 : 90) - 1) ?? '';
  if (!of.isPaid && !isRejected && runOut >= today) found.push([runOut, 'Reimburse']);
  return found.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))[0] ?? null;
}

const readDue = (store: OpenedStore): Map<number, [string, string] | null> => {
  const rows = store.database.prepare('SELECT id, due_day, due_kind FROM claim_facts').raw().all() as [
    number,
    string | null,
    string | null,
  ][];
  return new Map(rows.map(([id, day, kind]) => [id, day === null || kind === null ? null : [day, kind]]));
};

it('the next deadline of each claim is the one found by hand, on whatever days the worklists are computed', () => {
  fc.assert(
    fc.property(
      fc.tuple(...Array.from({ length: 12 }, (_none, index) => made(index + 1))),
      fc.array(days, { minLength: 1, maxLength: 4 }),
      (claims, onDays) => {
        const store = openTestStore();
        store.write.writeReviewPeriod({ from: '2026-01-01', on: null });
        store.ingest('claims', claims.map(toClaim));
        writeReviews(
          store,
          ...claims.flatMap(({ id, isDone, isPaid, answerDue }) => [
            {
              claimId: id,
              ...(isDone ? ({ state: 'done', outcome: 'eligible' } as const) : {}),
              ...(isPaid ? { reimbursed: 300_000 } : {}),
              ...(answerDue === null ? {} : { appealDue: answerDue, appealSent: id % 2 === 0 ? 1 : null }),
            },
          ]),
        );
        for (const today of onDays) {
          updateStore(store, today, rules);
          const due = readDue(store);
          for (const one of claims)
            expect([one.id, due.get(one.id)]).toEqual([one.id, findByHand(one, today)]);
          const wanted = claims.filter((one) => {
            const next = findByHand(one, today);
            return next !== null && next[0] <= (addDays(today, 30) ?? '');
          });
          expect([...store.list(worklistQuery('due'))].sort((a, b) => a - b)).toEqual(
            wanted.map(({ id }) => id),
          );
        }
      },
    ),
    { numRuns: 40, seed: 31 },
  );
});

it('says the rule that a deadline follows from', () => {
  expect(sayDeadlineRule('Decide', 30)).toBe('30 days after the carrier processed it');
  expect(sayDeadlineRule('Answer', 60)).toBe('60 days after the appeal');
  expect(sayDeadlineRule('Reimburse', 0)).toBe('the last day of the plan year');
});
