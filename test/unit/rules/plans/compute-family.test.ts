import { describe, expect, it } from 'vitest';
import { sayAccountStep } from '../../../../src/rules/plans/account-layers.ts';
import { computeFamily, orderClaims } from '../../../../src/rules/plans/compute-family.ts';
import { nothingUnused, type Unused } from '../../../../src/rules/plans/family-account.ts';
import type { AccumulatorClaim } from '../../../../src/rules/plans/family-counts.ts';
import {
  type AccountRules,
  type PlanYearRules,
  startPlanYear,
} from '../../../../src/rules/plans/plan-rules.ts';
import { accountOf, layersOf, limitOf, meterOf } from '../../../support/plan-rules.ts';

const dollar = 10_000;
const toDollars = (amount: number | null): number | null => (amount === null ? null : amount / dollar);

const rulesWith = (rules: Partial<PlanYearRules>): PlanYearRules => ({
  ...startPlanYear('2026-01-01'),
  ...rules,
});

/** Claims in their order; amounts in dollars. */
const claimsOf = (...claims: (Partial<AccumulatorClaim> & { person: number })[]): AccumulatorClaim[] =>
  claims.map((claim, at) => {
    const amounts = ['deductible', 'outOfPocket', 'coinsurance', 'copay', 'allowed', 'base', 'kept'] as const;
    const inside = Object.fromEntries(
      amounts.flatMap((name) =>
        typeof claim[name] === 'number' ? [[name, (claim[name] as number) * dollar]] : [],
      ),
    );
    return {
      ...{
        claimId: at + 1,
        processed: '2026-02-01',
        serviceDay: '2026-01-15',
        network: 'IN',
        type: 'medical',
      },
      ...{ state: 'counts', deductible: 0, outOfPocket: 0, coinsurance: 0, copay: 0, allowed: null },
      ...{ responsibility: null, base: 0, isDeclined: false, kept: null, baseLess: 0, paid: 0 },
      ...claim,
      ...inside,
    } as AccumulatorClaim;
  });

const family = (persons: number) => ({ isFamily: true, persons, unknownPerson: null });

function compute(
  rules: PlanYearRules,
  persons: number,
  claims: readonly AccumulatorClaim[],
  { isFamily = true, unknownPerson = null as number | null, unused = nothingUnused as Unused } = {},
) {
  return computeFamily(rules, { ...family(persons), isFamily, unknownPerson }, claims, unused);
}

it('says that less may remain for a person if the family’s part is unknown', () => {
  const rules = rulesWith({ deductible: meterOf('embedded', 500, 1_000) });
  const { meters, next } = compute(
    rules,
    3,
    claimsOf({ person: 0, deductible: 400 }, { person: 1, deductible: 400 }, { person: 0, deductible: null }),
  );
  const [meter] = meters;
  expect(meter?.persons[2]).toMatchObject({ used: 0, isAtLeast: false, remaining: 200 * dollar });
  expect(next[2]?.planPays).toEqual({ payer: 'member', amount: 200 * dollar, isAtMost: true });
  const own = rulesWith({ deductible: meterOf('embedded', 500, null) });
  const sure = compute(own, 2, claimsOf({ person: 0, deductible: null }));
  expect(sure.next[1]?.planPays).toEqual({ payer: 'member', amount: 500 * dollar, isAtMost: false });
});

