import { describe, expect, it } from 'vitest';
import { computeFamily } from '../../../../src/rules/plans/compute-family.ts';
import { nothingUnused } from '../../../../src/rules/plans/family-account.ts';
import type { AccumulatorClaim } from '../../../../src/rules/plans/family-counts.ts';
import { type PlanYearRules, startOf, startPlanYear } from '../../../../src/rules/plans/plan-rules.ts';
import { accountOf, layersOf, limitOf, meterOf } from '../../../support/plan-rules.ts';

const dollar = 10_000;

/** Claims in their order, worked by hand; amounts in dollars. */
type Case = Partial<Pick<AccumulatorClaim, 'person' | 'network' | 'type'>> & {
  readonly deductible?: number;
  readonly base?: number;
};
function compute(rules: Partial<PlanYearRules>, isFamily: boolean, cases: readonly Case[]) {
  const claims = cases.map(
    ({ person = 0, network = 'IN', type = 'medical', deductible = 0, base = 0 }, at): AccumulatorClaim => ({
      ...{ claimId: at + 1, person, network, type, processed: '2026-02-01', serviceDay: '2026-01-15' },
      ...{
        state: 'counts',
        baseLess: 0,
        paid: 0,
        deductible: deductible * dollar,
        outOfPocket: deductible * dollar,
      },
      ...{ coinsurance: 0, copay: 0, allowed: null, responsibility: null, base: base * dollar },
      ...{ isDeclined: false, kept: null },
    }),
  );
  const of = { isFamily, persons: isFamily ? 2 : 1, unknownPerson: null };
  const found = computeFamily({ ...startPlanYear('2026-01-01'), ...rules }, of, claims, nothingUnused);
  return {
    meters: found.meters.map(({ meter, network, family, persons }) => [
      `${meter} ${network}`,
      ...[family, ...persons].map(({ used }) => used / dollar),
    ]),
    over: found.disagreements.map((some) =>
      some.map(({ kind, amount }) => `${kind} ${amount / dollar}`).join(),
    ),
    shares: found.steps?.map(({ share }) => (share === null ? null : share / dollar)),
    next: found.next.map(({ planPays, drugsPaid }) =>
      [planPays, drugsPaid].map(
        (one) => one && (one.amount === null ? one.payer : `${one.payer} ${one.amount / dollar}`),
      ),
    ),
  };
}

describe('a high-deductible plan: $2,000 self-only, $3,400 a person within a family, $4,000 a family', () => {
  const rules = { deductible: { ...startOf.deductible, inNetwork: limitOf(3_400, 4_000, 2_000) } };

  it('has $2,000 for a member alone', () => {
    expect(compute(rules, false, [{ deductible: 1_500 }, { deductible: 800 }])).toMatchObject({
      meters: [['deductible all', 2_000, 2_000]],
      over: ['', 'deductibleOver 300'],
      next: [['shared', null]],
    });
  });

  it('has $3,400 for a person within a family, and what is left of $4,000 for the next one', () => {
    const found = compute(rules, true, [{ deductible: 3_600 }, { person: 1, deductible: 800 }]);
    expect(found).toMatchObject({
      meters: [['deductible all', 4_000, 3_400, 800]],
      over: ['deductibleOver 200', 'deductibleOver 200'],
    });
  });
});

describe('an account: after $900 it pays $1,100 for a member alone, after $1,800 it pays $2,200 for a family', () => {
  const layers = {
    alone: layersOf(['member', 900], ['account', 1_100]),
    family: layersOf(['member', 1_800], ['account', 2_200]),
  };
  const rules = { account: { ...accountOf(layers.alone), per: 'family' as const, layers } };

  it('has the layers of single coverage for a member alone', () => {
    expect(compute(rules, false, [{ base: 1_000 }, { base: 1_500 }, { base: 10 }]).shares).toEqual([
      100, 1_000, 0,
    ]);
  });

  it('has the layers of family coverage for all people together', () => {
    const cases = [{ base: 1_000 }, { person: 1, base: 1_000 }, { base: 3_000 }];
    expect(compute(rules, true, cases).shares).toEqual([0, 200, 2_000]);
  });
});

describe('two networks with limits of their own', () => {
  const claims = [{ deductible: 400, network: 'OUT' }, { deductible: 700 }];
  const rulesWith = (more: Partial<typeof startOf.deductible>) => ({
    deductible: meterOf('embedded', 1_000, 2_000, { outOfNetwork: limitOf(3_000, 6_000), ...more }),
  });

  it.each([
    [false, false, [700, 400], ['', '']],
    [true, false, [1_000, 400], ['', 'deductibleOver 100']],
    [false, true, [700, 1_100], ['', '']],
    [true, true, [1_000, 1_100], ['', 'deductibleOver 100']],
  ])('out counts in: %s, in counts out: %s', (outCountsIn, inCountsOut, used, over) => {
    const found = compute(rulesWith({ outCountsIn, inCountsOut }), false, claims);
    expect([found.meters.map(([, all]) => all), found.over]).toEqual([used, over]);
  });

  it('finds nothing on a claim out of network that is only above the limit in network', () => {
    const rules = rulesWith({ outCountsIn: true });
    expect(compute(rules, false, [{ deductible: 1_500, network: 'OUT' }])).toMatchObject({
      meters: [
        ['deductible in', 1_000, 1_000],
        ['deductible out', 1_500, 1_500],
      ],
      over: [''],
    });
  });
});

it('counts drugs for their own deductible of $300 only, and both for the out-of-pocket maximum', () => {
  const rules = {
    deductible: meterOf('embedded', 2_000, 4_000),
    drugDeductible: { ...startOf.drugDeductible, inNetwork: limitOf(300, 600) },
    outOfPocket: meterOf('embedded', 5_000, 10_000),
  };
  const claims = [{ deductible: 350, type: 'rx' }, { deductible: 500 }];
  expect(compute(rules, false, claims)).toMatchObject({
    meters: [
      ['deductible all', 500, 500],
      ['drugDeductible all', 300, 300],
      ['outOfPocket all', 850, 850],
    ],
    over: ['deductibleOver 50', ''],
    next: [['member 1500', 'shared 4150']],
  });
});
