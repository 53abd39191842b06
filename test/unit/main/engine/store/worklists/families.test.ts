import { expect, it } from 'vitest';
import { type PlanYearRules, startPlanYear } from '../../../../../../src/contract/plan-rules.ts';
import { worklistIds } from '../../../../../../src/contract/worklist-table.ts';
import type { FactRules } from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { settleStore, usualRules, writeReviews } from '../../../../../support/settle-store.ts';

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

const limit = (person: number, family: number) => ({ person: person * dollar, family: family * dollar });
const planOf = (more: Partial<PlanYearRules>): FactRules => ({
  ...usualRules,
  settings: {
    ...usualRules.settings,
    planRules: { 'w#3': { years: [{ ...startPlanYear('2026-01-01'), ...more }] } },
  },
});
const deductible = planOf({
  deductible: { kind: 'embedded', inNetwork: limit(500, 1_000), outOfNetwork: null, types: null },
});
const layered = planOf({
  account: {
    per: 'person',
    layers: [
      { payer: 'member', amount: 500 * dollar },
      { payer: 'account', amount: 400 * dollar },
    ],
    limit: { person: null, family: null },
    carryOver: null,
  },
});

function openScoped(): OpenedStore {
  const store = openTestStore();
  store.write.writeReviewsFrom('2025-01-01');
  return store;
}

const familyOf = (store: OpenedStore, rules: FactRules) =>
  store.read.readFamily({ memberId: 7, planYear: null, today, rules })?.family;
const factsOf = (store: OpenedStore, column: string): unknown[] =>
  store.database.prepare(`SELECT ${column} FROM claim_facts ORDER BY id`).pluck().all();
const inDollars = (amounts: unknown[]) =>
  amounts.map((amount) => (amount === null ? null : Number(amount) / dollar));

it('counts the claims of a family for its persons, and lists the family', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [
    claimOf(1),
    claimOf(2, { patient_name: 'Luis M Edwards' }),
    claimOf(3, { status: 'In Process' }),
    claimOf(4, { date_of_service: { bounds: '[]', start: '2025-03-02', end: '2025-03-02' } }),
  ]);
  settleStore(store, today, deductible);
  const family = familyOf(store, deductible);
  expect(family?.persons.map(({ name }) => name)).toEqual(['Ana Edwards', 'Luis Mateo Edwards']);
  expect(family?.meters[0]?.persons.map(({ used }) => used / dollar)).toEqual([300, 300]);
  expect(family?.claims.map(({ claimId, state }) => [claimId, state])).toEqual([
    [1, 'counts'],
    [2, 'counts'],
    [3, 'notProcessed'],
  ]);
  expect(store.read.listFamilies({ offset: 0, limit: 10 })).toMatchObject({
    total: 1,
    families: [
      { memberId: 7, memberName: 'Ana Edwards', planYear: '2026', deductible: { used: 600 * dollar } },
    ],
  });
});

it('finds what the carrier applied above the deductible, on the later claim, also where an earlier one comes late', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(2), claimOf(3, { reduction: 200, patient_responsibility: 200 })]);
  settleStore(store, today, deductible);
  expect(factsOf(store, 'carrier_difference')).toEqual([null, null]);
  store.ingest('claims', [claimOf(1)]);
  settleStore(store, today, deductible);
  expect(inDollars(factsOf(store, 'carrier_difference'))).toEqual([null, 100, 200]);
  expect(factsOf(store, 'carrier_disagrees')).toEqual([
    null,
    ...Array.from({ length: 2 }, () => 'Deductible applied above what was left'),
  ]);
  const inIt = store.database
    .prepare('SELECT id FROM claim_worklists WHERE worklist=? ORDER BY rank DESC')
    .pluck()
    .all(worklistIds.indexOf('carrierDisagrees'));
  expect(inIt).toEqual([3, 2]);
  // A person marks the late one as a duplicate.
  writeReviews(store, { claimId: 1, state: 'done', outcome: 'duplicate' });
  settleStore(store, today, deductible);
  expect(factsOf(store, 'carrier_difference')).toEqual([null, null, null]);
});

it('gives each claim what the layers of the account leave, and again where an earlier claim changes', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3)]);
  settleStore(store, today, layered);
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([0, 100, 300]);
  store.ingest('claims', [claimOf(1, { reduction: 450, patient_responsibility: 450 })]);
  settleStore(store, today, layered);
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
  settleStore(store, today, layered);
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([null, 10, null]);
  settleStore(store, today, usualRules);
  expect(inDollars(factsOf(store, 'eligible'))).toEqual([null, 10, 300]);
  expect(store.read.listFamilies({ offset: 0, limit: 10 }).total).toBe(0);
});

it('does not know who a patient is whose name fits two persons, until the records tell them apart', () => {
  const store = openScoped();
  const twins = [
    { id: 71, first_name: 'Ana', middle_name: 'Bea', last_name: 'Edwards' },
    { id: 72, first_name: 'Ana', middle_name: 'Cleo', last_name: 'Edwards' },
  ];
  store.ingest('members', [member({ first_name: 'Jo', dependents: twins })]);
  store.ingest('claims', [claimOf(1)]);
  settleStore(store, today, deductible);
  expect(familyOf(store, deductible)?.persons.at(-1)?.name).toBe(null);
  store.ingest('members', [member({ first_name: 'Jo', dependents: twins.slice(1) })]);
  expect(store.read.isSettled({ ...deductible, today })).toBe(false);
  settleStore(store, today, deductible);
  expect(familyOf(store, deductible)?.persons.map(({ name }) => name)).toEqual([
    'Jo Edwards',
    'Ana Cleo Edwards',
  ]);
});

it('says what other rules would change, and changes nothing', () => {
  const store = openScoped();
  store.ingest('members', [member()]);
  store.ingest('claims', [claimOf(1), claimOf(2), claimOf(3)]);
  settleStore(store, today);
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
