import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldContained } from '../../../../../../src/main/engine/store/user-data/fold-claims.ts';
import {
  type FactRules,
  findLineDifference,
} from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { factsOfFamilies } from '../../../../../../src/main/engine/store/worklists/compute-families.ts';
import { runContained } from '../../../../../../src/main/engine/store/worklists/contain-failures.ts';
import {
  findChainGroups,
  findGroupsContained,
} from '../../../../../../src/main/engine/store/worklists/find-chains.ts';
import { compareContained } from '../../../../../../src/main/engine/store/worklists/find-duplicates.ts';
import { resolveContained } from '../../../../../../src/main/engine/store/worklists/update-chains.ts';
import { findOddPayments } from '../../../../../../src/rules/money/odd-payments.ts';
import { defaultReimbursementRules } from '../../../../../../src/rules/money/reimbursement.ts';
import { startPlanYear } from '../../../../../../src/rules/plans/plan-rules.ts';
import { type WorklistId, worklistQuery } from '../../../../../../src/rules/worklists/worklist-table.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { accountOf, layersOf, meterOf } from '../../../../../support/plan-rules.ts';
import { fuzzRuns, seedFrom } from '../../../../../support/seeds.ts';
import { updateStore, writeReviews } from '../../../../../support/update-store.ts';

const today = '2026-11-20';
const rules: FactRules = {
  service: 'w',
  settings: {
    planYearStart: 7,
    planYearStarts: {},
    reimbursementRules: { w: { ...defaultReimbursementRules, decideDays: 30, runOutDays: 90 } },
    planRules: {
      'w#3': {
        years: [
          {
            ...startPlanYear('2000-07-01'),
            deductible: meterOf('embedded', 500, 1_000),
            account: accountOf(layersOf(['account', null])),
          },
        ],
      },
    },
  },
};