describe('published examples', () => {
  it('embeds an out-of-pocket maximum as the departments’ FAQ of 2015 works it out', () => {
    // FAQs about Affordable Care Act Implementation (Part XXVII), May 26, 2015, question 1; dol.gov/agencies/ebsa
    const rules = rulesWith({ outOfPocket: meterOf('embedded', 6_850, 13_000) });
    const { meters, shares, disagreements } = compute(
      rules,
      4,
      claimsOf(
        { person: 0, outOfPocket: 10_000 },
        { person: 1, outOfPocket: 3_000 },
        { person: 2, outOfPocket: 3_000 },
        { person: 3, outOfPocket: 3_000 },
      ),
    );
    expect(meters[0]?.persons.map(({ used }) => used / dollar)).toEqual([6_850, 3_000, 3_000, 3_000]);
    expect(toDollars(meters[0]?.family.used ?? null)).toBe(13_000);
    expect(meters[0]?.family.metOn).toBe(4);
    expect(meters[0]?.persons[0]?.metOn).toBe(1);
    expect(shares.map(([share]) => toDollars(share?.family ?? null))).toEqual([6_850, 3_000, 3_000, 150]);
    // The plan bears 10,000 - 6,850 of the first person and 15,850 - 13,000 of the family.
    expect(disagreements).toEqual([
      [{ kind: 'outOfPocketOver', amount: 3_150 * dollar }],
      [],
      [],
      [{ kind: 'outOfPocketOver', amount: 2_850 * dollar }],
    ]);
  });

  it('embeds a deductible: the person who met it is covered, the others are not', () => {
    // illinoisinsurance.org, "How do different deductibles work": $5,000/person, $10,000/family, dad met his.
    const rules = rulesWith({ deductible: meterOf('embedded', 5_000, 10_000) });
    const { meters, next } = compute(rules, 3, claimsOf({ person: 0, deductible: 5_000 }));
    expect(meters[0]?.persons.map(({ remaining }) => toDollars(remaining))).toEqual([0, 5_000, 5_000]);
    expect(next.map(({ planPays }) => planPays?.payer)).toEqual(['shared', 'member', 'member']);
    const later = compute(
      rules,
      3,
      claimsOf(
        { person: 0, deductible: 5_000 },
        { person: 1, deductible: 3_000 },
        { person: 2, deductible: 2_000 },
      ),
    );
    // The family's limit is reached, so that no person has any deductible left.
    expect(later.meters[0]?.persons.map(({ remaining }) => remaining)).toEqual([0, 0, 0]);
    expect(later.meters[0]?.family.metOn).toBe(3);
  });

  it('compares embedded and aggregate as in the example of the Gomez family', () => {
    // employee-resources.lumity.com, "Embedded vs Aggregate Deductible": $2,000 and $6,000; Anna has met hers, and all
    // together have spent $3,000.
    const claims = claimsOf(
      { person: 0, deductible: 2_000 },
      { person: 1, deductible: 700 },
      { person: 2, deductible: 300 },
    );
    const embedded = compute(rulesWith({ deductible: meterOf('embedded', 2_000, 6_000) }), 3, claims);
    expect(embedded.next.map(({ planPays }) => planPays?.payer)).toEqual(['shared', 'member', 'member']);
    const aggregate = compute(rulesWith({ deductible: meterOf('aggregate', 2_000, 6_000) }), 3, claims);
    expect(aggregate.next.map(({ planPays }) => planPays)).toEqual(
      Array.from({ length: 3 }, () => ({ payer: 'member', amount: 3_000 * dollar, isAtMost: false })),
    );
  });

  it('uses the limit of one person of an aggregate deductible only without a family', () => {
    // help.guidestone.org/healthplanvocabulary/deductible: $2,000 alone, $6,000 with dependents.
    const rules = rulesWith({ deductible: meterOf('aggregate', 2_000, 6_000) });
    const claims = claimsOf({ person: 0, deductible: 1_500 });
    expect(compute(rules, 1, claims, { isFamily: false }).meters[0]?.family).toMatchObject({
      limit: 2_000 * dollar,
      remaining: 500 * dollar,
    });
    expect(compute(rules, 2, claims).meters[0]?.persons[0]).toMatchObject({
      limit: null,
      remaining: 4_500 * dollar,
    });
  });

  it('leaves an aggregate deductible unmet by one person’s large claims', () => {
    // myussbenefits.com/deductibles: $5,000 a family, $4,000 spent, $3,800 of it by one person.
    const rules = rulesWith({ deductible: meterOf('aggregate', null, 5_000) });
    const { next } = compute(
      rules,
      2,
      claimsOf({ person: 0, deductible: 3_800 }, { person: 1, deductible: 200 }),
    );
    expect(next[0]?.planPays).toEqual({ payer: 'member', amount: 1_000 * dollar, isAtMost: false });
  });
});

