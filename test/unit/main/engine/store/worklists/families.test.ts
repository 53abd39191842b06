import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FactRules } from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { readApplied } from '../../../../../../src/main/engine/store/worklists/read-applied.ts';
import { computeEligible } from '../../../../../../src/rules/money/eligible.ts';
import { defaultReimbursementRules } from '../../../../../../src/rules/money/reimbursement.ts';
import { type PlanYearRules, startPlanYear } from '../../../../../../src/rules/plans/plan-rules.ts';
import { worklistIds } from '../../../../../../src/rules/worklists/worklist-table.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { accountOf, layersOf, meterOf } from '../../../../../support/plan-rules.ts';
import { fuzzRuns, seedFrom } from '../../../../../support/seeds.ts';
import { updateStore, usualRules, writeReviews } from '../../../../../support/update-store.ts';

const today = '2026-11-20';
const dollar = 10_000;

const member = (more: Record<string, unknown> = {}) => ({
  id: 7,
  first_name: 'Ana',
  last_name: 'Edwards',
  employer: { id: 3, name: 'Acme' },
  dependents: [{ id: 71, first_name: 'Luis', middle_name: 'Mateo', last_name: 'Edwards' }],
  ...more,
});

/** A claim of Ana's family with a deductible of $300. */
const claimOf = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  status: 'Processed',
  type: { name: 'medical', type_id: 1 },
  network: 'IN',
  patient_name: 'EDWARDS, ANA',
  members: [{ id: 7, employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[]', start: '2026-03-02', end: '2026-03-02' },
  processed_on: `2026-04-0${id}`,
  amount_allowed: 300,
  reduction: 300,
  copayment: 0,
  coinsurance_patient: 0,
  patient_responsibility: 300,
  ...more,
});

const planOf = (more: Partial<PlanYearRules>): FactRules => ({
  ...usualRules,
  settings: {
    ...usualRules.settings,
    planRules: { 'w#3': { years: [{ ...startPlanYear('2026-01-01'), ...more }] } },
  },
});
const deductible = planOf({
  deductible: meterOf('embedded', 500, 1_000),
});
const layered = planOf({ account: accountOf(layersOf(['member', 500], ['account', 400])) });

function openScoped(): OpenedStore {
  const store = openTestStore();
  store.write.writeReviewPeriod({ from: '2025-01-01', on: null });
  return store;
}

const familyOf = (store: OpenedStore, rules: FactRules) =>
  store.read.readFamily({ memberId: 7, planYear: null, today, rules })?.families[0];
const factsOf = (store: OpenedStore, column: string): unknown[] =>
  store.database.prepare(`SELECT ${column} FROM claim_facts ORDER BY id`).pluck().all();
const inDollars = (amounts: unknown[]) =>
  amounts.map((amount) => (amount === null ? null : Number(amount) / dollar));

it('shows the plan year of the claim from which it was opened, unless another one is chosen', () => {
  const rules = planOf({});
  const years = (rules.settings.planRules['w#3']?.years ?? []).map((year) => ({
    ...year,
    from: '2020-01-01',
  }));
  const older: FactRules = { ...rules, settings: { ...rules.settings, planRules: { 'w#3': { years } } } };
  const store = openScoped();
  store.ingest('members', [member()]);
  const days = { bounds: '[]', start: '2025-03-04', end: '2025-03-04' };
  store.ingest('claims', [claimOf(1), claimOf(2, { date_of_service: days })]);
  updateStore(store, today, older);
  const yearOf = (of: { claimId: number; planYear: string | null }) =>
    store.read.readFamily({ memberId: 7, today, rules: older, ...of })?.families[0]?.planYear;
  expect(yearOf({ claimId: 2, planYear: null })).toBe('2025');
  expect(yearOf({ claimId: 2, planYear: '2026' })).toBe('2026');
  expect(yearOf({ claimId: 99, planYear: null })).toBe('2026');
});

