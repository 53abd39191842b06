import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeFamily, orderClaims } from '../../../../src/rules/plans/compute-family.ts';
import { nothingUnused } from '../../../../src/rules/plans/family-account.ts';
import type { AccumulatorClaim } from '../../../../src/rules/plans/family-counts.ts';
import {
  type AccountRules,
  type Layers,
  type Limit,
  type PlanYearRules,
  startPlanYear,
} from '../../../../src/rules/plans/plan-rules.ts';
import { fuzzRuns, seedFrom } from '../../../support/seeds.ts';

// The plain model adds up all claims from the start for every claim, and goes through layers dollar by dollar.

const persons = 3;
const size = fc.integer({ min: -60, max: 90 });
const limit: fc.Arbitrary<Limit> = fc.record({
  alone: fc.option(fc.integer({ min: 0, max: 150 })),
  person: fc.option(fc.integer({ min: 0, max: 150 })),
  family: fc.option(fc.integer({ min: 0, max: 250 })),
});
const meter = fc.option(
  fc.record({
    inNetwork: limit,
    outOfNetwork: fc.option(limit),
    ...{ outCountsIn: fc.boolean(), inCountsOut: fc.boolean() },
    types: fc.option(fc.constantFrom<string[]>(['medical'], ['medical', 'rx'])),
  }),
);
const drugMeter = meter.map((one) => (one === null ? null : { ...one, types: ['rx'] }));
const layers = fc.array(
  fc.record({
    payer: fc.constantFrom('member' as const, 'account' as const),
    amount: fc.option(fc.integer({ min: 1, max: 90 }), { freq: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const account: fc.Arbitrary<AccountRules> = fc.record({
  per: fc.constantFrom('person' as const, 'family' as const),
  layers: fc.record({ alone: layers, family: layers }),
  limit,
  carryOver: fc.constant(null),
});
const claim = fc.record({
  person: fc.integer({ min: 0, max: persons - 1 }),
  processed: fc.option(fc.constantFrom('2026-02-01', '2026-02-02', '2026-03-01')),
  serviceDay: fc.constantFrom('2026-01-01', '2026-01-02'),
  network: fc.constantFrom('IN', 'tier1', 'OUT', 'NEW', null),
  type: fc.constantFrom('medical', 'rx', 'dental', null),
  state: fc.oneof(
    { weight: 5, arbitrary: fc.constant('counts' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('notProcessed' as const, 'missing' as const, 'replaced' as const),
    },
  ),
  deductible: fc.option(size, { freq: 8 }),
  outOfPocket: fc.option(size, { freq: 8 }),
  base: fc.option(size, { freq: 9 }),
  isDeclined: fc.boolean(),
});
const claims = fc.array(claim, { maxLength: 14 }).map((all) =>
  orderClaims(
    all.map(
      (one, at): AccumulatorClaim => ({
        ...one,
        claimId: at + 1,
        ...{ coinsurance: null, copay: null, allowed: null, responsibility: null, kept: null },
        ...{ baseLess: 0, paid: 0 },
      }),
    ),
  ),
);

const least = (sum: number, most: number | null): number => (most === null || sum < most ? sum : most);

/** Sums the claims up to one use of a meter: each person's within their limit, all within the family's. */
function sumUp(
  amounts: readonly (readonly [person: number, amount: number])[],
  { person, family }: Omit<Limit, 'alone'>,
) {
  const own = Array.from({ length: persons }, (_none, at) =>
    least(
      amounts.filter(([of]) => of === at).reduce((sum, [, amount]) => sum + amount, 0),
      person,
    ),
  );
  return {
    persons: own,
    family: least(
      own.reduce((sum, amount) => sum + amount, 0),
      family,
    ),
  };
}

/** Returns what of a claim belongs to a meter; null: not known. */
function amountIn(
  rules: PlanYearRules,
  id: 'deductible' | 'drugDeductible' | 'outOfPocket',
  network: string,
  one: AccumulatorClaim,
) {
  const of = rules[id];
  if (of === null || (one.state !== 'counts' && one.state !== 'missing')) return 0;
  const amount = one[id === 'outOfPocket' ? 'outOfPocket' : 'deductible'];
  const drugs = id === 'deductible' && rules.drugDeductible !== null ? ['rx'] : [];
  const [type, name] = [one.type ?? '', (one.network ?? '').toUpperCase()];
  const isIn = ['IN', 'TIER1', 'TIER2'].includes(name) ? 'in' : name === 'OUT' ? 'out' : null;
  if (drugs.includes(type) || (of.types !== null && type !== '' && !of.types.includes(type))) return 0;
  const isCrossed = (network === 'in' && of.outCountsIn) || (network === 'out' && of.inCountsOut);
  const isAny = network === 'all' || isCrossed;
  if (!isAny && isIn !== null && isIn !== network) return 0;
  if (amount === 0) return 0;
  const isTyped = of.types !== null || drugs.length > 0;
  // It is not known whether a missing claim counts.
  return one.state === 'missing' || (isTyped && type === '') || (!isAny && isIn === null) ? null : amount;
}

it('counts meters like the plain model, whatever families, rules, orders and reversals', () => {
  fc.assert(
    fc.property(
      meter,
      drugMeter,
      meter,
      claims,
      fc.boolean(),
      (deductible, drugDeductible, outOfPocket, all, isFamily) => {
        const rules = { ...startPlanYear('2026-01-01'), deductible, drugDeductible, outOfPocket };
        const of = { isFamily, persons, unknownPerson: null };
        const { meters, shares, disagreements } = computeFamily(rules, of, all, nothingUnused);
        let over = 0;
        for (const [at, { meter: id, network, family, persons: found }] of meters.entries()) {
          const own = rules[id];
          const typed = (network === 'out' ? own?.outOfNetwork : own?.inNetwork) as Limit;
          const limits = isFamily ? typed : { person: typed.alone, family: typed.alone };
          const amounts = all.map((one) => [one.person, amountIn(rules, id, network, one)] as const);
          const known = amounts.map(([person, amount]) => [person, amount ?? 0] as const);
          const sums = [...all.keys(), all.length].map((count) => sumUp(known.slice(0, count), limits));
          const end = sums.at(-1);
          expect(family.used).toBe(Math.max(0, end?.family ?? 0));
          expect(found.map(({ used }) => used)).toEqual(end?.persons.map((used) => Math.max(0, used)));
          // Each share is the change of the sum, so that shares add up.
          expect(shares.map((share) => share[at]?.family)).toEqual(
            all.map((_one, index) => (sums[index + 1]?.family ?? 0) - (sums[index]?.family ?? 0)),
          );
          over += family.applied - (end?.family ?? 0);
          const isUnknown = amounts.some(([, amount]) => amount === null);
          const isFull = limits.family !== null && (end?.family ?? 0) >= limits.family;
          expect(family.isAtLeast).toBe((end?.family ?? 0) < 0 || (isUnknown && !isFull));
          expect(family.applied).toBe(known.reduce((sum, [, amount]) => sum + amount, 0));
        }
        // The amount above the limits at the end that was not reversed is what the carrier applied too much.
        // An amount that counts in another network too is a finding of its own network only.
        const listed = disagreements.flat().reduce((sum, { amount }) => sum + amount, 0);
        const isCrossed = [deductible, drugDeductible, outOfPocket].some(
          (one) => one !== null && one.outOfNetwork !== null && (one.outCountsIn || one.inCountsOut),
        );
        if (isCrossed) expect(listed).toBeLessThanOrEqual(over);
        else expect(listed).toBe(over);
      },
    ),
    { seed: seedFrom(31_501), numRuns: fuzzRuns(400) },
  );
});

/** Who pays the dollar that follows a sum: the first layer also has what is below zero. */
function payerOf(layers: Layers, dollar: number): string {
  let end = 0;
  for (const layer of layers) {
    end += layer.amount ?? 1e9;
    if (dollar < end) return layer.payer;
  }
  return 'member';
}

it('pays by layers and limits like the plain model, and never guesses after an unknown amount', () => {
  fc.assert(
    fc.property(account, claims, fc.boolean(), (rules, all, isFamily) => {
      const plan = { ...startPlanYear('2026-01-01'), account: rules };
      const { steps, account: found } = computeFamily(
        plan,
        { isFamily, persons, unknownPerson: null },
        all,
        nothingUnused,
      );
      const { alone } = rules.limit;
      const limits = isFamily ? rules.limit : { person: alone, family: alone };
      const layersNow = isFamily ? rules.layers.family : rules.layers.alone;
      const sums = new Map<number, number>();
      const paid: [number, number][] = [];
      let isKnown = true;
      for (const [at, one] of all.entries()) {
        const place = rules.per === 'family' ? -1 : one.person;
        const before = sums.get(place) ?? 0;
        const step = steps?.[at];
        if (one.base === null) {
          expect(step).toMatchObject({ share: null, rule: 'baseUnknown' });
          // The model knows nothing after it.
          if ((one.state === 'counts' || one.state === 'missing') && !one.isDeclined) isKnown = false;
          continue;
        }
        const [from, to] = [Math.min(before, before + one.base), Math.max(before, before + one.base)];
        let payment = 0;
        for (let dollar = from; dollar < to; dollar += 1)
          if (payerOf(layersNow, dollar) === 'account') payment += one.base < 0 ? -1 : 1;
        const [was, is] = [sumUp(paid, limits), sumUp([...paid, [one.person, payment]], limits)];
        if (isKnown) expect(step?.share).toBe(is.family - was.family);
        if (one.state === 'missing' && one.base !== 0 && !one.isDeclined) isKnown = false;
        if (one.state !== 'counts' || one.isDeclined) continue;
        sums.set(place, before + one.base);
        paid.push([one.person, payment]);
      }
      if (isKnown) expect(found?.family.used).toBe(Math.max(0, sumUp(paid, limits).family));
    }),
    { seed: seedFrom(31_502), numRuns: fuzzRuns(400) },
  );
});

it('after an unknown amount, shows only what is true whatever that amount is', () => {
  const withMost = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(
      account,
      claims,
      fc.boolean(),
      fc.nat(13),
      withMost,
      fc.float({ min: 0, max: 1, noNaN: true }),
      (rules, some, isFamily, which, most, part) => {
        const all = some.map((one) => ({ ...one, base: one.base ?? 10 }));
        if (which >= all.length) return;
        const plan = { ...startPlanYear('2026-01-01'), account: rules };
        const of = { isFamily, persons, unknownPerson: null };
        const withBase = (base: number | null): AccumulatorClaim[] =>
          all.map((one, at) => (at === which ? { ...one, base, responsibility: most } : one));
        const unknown = computeFamily(plan, of, withBase(null), nothingUnused);
        const known = computeFamily(plan, of, withBase(Math.round(most * part)), nothingUnused);
        for (const [at, step] of unknown.steps?.entries() ?? [])
          if (at !== which && step.share !== null) expect(step.share).toBe(known.steps?.[at]?.share);
      },
    ),
    { seed: seedFrom(31_503), numRuns: fuzzRuns(600) },
  );
});
