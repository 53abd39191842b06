import { expect, it } from 'vitest';
import type { FamilyMeter } from '../../../../src/rules/plans/accumulators.ts';
import { explainDeductible, mainDeductible } from '../../../../src/rules/plans/explain-deductible.ts';

const standing = (used: number, applied = used) => ({
  ...{ used, applied, limit: 500, remaining: 500 - used, isAtLeast: false, metOn: null },
});
const meter = (network: 'in' | 'out', used: number, applied = used) => ({
  ...{ meter: 'deductible' as const, network, persons: [] },
  family: standing(used, applied),
});
const claim = (
  state: FamilyMeter['claims'][number]['state'],
  deductible: number | null,
  ...family: number[]
) => ({
  ...{ claimId: 1, person: 0, processed: null, serviceDay: '2026-02-01', network: null, state, deductible },
  ...{ outOfPocket: 0, account: null, disagreements: [], isEarlier: false, isOpenDuplicate: false },
  shares: family.map((amount) => ({ person: amount, family: amount, after: amount })),
});
const familyOf = (
  meters: FamilyMeter['meters'],
  claims: FamilyMeter['claims'],
  isMidYear = false,
): FamilyMeter => ({
  ...{ memberId: 7, employerId: 3, employerName: null, planYear: '2026', begins: '2026-03-01', isMidYear },
  ...{ isFamily: false, persons: [], account: null, meters, claims },
});

it('says nothing if both are equal, or if there is no deductible', () => {
  expect(explainDeductible(familyOf([meter('in', 300)], [claim('counts', 300, 300)]))).toBe(null);
  expect(explainDeductible(familyOf([], [claim('replaced', 300)]))).toBe(null);
});

it('says why they differ', () => {
  const meters = [meter('in', 500, 600), meter('out', 100)];
  const claims = [
    claim('counts', 600, 500, 0),
    claim('counts', 100, 0, 100),
    claim('notProcessed', 50, 0, 0),
    claim('rejected', 70, 0, 0),
  ];
  expect(explainDeductible(familyOf(meters, claims))).toBe(
    'Deductible on claims adds up every claim of the plan year, so it can include amounts above a limit, claims of a separate deductible, and claims not processed yet.',
  );
  expect(mainDeductible({ meters })?.network).toBe('in');
  expect(explainDeductible(familyOf([meter('in', 10)], [claim('counts', 10, 10)], true))).toMatch(
    /claims before 2026-03-01\.$/,
  );
});