it('counts the claims of a family for each person and for the family', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [
    claimOf(1),
    claimOf(2, { patient_name: 'Luis M Edwards' }),
    claimOf(3, { status: 'In Process' }),
    claimOf(4, { date_of_service: { bounds: '[]', start: '2025-03-02', end: '2025-03-02' } }),
  ]);
  updateStore(store, today, deductible);
  const family = familyOf(store, deductible);
  expect(family?.persons.map(({ name }) => name)).toEqual(['Ana Edwards', 'Luis Mateo Edwards']);
  expect(family?.meters[0]?.persons.map(({ used }) => used / dollar)).toEqual([300, 300]);
  expect(family?.claims.map(({ claimId, state }) => [claimId, state])).toEqual([
    [1, 'counts'],
    [2, 'counts'],
    [3, 'notProcessed'],
  ]);
  expect(family).toMatchObject({ memberId: 7, planYear: '2026' });
  expect(family?.meters[0]?.family.used).toBe(600 * dollar);
});

it('finds what the carrier applied above the deductible, on the later claim, even if an earlier one arrives late', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(2), claimOf(3, { reduction: 200, patient_responsibility: 200 })]);
  updateStore(store, today, deductible);
  expect(factsOf(store, 'carrier_difference')).toEqual([null, null]);
  store.ingest('claims', [claimOf(1)]);
  updateStore(store, today, deductible);
  expect(inDollars(factsOf(store, 'carrier_difference'))).toEqual([null, 100, 200]);
  expect(factsOf(store, 'carrier_disagrees')).toEqual([
    null,
    ...Array.from({ length: 2 }, () => 'Deductible too high'),
  ]);
  const inIt = store.database
    .prepare('SELECT id FROM claim_worklists WHERE worklist=? ORDER BY rank DESC')
    .pluck()
    .all(worklistIds.indexOf('carrierDisagrees'));
  expect(inIt).toEqual([3, 2]);
  // A reviewer marks the late one as a duplicate.
  writeReviews(store, { claimId: 1, state: 'done', outcome: 'duplicate' });
  updateStore(store, today, deductible);
  expect(factsOf(store, 'carrier_difference')).toEqual([null, null, null]);
});

it.each(['Paid', null, 'Finalized'])(
  'is “at least” if a claim has the status %s, which may count or not',
  (status) => {
    const store = openScoped();
    store.ingest('members', [member()]);
    store.ingest('claims', [
      claimOf(1, { status, reduction: 0, patient_responsibility: 0 }),
      claimOf(2, { status }),
      claimOf(3),
    ]);
    updateStore(store, today, deductible);
    const standingOf = () => familyOf(store, deductible)?.meters[0]?.family;
    expect(standingOf()).toMatchObject({ used: 300 * dollar, isAtLeast: true });
    expect(familyOf(store, deductible)?.claims.map(({ state }) => state)).toEqual([
      'statusUnknown',
      'statusUnknown',
      'counts',
    ]);
    updateStore(store, today, layered);
    expect(inDollars(factsOf(store, 'eligible'))).toEqual([null, null, null]);
    // A claim of 0 adds nothing, whether it counts or not; one that the carrier works on adds nothing yet.
    store.ingest('claims', [claimOf(2, { status: 'In Process' })]);
    expect(standingOf()).toMatchObject({ used: 300 * dollar, isAtLeast: false });
  },
);

it('gives two findings on one claim separate amounts', () => {
  const rules = planOf({
    deductible: meterOf('embedded', 500, 1_000),
    outOfPocket: meterOf('embedded', 598, 2_000),
  });
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(1), claimOf(2, { reduction: 600, patient_responsibility: 600 })]);
  updateStore(store, today, rules);
  expect(factsOf(store, 'carrier_disagrees')).toEqual([
    null,
    'Deductible too high; over the out-of-pocket maximum',
  ]);
  expect(inDollars(factsOf(store, 'carrier_deductible'))).toEqual([null, 400]);
  expect(inDollars(factsOf(store, 'carrier_out_of_pocket'))).toEqual([null, 302]);
});

