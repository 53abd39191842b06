import { expect, it } from 'vitest';
import type { FactRules } from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { startPlanYear } from '../../../../../../src/rules/plans/plan-rules.ts';
import type { ReviewOutcome } from '../../../../../../src/rules/review/decision.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { accountOf, layersOf } from '../../../../../support/plan-rules.ts';
import { updateStore, usualRules, writeReviews } from '../../../../../support/update-store.ts';

const dollar = 10_000;
const account = accountOf(layersOf(['member', 100], ['account', 200], ['member', 150], ['account', null]));
const rules: FactRules = {
  ...usualRules,
  settings: {
    ...usualRules.settings,
    planRules: { 'w#3': { years: [{ ...startPlanYear('2026-01-01'), account }] } },
  },
};
const claimOf = (id: number, dollars: number) => ({
  ...{ id, status: 'Processed', network: 'IN', patient_name: 'EDWARDS, ANA' },
  members: [{ id: 7, employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[]', start: '2026-03-02', end: '2026-03-02' },
  ...{ processed_on: `2026-04-0${id}`, reduction: dollars, copayment: 0, coinsurance_patient: 0 },
  patient_responsibility: dollars,
});

type Decided = readonly [outcome: ReviewOutcome | null, kept?: number];

/** Returns the account's share of a later $100 claim, after claims of these amounts, the last decided so. */
function shareAfter(before: readonly number[], [outcome, kept]: Decided): number {
  const store = openTestStore();
  store.write.writeReviewPeriod({ from: '2025-01-01', on: null });
  store.ingest('members', [
    { id: 7, first_name: 'Ana', last_name: 'Edwards', employer: { id: 3, name: 'Acme' }, dependents: [] },
  ]);
  const dollars = [...before, 100];
  store.ingest(
    'claims',
    dollars.map((one, at) => claimOf(at + 1, one)),
  );
  const keptEligible = kept === undefined ? null : kept * dollar;
  if (outcome !== null) writeReviews(store, { claimId: before.length, state: 'done', outcome, keptEligible });
  updateStore(store, '2026-11-20', rules);
  const share = store.database.prepare('SELECT account_share FROM claim_facts WHERE id=?').pluck();
  return Number(share.get(dollars.length)) / dollar;
}

// Worked by hand. The layers: the member pays to $100, the account to $300, the member to $450, then the account.
it.each<readonly [Decided, inMember: number, inAccount: number, across: number]>([
  [[null], 100, 0, 50],
  [['eligible'], 100, 0, 50],
  // A claim that is not known to be right or wrong changes nothing.
  [['noAction'], 100, 0, 50],
  [['disputed'], 100, 0, 50],
  // The claim uses no layer at all: the later one is where it would be without it.
  [['notEligible'], 0, 100, 0],
  [['duplicate'], 0, 100, 0],
  // The account's layers keep $50 of what they would pay; what the member's layers took stays.
  [['partlyEligible', 50], 100, 100, 50],
  // Nothing of the account's layers is used.
  [['partlyEligible', 0], 100, 100, 100],
])(
  '%j: the next $100 after a claim in the member’s layer, in the account’s, and across both',
  (decided, ...shares) => {
    const found = [shareAfter([100], decided), shareAfter([100, 200], decided), shareAfter([400], decided)];
    expect(found).toEqual(shares);
  },
);