describe('meters', () => {
  const rules = rulesWith({ deductible: meterOf('embedded', 1_000, 2_000) });

  it('counts networks separately, and is "at least" if the network is unknown', () => {
    const separate = rulesWith({
      deductible: meterOf('embedded', 1_000, 2_000, { outOfNetwork: limitOf(3_000, 6_000) }),
    });
    const { meters } = compute(
      separate,
      2,
      claimsOf(
        { person: 0, deductible: 400 },
        { person: 0, deductible: 700, network: 'out' },
        { person: 1, deductible: 50, network: 'NEW' },
      ),
    );
    expect(
      meters.map(({ network, family: { used, isAtLeast } }) => [network, used / dollar, isAtLeast]),
    ).toEqual([
      ['in', 400, true],
      ['out', 700, true],
    ]);
    expect(meters[0]?.persons.map(({ isAtLeast }) => isAtLeast)).toEqual([false, true]);
  });

  it('counts only the types of the plan', () => {
    const typed = rulesWith({ deductible: meterOf('embedded', 1_000, 2_000, { types: ['medical'] }) });
    const { meters } = compute(
      typed,
      1,
      claimsOf({ person: 0, deductible: 400 }, { person: 0, deductible: 100, type: 'dental' }),
    );
    expect(meters[0]?.family).toMatchObject({ used: 400 * dollar, isAtLeast: false });
  });

  it('is "at least" after an unknown amount, until the limit is reached', () => {
    const unknown = { person: 0, deductible: null };
    const { meters, disagreements } = compute(
      rules,
      2,
      claimsOf(unknown, { person: 0, deductible: 600, coinsurance: 20, outOfPocket: 620 }),
    );
    expect(meters[0]?.persons.map(({ isAtLeast }) => isAtLeast)).toEqual([true, false]);
    expect(meters[0]?.family.isAtLeast).toBe(true);
    // The deductible may be met, so that coinsurance is no disagreement.
    expect(disagreements.flat()).toEqual([]);
    const full = compute(rules, 2, claimsOf(unknown, { person: 0, deductible: 1_000 }));
    expect(full.meters[0]?.persons[0]?.isAtLeast).toBe(false);
  });

  it('counts nothing of claims not processed, rejected, owed back, marked as duplicates or replaced, and at least that if one is missing', () => {
    const states = ['notProcessed', 'rejected', 'owedBack', 'duplicate', 'replaced'] as const;
    const claims = states.map((state) => ({ person: 0, deductible: 500, state }));
    const { meters } = compute(rules, 1, claimsOf(...claims));
    const unsure = compute(rules, 1, claimsOf(...claims, { person: 0, deductible: 500, state: 'missing' }));
    expect(unsure.meters[0]?.family).toMatchObject({ used: 0, isAtLeast: true });
    expect(meters[0]?.family).toMatchObject({ used: 0, isAtLeast: false, applied: 0 });
  });

  it('subtracts a reversal, first what was applied above the limit', () => {
    const { meters, shares, disagreements } = compute(
      rules,
      1,
      claimsOf(
        { person: 0, deductible: 900 },
        { person: 0, deductible: 300 },
        { person: 0, deductible: -300 },
        { person: 0, deductible: 100 },
      ),
    );
    expect(shares.map(([share]) => toDollars(share?.family ?? null))).toEqual([900, 100, -100, 100]);
    expect(disagreements.flat()).toEqual([]);
    expect(meters[0]?.family).toMatchObject({ used: 1_000 * dollar, applied: 1_000 * dollar });
  });

  it('finds coinsurance charged before the deductible was met', () => {
    const { disagreements } = compute(
      rules,
      1,
      claimsOf({ person: 0, deductible: 100, coinsurance: 80, outOfPocket: 180, allowed: 500 }),
    );
    expect(disagreements).toEqual([[{ kind: 'deductibleShort', amount: 400 * dollar }]]);
  });

  it('marks everyone as "at least" after a claim whose patient is unknown', () => {
    const { meters } = compute(
      rules,
      3,
      claimsOf({ person: 0, deductible: 200 }, { person: 2, deductible: 300 }),
      { unknownPerson: 2 },
    );
    expect(meters[0]?.persons.map(({ isAtLeast, used }) => [used / dollar, isAtLeast])).toEqual([
      [200, true],
      [0, true],
      [300, true],
    ]);
    expect(meters[0]?.family).toMatchObject({ used: 500 * dollar, isAtLeast: false });
  });

  it('orders claims by day of processing, then of service, then ID', () => {
    const claims = claimsOf({ person: 0 }, { person: 0 }, { person: 0 }, { person: 0 }, { person: 0 });
    const days = [
      { processed: null, serviceDay: '2026-01-01' },
      { processed: '2026-03-01', serviceDay: '2026-02-02' },
      { processed: '2026-03-01', serviceDay: '2026-01-01' },
      { processed: '2026-01-09', serviceDay: '2026-01-08' },
      { processed: '2026-03-01', serviceDay: '2026-02-02' },
    ];
    const ordered = orderClaims(claims.map((claim, at) => ({ ...claim, ...days[at] })));
    expect(ordered.map(({ claimId }) => claimId)).toEqual([4, 3, 2, 5, 1]);
  });
});

