import { expect, test } from 'vitest';
import { computeEligible, explainEligible } from '../../../src/rules/money/eligible.ts';
import { readEligibleSource } from '../../../src/rules/money/eligible-source.ts';
import { defaultReimbursementRules } from '../../../src/rules/money/reimbursement.ts';
import { SandboxClock } from '../../../src/sandbox/clock.ts';
import { chooseCorpus } from '../../../src/sandbox/data/corpus.ts';
import { dayNumber } from '../../../src/sandbox/data/instants.ts';
import { World } from '../../../src/sandbox/data/world.ts';
import type { Claim } from '../../../src/sandbox/schemas/claim.ts';

const cents = (dollars: number | null): number => Math.round((dollars ?? 0) * 100);
const sourceOf = (claim: Claim) => readEligibleSource({ fields: { ...claim } as never });
const eligibleOf = (claim: Claim) => computeEligible(sourceOf(claim), defaultReimbursementRules);

test('for claims that the sample sends without a split, no amount not covered is eligible', () => {
  chooseCorpus('ordinary');
  const options = { seed: 1, members: 2_000, claims: 20_000, order: 'asc' as const };
  const world = new World(options, new SandboxClock(dayNumber('2026-11-22')));
  // On the first day it is 60 claims and $13,320.73; the carrier processes one more by the fourth.
  world.advanceDays(4);
  const unsplit = world.claims
    .slice(0, world.claims.length)
    .map((index) => world.claimAt(index))
    .filter((claim) => claim.reduction === null && claim.copayment === null)
    .filter((claim) => claim.coinsurance_patient === null && cents(claim.amount_not_covered) !== 0);
  const notCovered = unsplit.reduce((sum, claim) => sum + cents(claim.amount_not_covered), 0);
  expect([unsplit.length, notCovered]).toEqual([61, 1_348_102]);
  for (const claim of unsplit) {
    const { id, status, amount_paid_other, amount_not_covered, patient_responsibility } = claim;
    const covered = (cents(patient_responsibility) - cents(amount_not_covered)) * 100;
    // Another plan's payment may be for what is not covered.
    const known = cents(amount_paid_other) === 0 ? covered : null;
    expect([id, eligibleOf(claim).amount]).toEqual([id, status === 'Rejected' ? 0 : known]);
  }

  const partly = unsplit.find(({ id }) => id === 40_015_575) as Claim;
  expect(eligibleOf(partly).amount).toBe(6_200_000);
  expect(explainEligible(sourceOf(partly), defaultReimbursementRules).values).toEqual({
    responsibility: 12_545_800,
    notCovered: 6_345_800,
  });
  const rejected = unsplit.find((claim) => cents(claim.patient_responsibility) === 196_108) as Claim;
  expect([rejected.status, eligibleOf(rejected).amount]).toEqual(['Rejected', 0]);
});