it('gives each claim what the layers of the account leave, and again if an earlier claim changes', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3)]);
  updateStore(store, today, layered);
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([0, 100, 300]);
  store.ingest('claims', [claimOf(1, { reduction: 450, patient_responsibility: 450 })]);
  updateStore(store, today, layered);
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([0, 250, 150]);
  // A decision keeps its amount, and an amount that is not known makes later ones unknown.
  writeReviews(store, {
    claimId: 2,
    state: 'done',
    outcome: 'partlyEligible',
    keptEligible: 10 * dollar,
    keptByRules: 250 * dollar,
  });
  store.ingest('claims', [
    claimOf(1, { reduction: null, copayment: null, coinsurance_patient: null, patient_responsibility: null }),
  ]);
  updateStore(store, today, layered);
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([null, 10, null]);
  updateStore(store, today, usualRules);
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([null, 10, 300]);
  expect(factsOf(store, 'family')).toEqual([null, null, null]);
});

it('does not know a patient whose name fits two people, until the records distinguish them', () => {
  const store = openScoped();
  const twins = [
    { id: 71, first_name: 'Ana', middle_name: 'Bea', last_name: 'Edwards' },
    { id: 72, first_name: 'Ana', middle_name: 'Cleo', last_name: 'Edwards' },
  ];
  store.ingest('members', [member({ first_name: 'Jo', dependents: twins })]);
  store.ingest('claims', [claimOf(1)]);
  updateStore(store, today, deductible);
  expect(familyOf(store, deductible)?.persons.at(-1)?.name).toBe(null);
  store.ingest('members', [member({ first_name: 'Jo', dependents: twins.slice(1) })]);
  expect(store.read.areFactsCurrent({ ...deductible, today })).toBe(false);
  updateStore(store, today, deductible);
  expect(familyOf(store, deductible)?.persons.map(({ name }) => name)).toEqual([
    'Jo Edwards',
    'Ana Cleo Edwards',
  ]);
});

it('does not know a patient if two people have the same name', () => {
  const store = openScoped();
  const junior = { id: 71, first_name: 'Ana', last_name: 'Edwards' };
  store.ingest('members', [member({ dependents: [junior] })]);
  store.ingest('claims', [claimOf(1)]);
  updateStore(store, today, deductible);
  const family = familyOf(store, deductible);
  expect(family?.claims.map(({ person }) => family.persons[person]?.name)).toEqual([null]);
  expect(family?.meters[0]?.persons.every(({ isAtLeast }) => isAtLeast)).toBe(true);
});

it('is “at least” if a claim has no day of service, so that its plan year is unknown', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(1), claimOf(2, { date_of_service: null })]);
  updateStore(store, today, deductible);
  const family = familyOf(store, deductible);
  expect(family?.meters[0]?.family).toMatchObject({ used: 300 * dollar, isAtLeast: true });
  expect(family?.claims.map(({ claimId, deductible: of }) => [claimId, of])).toEqual([
    [1, 300 * dollar],
    [2, null],
  ]);
  updateStore(store, today, layered);
  expect(factsOf(store, 'account_rule')).toEqual(['layers', 'yearUnknown']);
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([0, null]);
});

it('uses nothing of the account for a claim that was decided as not eligible, and all of one without action', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3)]);
  writeReviews(store, { claimId: 1, state: 'done', outcome: 'notEligible' });
  writeReviews(store, { claimId: 2, state: 'done', outcome: 'noAction' });
  updateStore(store, today, layered);
  expect(familyOf(store, layered)?.claims.map(({ account }) => account?.before)).toEqual([
    ...[0, 0, 300 * dollar],
  ]);
});