describe('layers of an account', () => {
  const account = accountOf(layersOf(['member', 900], ['account', 1_100]));
  const rulesOf = (more: Partial<AccountRules> = {}) => rulesWith({ account: { ...account, ...more } });
  const sharesOf = ({ steps }: ReturnType<typeof compute>) => steps?.map(({ share }) => toDollars(share));
  const format = (amount: number): string => `$${amount / dollar}`;

  it('pays nothing of the member’s first $900, then all of the next $1,100', () => {
    const found = compute(
      rulesOf(),
      2,
      claimsOf(
        { person: 0, base: 500 },
        { person: 0, base: 700 },
        { person: 1, base: 100 },
        { person: 0, base: 1_000 },
      ),
    );
    expect(sharesOf(found)).toEqual([0, 300, 0, 800]);
    expect(found.steps?.map((step) => sayAccountStep(step, format))).toEqual([
      'Of $500: member $500.',
      'Of $700: member $400, then account $300.',
      'Of $100: member $100.',
      'Of $1000: account $800, then member $200.',
    ]);
    expect(found.next.map(({ accountPays }) => accountPays)).toEqual([
      { payer: 'member', amount: null, isAtMost: false },
      { payer: 'member', amount: 800 * dollar, isAtMost: false },
    ]);
  });

  it('reverses what a reversed claim was paid', () => {
    const found = compute(
      rulesOf(),
      1,
      claimsOf({ person: 0, base: 1_200 }, { person: 0, base: -1_200 }, { person: 0, base: 950 }),
      { isFamily: false },
    );
    expect(sharesOf(found)).toEqual([300, -300, 50]);
  });

  it('stops at the yearly limits, to which the previous year is added', () => {
    const limited = rulesOf({ limit: limitOf(null, 500), carryOver: { most: 200 * dollar } });
    const claims = claimsOf({ person: 0, base: 1_300 }, { person: 1, base: 1_300 });
    expect(sharesOf(compute(limited, 2, claims))).toEqual([400, 100]);
    const unused = { family: 350 * dollar, persons: [] };
    const carried = compute(limited, 2, claims, { unused });
    expect(sharesOf(carried)).toEqual([400, 300]);
    expect(carried.account).toMatchObject({ carriedOver: 200 * dollar });
    expect(carried.unused).toMatchObject({ family: 0 });
    // Not known what was left: what is surely there is paid, and what may be there is not known.
    const unsure = compute(limited, 2, claims, { unused: null });
    expect(sharesOf(unsure)).toEqual([400, null]);
    expect(unsure.account).toMatchObject({ carriedOver: null, family: { isAtLeast: true } });
    expect(unsure.steps?.[1]?.rule).toBe('carryUnknown');
    const met = compute(limited, 1, claimsOf({ person: 0, base: 1_400 }), { unused: null });
    expect(met.account?.family).toMatchObject({ used: 500 * dollar, remaining: 0 });
    expect(met.next).toMatchObject([{ accountPays: null }]);
  });

  it('does not know what follows an unknown amount, unless it does not matter', () => {
    const unknown = { person: 0, base: null, responsibility: 100 * dollar };
    const found = compute(
      rulesOf(),
      2,
      claimsOf(
        unknown,
        { person: 0, base: 500 },
        { person: 0, base: 350 },
        { person: 0, base: 300 },
        { person: 1, base: 950 },
      ),
    );
    // At most $100 more: $500 is surely the member's, $850 may reach the account, and $1,150 is in it.
    expect(sharesOf(found)).toEqual([null, 0, null, null, 50]);
    expect(found.steps?.map(({ rule }) => rule)).toEqual([
      ...['baseUnknown', 'layers', 'earlierUnknown', 'earlierUnknown', 'layers'],
    ]);
    const beyond = compute(
      rulesOf(),
      2,
      claimsOf(unknown, { person: 0, base: 900 }, { person: 0, base: 200 }),
    );
    expect(sharesOf(beyond)).toEqual([null, null, 200]);
  });

  it('counts what a decision fixed or declined', () => {
    const limited = rulesOf({ limit: limitOf(300, null) });
    const found = compute(
      limited,
      1,
      claimsOf(
        { person: 0, base: 1_000, isDeclined: true },
        { person: 0, base: 1_000, kept: 250 },
        { person: 0, base: 100 },
      ),
      { isFamily: false },
    );
    expect(sharesOf(found)).toEqual([100, 100, 50]);
    expect(found.account?.family).toMatchObject({ used: 300 * dollar, metOn: 3 });
  });

  it('counts for the whole family if the layers say so', () => {
    const found = compute(
      rulesOf({ per: 'family' }),
      2,
      claimsOf({ person: 0, base: 800 }, { person: 1, base: 300 }),
    );
    expect(sharesOf(found)).toEqual([0, 200]);
  });
});