const claimOf = (id: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  status: 'Processed',
  type: { name: 'medical', type_id: 1 },
  network: 'IN',
  patient_name: 'Ana Edwards',
  members: [{ id: 7, employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[]', start: '2026-03-02', end: '2026-03-02' },
  processed_on: '2026-04-01',
  amount_billed: 400,
  amount_allowed: 300,
  reduction: 300,
  copayment: 0,
  coinsurance_patient: 0,
  patient_responsibility: 300,
  ...more,
});

function openWith(...claims: readonly Record<string, unknown>[]): OpenedStore {
  const store = openTestStore();
  store.write.writeReviewPeriod({ from: '2025-01-01', on: null });
  store.ingest('claims', claims);
  updateStore(store, today, rules);
  return store;
}

const onDay = (day: string) => ({ date_of_service: { bounds: '[]', start: day, end: day } });
const readFacts = (store: OpenedStore, id: number) =>
  store.database.prepare('SELECT * FROM claim_facts WHERE id=?').get(id) as Record<string, unknown>;
const whyOf = (store: OpenedStore, id: number) => readFacts(store, id)?.exceptions_why;
const exceptionsOf = (store: OpenedStore, part: WorklistId = 'notComputed') =>
  store.list(worklistQuery(part)).filter((id) => store.list(worklistQuery('exceptions')).includes(id));

it('updates all claims if the plan year of one ends after the year 9999, and says what is unknown about it', () => {
  const store = openWith(claimOf(1, onDay('9999-12-31')), claimOf(2));
  expect(readFacts(store, 2)).toMatchObject({ open: 3_000_000, exceptions: null });
  expect(readFacts(store, 1)).toMatchObject({ exceptions: 'Could not be computed', run_out_day: null });
  expect(whyOf(store, 1)).toBe('Deadline to reimburse: the plan year of 9999-12-31 ends after the year 9999');
  expect(exceptionsOf(store)).toEqual([1]);
});

it('says which deadlines are unknown if the day of processing is not a day', () => {
  const store = openWith(
    claimOf(1, { processed_on: 'last week' }),
    claimOf(2, { processed_on: '9999-12-20' }),
  );
  expect(whyOf(store, 1)).toBe('Deadline to decide: “last week” is not a date');
  expect(whyOf(store, 2)).toBe('Deadline to decide: 9999-12-20 plus 30 days is after the year 9999');
  expect(exceptionsOf(store)).toEqual([2, 1]);
});

it('leaves only the claim whose values a statement can’t store without facts', () => {
  const store = openWith(claimOf(1), claimOf(2), claimOf(3));
  store.database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON claim_facts WHEN NEW.id=2 AND NEW.open IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'no such amount'); END`);
  store.database.exec(
    'UPDATE claims SET amount_paid=1; INSERT OR IGNORE INTO outdated_claims SELECT id FROM claims',
  );
  updateStore(store, today, rules);
  expect(readFacts(store, 1)).toMatchObject({ open: 3_000_000, exceptions: null });
  expect(readFacts(store, 3)).toMatchObject({ open: 3_000_000, exceptions: null });
  expect(readFacts(store, 2)).toMatchObject({ open: null, exceptions: 'Could not be computed' });
  expect(whyOf(store, 2)).toBe('Amounts, deadlines, and worklists: unexpected error (no such amount)');
  expect(exceptionsOf(store)).toEqual([2]);
  store.database.exec('DROP TRIGGER refuse; INSERT INTO outdated_claims (id) VALUES (2)');
  updateStore(store, today, rules);
  expect(readFacts(store, 2)).toMatchObject({ open: 3_000_000, exceptions: null });
  expect(exceptionsOf(store)).toEqual([]);
});

it('owes no one what was paid on another claim under the same ID, until the claim is decided', () => {
  const store = openWith(claimOf(1));
  const paid = { claimId: 1, earlierPaid: '[7]', digest: 'old' };
  writeReviews(store, { ...paid, state: 'todo', changedFields: '$otherClaim patient_name' });
  updateStore(store, today, rules);
  expect(readFacts(store, 1)).toMatchObject({ owed: null, open: 3_000_000, changed_since_paid: null });
  expect(readFacts(store, 1)).toMatchObject({ exceptions: 'Another claim under its ID' });
  expect(whyOf(store, 1)).toContain('the review and payments are of the claim that had this ID before');
  expect(exceptionsOf(store, 'otherClaims')).toEqual([1]);
  expect(store.read.readPaidClaims({ memberId: 7 })).toEqual([]);
  expect(store.read.readEarlierClaims({ memberId: 7 })).toEqual([1]);
  expect(store.read.readEarlierClaims({ memberId: 8 })).toEqual([]);
  // A payment on the claim that has the ID now counts for it.
  writeReviews(store, { ...paid, reimbursed: 4_000_000, state: 'done', outcome: 'eligible' });
  updateStore(store, today, rules);
  expect(readFacts(store, 1)).toMatchObject({ owed: 1_000_000, exceptions: null });
});

it('lists payments that no form would accept, with what is odd', () => {
  const store = openWith(claimOf(1), claimOf(2), claimOf(3), claimOf(4));
  const [day, at] = ['2027-05-01', '2026-03-01T00:00:00.000Z'];
  const oddPayment = findOddPayments([{ payment: 'reimbursed', amount: 12_345, day, at }]).join('; ');
  const off = { claimId: 2, reimbursed: 100_000, writtenOff: 200_000 };
  writeReviews(store, { claimId: 1, reimbursed: -100_000 }, off, { claimId: 3, oddPayment });
  updateStore(store, today, rules);
  const why = [1, 2, 3, 4].map((id) => [readFacts(store, id).exceptions, whyOf(store, id)]);
  expect(why).toEqual([
    ['Odd payment', 'More was repaid or reversed than was paid'],
    ['Odd payment', 'More was written off than was paid'],
    [
      'Odd payment',
      'Reimbursed $1.2345 has more than two decimals; Reimbursed $1.2345 is dated 2027-05-01, more than 31 days ahead',
    ],
    [null, null],
  ]);
});

it('compares all claims except those whose comparison fails, in whatever group they are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }), {
        maxLength: 8,
      }),
      fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 5 }),
      (groups, odd) => {
        const failed = new Set<number>();
        const compared = new Set<string>();
        const compare = (some: readonly (readonly number[])[]): void => {
          const thrown = some.flat().find((id) => odd.includes(id));
          if (thrown !== undefined) throw new RangeError(`claim ${thrown}`);
          for (const ids of some)
            for (const id of ids) for (const other of ids) compared.add(`${id} ${other}`);
        };
        compareContained(groups, compare, (id) => failed.add(id));
        const all = groups.flat();
        expect([...failed].sort()).toEqual([...new Set(all.filter((id) => odd.includes(id)))].sort());
        for (const ids of groups)
          for (const id of ids)
            for (const other of ids)
              if (!odd.includes(id) && !odd.includes(other)) expect(compared).toContain(`${id} ${other}`);
      },
    ),
  );
  // A failing file is not about the values of a claim.
  const full = Object.assign(new Error('disk'), { code: 'SQLITE_FULL' });
  const failing = () => {
    throw full;
  };
  expect(() => compareContained([[1], [2]], failing, () => undefined)).toThrow(full);
});

it('says that the review or comparison of a claim could not be computed, until it can be', () => {
  const store = openWith(claimOf(1), claimOf(2), claimOf(3));
  const folded = foldContained({ claimId: 2, events: [] }, () => {
    throw new TypeError('no such kind');
  });
  writeReviews(store, { claimId: 2, failure: folded.failure });
  store.database.exec(
    "INSERT INTO failed_comparisons VALUES (3, 'Comparison with other claims: unexpected error (odd)')",
  );
  updateStore(store, today, rules);
  expect([1, 2, 3].map((id) => whyOf(store, id))).toEqual([
    null,
    'Review: unexpected error (no such kind)',
    'Comparison with other claims: unexpected error (odd)',
  ]);
  expect(exceptionsOf(store).toSorted()).toEqual([2, 3]);
  // It is compared again with the next change.
  store.ingest('claims', [claimOf(3, { remarks: 'again' })]);
  updateStore(store, today, rules);
  expect(whyOf(store, 3)).toBeNull();
});

/** A claim of a number of which there are several; the larger ID was processed later. */
const chained = (id: number, number: string) =>
  claimOf(id, { vendor_system_id: number, processed_on: `2026-04-0${id}`, service_provider: 'Lakeside' });

it('finds the groups of all claims except those whose search fails, and keeps these where they were', () => {
  const store = openWith(
    chained(1, 'C0001234'),
    chained(2, 'C0001234-1'),
    chained(3, 'C0005678'),
    chained(4, 'C0005678-1'),
  );
  const { database } = store;
  const find: typeof findChainGroups = (of, ids) => {
    const groups = findChainGroups(of, ids);
    if (groups.flat().includes(2)) throw new RangeError('odd number');
    return groups;
  };
  for (const of of [null, [1, 2, 3, 4], [2, 3]]) {
    const { groups, failed } = findGroupsContained(database, of, find);
    expect(groups).toEqual([[3, 4]]);
    expect(failed.map(({ id }) => id)).toEqual(of === null ? [1, 2] : of.filter((id) => id <= 2));
  }
  expect(readFacts(store, 1)).toMatchObject({ chain_role: 'Replaced', open: 0 });
  store.ingest('claims', [{ ...chained(2, 'C0001234-1'), remarks: 'odd' }]);
  const looked = store.read.lookForDuplicates(null);
  if (looked === null || looked === 'firstRead') throw new Error('nothing changed');
  const chains = { ...findGroupsContained(database, [1, 2], find), of: [1, 2] };
  store.write.updateFacts({ ...rules, today, at: today, findings: { ...looked, chains } });
  updateStore(store, today, rules);
  expect(readFacts(store, 1)).toMatchObject({ chain_role: 'Replaced', open: 0 });
  expect(whyOf(store, 2)).toBe('Search for its corrections and reversals: unexpected error (odd number)');
  expect(exceptionsOf(store).toSorted()).toEqual([1, 2]);
  // The next change of one of them makes both searched again.
  store.ingest('claims', [{ ...chained(1, 'C0001234'), remarks: 'again' }]);
  updateStore(store, today, rules);
  expect(exceptionsOf(store)).toEqual([]);
});

it('gives positions to every group of claims except failing ones, whose amounts are unknown', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.uniqueArray(fc.nat({ max: 11 })), (size, odd) => {
      const stored = Array.from({ length: size * 2 }, (_, at) => ({ id: at + 1, group: at >> 1 }));
      const places = resolveContained(stored, (ids) => {
        if (ids.some((id) => odd.includes((id - 1) >> 1))) throw new TypeError('odd day');
        return new Map(ids.map((id) => [id, { chain: id, role: 'standing', by: null }]));
      });
      for (const { id, group } of stored)
        expect(places.get(id)).toMatchObject(
          odd.includes(group)
            ? { role: 'unclear', chain: group * 2 + 1, failure: expect.stringContaining('odd day') }
            : { role: 'standing', failure: null },
        );
    }),
  );
  const full = Object.assign(new Error('disk'), { code: 'SQLITE_FULL' });
  const failing = () => {
    throw full;
  };
  expect(() => resolveContained([{ id: 1, group: 1 }], failing)).toThrow(full);
});

it('says why the claims of a chain could not be computed, and pays none of them until it can be', () => {
  const store = openWith(chained(1, 'C0001234'), chained(2, 'C0001234-1'), claimOf(3));
  store.database.exec(`CREATE TRIGGER fail AFTER UPDATE ON claim_chains WHEN NEW.failure IS NULL
    BEGIN UPDATE claim_chains SET chain=1, role='unclear', by_id=NULL, failure='Odd day' WHERE id=NEW.id; END;
    UPDATE claim_chains SET role=NULL; INSERT OR IGNORE INTO outdated_claims VALUES (1), (2)`);
  updateStore(store, today, rules);
  for (const id of [1, 2])
    expect(readFacts(store, id)).toMatchObject({ open: null, exceptions: 'Could not be computed' });
  expect([1, 2, 3].map((id) => whyOf(store, id))).toEqual(['Odd day', 'Odd day', null]);
  expect(exceptionsOf(store).toSorted()).toEqual([1, 2]);
  store.database.exec('DROP TRIGGER fail; INSERT OR IGNORE INTO outdated_claims VALUES (1)');
  updateStore(store, today, rules);
  expect(readFacts(store, 2)).toMatchObject({ open: 3_000_000, exceptions: null });
  expect(exceptionsOf(store)).toEqual([]);
});

it('stops if the file fails, not the values of a claim', () => {
  const { database } = openTestStore();
  const full = Object.assign(new Error('disk'), { code: 'SQLITE_FULL' });
  const runPart = () => {
    throw full;
  };
  expect(() => runContained(database, [1, 2], runPart, () => undefined)).toThrow(full);
});

it('does not know what the account pays on claims of a family that could not be computed, and continues', () => {
  const families = [7, 8].map((memberId) => ({
    memberId,
    persons: [],
    hasDependents: false,
    claims: [{ id: memberId * 10, employerId: 3 }],
  })) as never;
  const facts = factsOfFamilies(families, rules, ({ memberId }) => {
    if (memberId === 7) throw new RangeError('Invalid time value');
    return [];
  });
  expect([...facts]).toMatchObject([[70, { memberId: 7, step: { rule: 'notComputed', share: null } }]]);
  expect(facts.get(70)?.failure).toContain('Invalid time value');
});

const oddDay = fc.oneof(
  fc.constantFrom(null, '', 'soon', '0000-01-01', '0000-12-31', '9999-12-31', '10000-01-01', '2026-02-30'),
  fc.constantFrom('9999-12-31T23:59:60Z', '2026-03-02T25:00', '-0001-01-01', ' 2026-03-02'),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
);
const oddAmount = fc.oneof(
  fc.constantFrom(
    null,
    0,
    -0,
    1e21,
    -1e21,
    9_007_199_254_740_991,
    -9_007_199_254_740_991,
    1e-9,
    '12.50',
    'ten',
  ),
  fc.constantFrom(900_719_925_474.0991, -900_719_925_474.0991, 922_337_203_685_477.5),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const oddText = fc.oneof(
  fc.constantFrom(null, '', '  ', 'Processed', 'Rejected'),
  fc.string({ unit: 'grapheme' }),
);
const oddRange = fc.oneof(
  fc.constant(null),
  fc.record({ bounds: fc.constantFrom('[]', '[)', '(]', '()', 'x', null), start: oddDay, end: oddDay }),
);
const amounts = ['amount_billed', 'amount_allowed', 'amount_paid', 'amount_paid_other', 'amount_not_covered'];
const shares = ['reduction', 'copayment', 'coinsurance_patient', 'patient_responsibility', 'discount'];
const some = <T>(names: readonly string[], of: fc.Arbitrary<T>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, of])), { requiredKeys: [] });
const oddLine = fc
  .tuple(
    some(['amount_billed', 'patient_responsibility', 'quantity', 'days_supply'], oddAmount),
    some(['procedure_code', 'procedure_name', 'national_drug_code'], oddText),
    some(['date_of_service'], oddRange),
  )
  .map((parts) => Object.assign({}, ...parts));
const oddClaim = fc
  .tuple(
    some([...amounts, ...shares], oddAmount),
    some(['status', 'network', 'patient_name', 'service_provider', 'vendor_system_id', 'remarks'], oddText),
    some(['processed_on', 'eob_date', 'createddate', 'check_date', 'modifieddate'], oddDay),
    some(['date_of_service'], oddRange),
    fc.record({ claim_medical_lines: fc.array(oddLine, { maxLength: 3 }) }, { requiredKeys: [] }),
    fc.constantFrom({}, { members: [] }, { members: null }, { members: [{ id: 8, employer: null }] }),
  )
  .map((parts): Record<string, unknown> => Object.assign({}, ...parts));

it('gives every claim its facts or says why not, whatever the values of others', () => {
  const plain = claimOf(1_000, {
    members: [{ id: 9, employer: { id: 3, name: 'Acme' } }],
    patient_name: 'Bo Lee',
  });
  const alone = readFacts(openWith(plain), 1_000);
  fc.assert(
    fc.property(fc.array(oddClaim, { minLength: 20, maxLength: 40 }), (odd) => {
      const claims = odd.map((more, at) => claimOf(at + 1, more));
      const store = openWith(...claims, plain);
      const stored = store.database.prepare('SELECT id FROM claims ORDER BY id').pluck().all();
      const settled = store.database.prepare('SELECT id FROM claim_facts ORDER BY id').pluck().all();
      expect(settled).toEqual(stored);
      expect(readFacts(store, 1_000)).toEqual(alone);
      const { worklists } = store.read.readWorklistCounts({});
      for (const { id, claims: counted } of worklists)
        expect(store.list(worklistQuery(id))).toHaveLength(counted);
      for (const id of stored as number[])
        expect(() => store.read.readReasons({ claimId: id })).not.toThrow();
      expect(() => store.read.readFamily({ memberId: 7, planYear: null, today, rules })).not.toThrow();
    }),
    { numRuns: fuzzRuns(6), seed: seedFrom(71) },
  );
});

it('lines that differ from the claim only by the rounding of each line count as equal', () => {
  const differenceOf = (sum: number): number | null =>
    findLineDifference({ compared: [{ own: 1_000_000, sum, blank: 0 }], lines: 3 } as never);
  // 33.3333 three times, and one ten-thousandth more than that can be.
  expect([differenceOf(999_999), differenceOf(999_996)]).toEqual([0, -4]);
});