it('shows what other rules would change, and changes nothing', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3)]);
  updateStore(store, today);
  const tried = layered.settings.planRules['w#3'] ?? null;
  const found = store.read.tryPlanRules({ employerId: 3, tried, rules: usualRules });
  expect(found).toMatchObject({
    families: 1,
    claims: 3,
    current: { eligible: 900 * dollar, notKnown: 0 },
    tried: { eligible: 400 * dollar, notKnown: 0 },
    changedClaims: 2,
    changed: [
      { claimId: 1, current: 300 * dollar, tried: 0 },
      { claimId: 2, current: 300 * dollar, tried: 100 * dollar },
    ],
  });
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([300, 300, 300]);
});

/** The same rules from 2025 on, and for a second employer with other limits. */
const ofTwo = (): FactRules => {
  const years = (person: number, family: number) => [
    {
      ...startPlanYear('2025-01-01'),
      deductible: meterOf('embedded', person, family),
    },
  ];
  const planRules = { 'w#3': { years: years(500, 1_000) }, 'w#4': { years: years(2_000, 4_000) } };
  return { ...usualRules, settings: { ...usualRules.settings, planRules } };
};
const on = (day: string) => ({ date_of_service: { bounds: '[]', start: day, end: day }, processed_on: day });
const bolt = { members: [{ id: 7, employer: { id: 4, name: 'Bolt' } }] };

it('shows the family by the rules of each of its employers in a plan year, that of the claim from which it was opened first, then the one with more claims', () => {
  const rules = ofTwo();
  const store = openScoped();
  store.ingest('members', [member({ dependents: [] })]);
  store.ingest('claims', [
    claimOf(1, { ...on('2026-03-02'), members: [{ id: 7, employer: { id: 3, name: 'Acme' } }] }),
    claimOf(2, { ...on('2026-07-02'), ...bolt }),
    claimOf(3, { ...on('2026-08-02'), ...bolt }),
    claimOf(4, { ...on('2025-08-02'), ...bolt }),
  ]);
  updateStore(store, today, rules);
  const shown = (planYear: string | null, claimId: number | null = null) =>
    store.read
      .readFamily({ memberId: 7, planYear, claimId, today, rules })
      ?.families.map((one) => [
        one.employerName,
        one.planYear,
        (one.meters[0]?.family.used ?? 0) / dollar,
        one.claims.map((claim) => claim.claimId),
      ]);
  const both = [
    ['Bolt', '2026', 600, [2, 3]],
    ['Acme', '2026', 300, [1]],
  ];
  expect(shown(null)).toEqual(both);
  expect(shown('2026')).toEqual(both);
  expect(shown(null, 2)).toEqual(both);
  expect(shown(null, 1)).toEqual(both.toReversed());
  expect(shown(null, 4)).toEqual([['Bolt', '2025', 300, [4]]]);
});

it('has the limits of a family with dependents only: a name that is not in the records is unknown', () => {
  const rules = ofTwo();
  const spouse = { patient_name: 'Luis Edwards' };
  const meterOf = (dependents: object[]) => {
    const store = openScoped();
    store.ingest('members', [member({ dependents })]);
    store.ingest('claims', [
      claimOf(1, { ...on('2025-03-02'), reduction: 700, patient_responsibility: 700 }),
      claimOf(2, { ...on('2026-03-02'), reduction: 700, patient_responsibility: 700 }),
      claimOf(3, { ...on('2026-04-02'), ...spouse, reduction: 700, patient_responsibility: 700 }),
      claimOf(4, { ...on('2026-05-02'), ...bolt, reduction: 700, patient_responsibility: 700 }),
    ]);
    updateStore(store, today, rules);
    return ['2025', '2026'].flatMap((planYear) =>
      (store.read.readFamily({ memberId: 7, planYear, today, rules })?.families ?? []).map((one) => [
        `${one.employerName} ${planYear}`,
        one.isFamily,
        ...[one.meters[0]?.family, ...(one.meters[0]?.persons ?? [])].map(
          (standing) => `${(standing?.used ?? 0) / dollar} of ${(standing?.limit ?? 0) / dollar}`,
        ),
        one.persons.map(({ name }) => name).join(', '),
        one.claims.map(({ person }) => one.persons[person]?.name).join(', '),
      ]),
    );
  };
  // The limit is self-only, $500: "Luis" may be a nickname of Ana, or have no record here.
  expect(meterOf([])).toEqual([
    ['Acme 2025', false, '500 of 500', '500 of 500', 'Ana Edwards', 'Ana Edwards'],
    [...['Acme 2026', false, '500 of 500', '500 of 500', '700 of 0'], ...['Ana Edwards, ', 'Ana Edwards, ']],
    ['Bolt 2026', false, '700 of 2000', '700 of 2000', 'Ana Edwards', 'Ana Edwards'],
  ]);
  const dependent = { id: 71, first_name: 'Luis', last_name: 'Edwards' };
  expect(meterOf([dependent]).map(([name, isFamily]) => [name, isFamily])).toEqual([
    ['Acme 2025', true],
    ['Acme 2026', true],
    ['Bolt 2026', true],
  ]);
});

