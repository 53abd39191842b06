import { expect, it } from 'vitest';
import type { FactRules } from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { type PlanYearRules, startPlanYear } from '../../../../../../src/rules/plans/plan-rules.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { accountOf, layersOf, limitOf, meterOf } from '../../../../../support/plan-rules.ts';
import { updateStore, usualRules } from '../../../../../support/update-store.ts';

const today = '2026-11-20';
const dollar = 10_000;

/** A claim of Ana, who is a member alone, with a deductible of $300 that the carrier processed in the order of IDs. */
const claimOf = (id: number, day: string) => ({
  ...{
    id,
    status: 'Processed',
    type: { name: 'medical', type_id: 1 },
    network: 'IN',
    patient_name: 'Ana Edwards',
  },
  members: [{ id: 7, employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[]', start: day, end: day },
  processed_on: `2026-04-0${id}`,
  ...{
    amount_allowed: 300,
    reduction: 300,
    copayment: 0,
    coinsurance_patient: 0,
    patient_responsibility: 300,
  },
});
const rulesOf = (...years: (Partial<PlanYearRules> & { from: string })[]): FactRules => ({
  ...usualRules,
  settings: {
    ...usualRules.settings,
    planRules: { 'w#3': { years: years.map((year) => ({ ...startPlanYear(year.from), ...year })) } },
  },
});

function openWith(...claims: object[]): OpenedStore {
  const store = openTestStore();
  store.write.writeReviewPeriod({ from: '2025-01-01', on: null });
  store.ingest('members', [
    { id: 7, first_name: 'Ana', last_name: 'Edwards', employer: { id: 3, name: 'Acme' } },
  ]);
  store.ingest('claims', claims);
  return store;
}
const shown = (store: OpenedStore, rules: FactRules, planYear: string | null = null) =>
  (store.read.readFamily({ memberId: 7, planYear, today, rules })?.families ?? []).map((one) => [
    one.begins,
    (one.meters[0]?.family.used ?? 0) / dollar,
    one.claims.map(({ claimId, isEarlier }) => `${claimId}${isEarlier ? ' earlier' : ''}`).join(', '),
  ]);
const findings = (store: OpenedStore, rules: FactRules) => {
  updateStore(store, today, rules);
  return store.database.prepare('SELECT carrier_deductible FROM claim_facts ORDER BY id').pluck().all();
};

const deductible = meterOf('embedded', 500, 1_000);
const claims = [claimOf(1, '2025-02-10'), claimOf(2, '2025-03-01'), claimOf(3, '2025-06-10')];

it('begins at zero on 2025-03-01, and counts no earlier claim', () => {
  const rules = rulesOf({ from: '2025-03-01', deductible });
  const store = openWith(...claims);
  expect(shown(store, rules)).toEqual([['2025-03-01', 500, '2, 3']]);
  expect(findings(store, rules)).toEqual([null, null, 100 * dollar]);
});

it('counts what was used earlier in the plan year if the rules say so', () => {
  const rules = rulesOf({ from: '2025-03-01', countsEarlier: true, deductible });
  const store = openWith(...claims);
  expect(shown(store, rules)).toEqual([['2025-03-01', 500, '1 earlier, 2, 3']]);
  // The claim before these rules has no finding of them.
  expect(findings(store, rules)).toEqual([null, 100 * dollar, 300 * dollar]);
});

it('has two rules in one plan year, each for the claims of its days', () => {
  const lower = meterOf('embedded', 200, 400);
  const rules = rulesOf({ from: '2025-01-01', deductible: lower }, { from: '2025-03-01', deductible });
  const store = openWith(...claims);
  const both = [
    ['2025-03-01', 500, '2, 3'],
    ['2025-01-01', 200, '1'],
  ];
  expect(shown(store, rules, '2025')).toEqual(both);
  expect(findings(store, rules)).toEqual([100 * dollar, null, 100 * dollar]);
});

it('uses an account’s limit for what it paid by the earlier rules, if earlier claims count', () => {
  const accountWith = (limit: number) =>
    accountOf(layersOf(['account', null]), { limit: limitOf(limit, limit) });
  const rules = rulesOf(
    { from: '2025-01-01', account: accountWith(100) },
    { from: '2025-03-01', countsEarlier: true, account: accountWith(500) },
  );
  const store = openWith(...claims);
  updateStore(store, today, rules);
  const shares = store.database.prepare('SELECT account_share FROM claim_facts ORDER BY id').pluck().all();
  expect(shares.map((share) => Number(share) / dollar)).toEqual([100, 300, 100]);
});

it('carries over what an account left in years without claims once a sync was complete, and not before', () => {
  const account = accountOf(layersOf(['account', null]), {
    ...{ limit: limitOf(1_000, 1_000), carryOver: { most: null } },
  });
  const rules = rulesOf({ from: '2024-01-01', account });
  const store = openWith(claimOf(1, '2026-02-10'));
  const carried = () =>
    store.read.readFamily({ memberId: 7, planYear: null, today, rules })?.families[0]?.account?.carriedOver;
  updateStore(store, today, rules);
  expect(carried()).toBe(null);
  store.write.writeReceipt({ runId: 'r', outcome: 'complete', finishedAt: `${today}T10:00:00Z` } as never);
  // Facts depend on it, as the limit of a claim may now be known.
  expect(store.read.areFactsCurrent({ ...rules, today })).toBe(false);
  expect(carried()).toBe(2_000 * dollar);
});