/** Everything that is stored of families, and what follows for claims and worklists. */
const storedOf = (store: OpenedStore) => ({
  facts: store.database
    .prepare(
      `SELECT id, family, account_rule, account_share, eligible_by_rules, eligible, open, carrier_disagrees,
         carrier_difference, payable_twice FROM claim_facts ORDER BY id`,
    )
    .all(),
  worklists: store.database
    .prepare('SELECT id, worklist, rank, amount FROM claim_worklists ORDER BY 1, 2')
    .all(),
});

const claimStep = fc.record({
  id: fc.integer({ min: 1, max: 9 }),
  patient: fc.constantFrom('Ana Edwards', 'EDWARDS, LUIS', 'Luis M. Edwards', 'Kim Edwards', null),
  member: fc.constantFrom(7, 7, 8),
  employer: fc.constantFrom(3, 3, 4),
  day: fc.constantFrom('2025-12-30', '2026-01-02', '2026-05-05', null),
  processed: fc.constantFrom('2026-01-05', '2026-05-06', null),
  reduction: fc.constantFrom(200, 300, 650, -300, null),
  coinsurance: fc.constantFrom(0, 0, 20, null),
  status: fc.constantFrom('Processed', 'Processed', 'In Process', 'Rejected'),
});
const step = fc.oneof(
  { weight: 5, arbitrary: claimStep.map((claim) => ({ kind: 'claim' as const, claim })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((id) => ({ kind: 'missing' as const, id })) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('review' as const),
      id: fc.integer({ min: 1, max: 9 }),
      outcome: fc.constantFrom(
        'eligible' as const,
        'duplicate' as const,
        'notEligible' as const,
        'noAction' as const,
        'partlyEligible' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.boolean().map((isThere) => ({ kind: 'dependent' as const, isThere })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(deductible, layered, usualRules)
      .map((rules) => ({ kind: 'rules' as const, rules })),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const membersOf = (hasDependent: boolean) => [
  member(hasDependent ? {} : { dependents: [] }),
  { id: 8, first_name: 'Kim', last_name: 'Edwards', employer: { id: 3, name: 'Acme' } },
];

function apply(store: OpenedStore, one: Step): void {
  if (one.kind === 'claim') {
    const {
      id,
      patient,
      member: memberId,
      employer,
      day,
      processed,
      reduction,
      coinsurance,
      status,
    } = one.claim;
    const responsibility = reduction === null || coinsurance === null ? null : reduction + coinsurance;
    store.ingest('claims', [
      claimOf(id, {
        ...{ status, patient_name: patient, processed_on: processed, reduction },
        members: [{ id: memberId, employer: { id: employer, name: `E${employer}` } }],
        date_of_service: day && { bounds: '[]', start: day, end: day },
        coinsurance_patient: coinsurance,
        patient_responsibility: responsibility,
        vendor_system_id: `N${id}000000`,
      }),
    ]);
  } else if (one.kind === 'missing')
    store.database.prepare("UPDATE claims SET gone_since='2026-06-01' WHERE id=?").run(one.id);
  else if (one.kind === 'review')
    writeReviews(store, {
      claimId: one.id,
      ...{ state: 'done', outcome: one.outcome },
      keptEligible: one.outcome === 'partlyEligible' ? 50 * dollar : null,
      keptByRules: one.outcome === 'partlyEligible' ? 100 * dollar : null,
    });
  else if (one.kind === 'dependent') store.ingest('members', membersOf(one.isThere));
}

it('after any changes, step by step, it has what it computes from the same records at once', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rounds) => {
      const store = openScoped();
      let rules: FactRules = layered;
      store.ingest('members', membersOf(true));
      for (const steps of rounds) {
        for (const one of steps) {
          if (one.kind === 'rules') rules = one.rules;
          else apply(store, one);
        }
        updateStore(store, today, rules);
        expect(store.read.areFactsCurrent({ ...rules, today })).toBe(true);
      }
      const stepByStep = storedOf(store);
      store.database.exec(`DELETE FROM claim_facts; DELETE FROM claim_worklists;
        DELETE FROM outdated_families; DELETE FROM sync_state WHERE name='worklists.settled'`);
      updateStore(store, today, rules);
      expect(storedOf(store)).toEqual(stepByStep);
      // The family that a page computes is the stored one.
      for (const memberId of [7, 8]) {
        const wanted = { memberId, planYear: '2026', today, rules };
        for (const claim of store.read.readFamily(wanted)?.families[0]?.claims ?? []) {
          const [row] = store.database
            .prepare('SELECT family, account_share FROM claim_facts WHERE id=?')
            .all(claim.claimId);
          expect(row).toEqual({ family: memberId, account_share: claim.account?.share ?? null });
        }
      }
      store.readerConnection.close();
      store.database.close();
    }),
    { seed: seedFrom(31_504), numRuns: fuzzRuns(12) },
  );
});

it('reads what the carrier applied as the table of what is eligible gives it, even by the shorter way', () => {
  const amount = fc.option(
    fc.integer({ min: -20, max: 40 }).map((dollars) => dollars * dollar),
    { freq: 9 },
  );
  const source = fc.record({
    status: fc.constantFrom(
      'Processed',
      'Processed',
      'Adjusted',
      'Partially Approved',
      'Rejected',
      'In Process',
    ),
    network: fc.constant('IN'),
    ...{ deductible: amount, coinsurance: amount, copay: amount, notCovered: amount, allowed: amount },
    ...{
      planPaid: amount,
      otherPaid: amount,
      extra: fc.constantFrom(0, 0, 0, dollar),
      isUnread: fc.boolean(),
      ...{ isNotCoveredPartial: fc.boolean(), isOtherPaidPartial: fc.boolean() },
    },
  });
  fc.assert(
    fc.property(source, ({ extra, ...of }) => {
      const sum = (of.deductible ?? 0) + (of.coinsurance ?? 0) + (of.copay ?? 0);
      const claim = { ...of, responsibility: sum + extra };
      const byTable = (parts: readonly ('deductible' | 'coinsurance' | 'copay')[]) =>
        computeEligible(
          { ...claim, otherPaid: null, isOtherPaidPartial: false },
          { ...defaultReimbursementRules, parts: [...parts] },
        );
      const whole = byTable(['deductible', 'coinsurance', 'copay']);
      expect(readApplied(claim)).toEqual({
        isProcessed: whole.rule !== 'notProcessed',
        deductible: byTable(['deductible']).amount,
        outOfPocket: whole.amount,
      });
    }),
    { seed: seedFrom(31_505), numRuns: fuzzRuns(2_000) },
  );
});
