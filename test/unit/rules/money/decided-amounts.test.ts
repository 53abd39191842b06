import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  computePartly,
  decideAmounts,
  findExcess,
  mayWriteOff,
} from '../../../../src/rules/money/decided-amounts.ts';
import { type EligibleSource, readEligibleSource } from '../../../../src/rules/money/eligible-source.ts';
import { defaultReimbursementRules } from '../../../../src/rules/money/reimbursement.ts';
import {
  type PartlyEligible,
  partlyEligibleSchema,
  reviewOutcomes,
} from '../../../../src/rules/review/decision.ts';

const source: EligibleSource = readEligibleSource({
  fields: {
    status: 'Processed',
    reduction: 30,
    copayment: 20,
    coinsurance_patient: 5.01,
    patient_responsibility: 55.01,
  },
});
const unsplit = readEligibleSource({ fields: { status: 'Processed', patient_responsibility: 55.01 } });
const pending = readEligibleSource({ fields: { status: 'In Process', patient_responsibility: 40 } });
const reversal = readEligibleSource({ fields: { status: 'Adjusted', patient_responsibility: -40 } });
const rules = defaultReimbursementRules;

describe('what a decision makes of $1.00 that the rules give, of which $0.30 was reimbursed', () => {
  it.each([
    [null, { eligible: 10_000, declined: 0, disputed: 0, open: 7000, owed: 0 }],
    ['eligible', { eligible: 10_000, declined: 0, disputed: 0, open: 7000, owed: 0 }],
    ['notEligible', { eligible: 0, declined: 10_000, disputed: 0, open: 0, owed: 3000 }],
    ['duplicate', { eligible: 0, declined: 10_000, disputed: 0, open: 0, owed: 3000 }],
    ['noAction', { eligible: 0, declined: 10_000, disputed: 0, open: 0, owed: 3000 }],
    ['disputed', { eligible: 0, declined: 0, disputed: 10_000, open: 0, owed: 0 }],
    // Version 0.2 kept no amount with it.
    ['partlyEligible', { eligible: 10_000, declined: 0, disputed: 0, open: 7000, owed: 0 }],
  ] as const)('%s', (outcome, amounts) => {
    expect(decideAmounts(10_000, { outcome, kept: null, reimbursed: 3000, writtenOff: 0 })).toEqual({
      byRules: 10_000,
      ...amounts,
    });
  });

  it('partly eligible is the stored amount, whatever the rules give now', () => {
    const review = { outcome: 'partlyEligible', reimbursed: 3000, writtenOff: 0 } as const;
    expect(decideAmounts(10_000, { ...review, kept: { eligible: 8000, byRules: 9000 } })).toEqual({
      ...{ byRules: 9000, eligible: 8000, declined: 1000, disputed: 0, open: 5000, owed: 0 },
    });
    expect(decideAmounts(10_000, { ...review, kept: { eligible: 8000, byRules: null } })).toEqual({
      ...{ byRules: null, eligible: 8000, declined: null, disputed: 0, open: 5000, owed: 0 },
    });
  });

  it('what is unknown stays so, but what is not eligible is zero', () => {
    const decided = (outcome: 'eligible' | 'notEligible' | 'disputed') =>
      decideAmounts(null, { outcome, kept: null, reimbursed: 0, writtenOff: 0 });
    expect(decided('eligible')).toMatchObject({ eligible: null, declined: 0, open: null });
    expect(decided('notEligible')).toMatchObject({ eligible: 0, declined: null, open: 0 });
    expect(decided('disputed')).toMatchObject({ eligible: 0, disputed: null, open: 0 });
  });
});

test.each([
  ['more was reimbursed than is eligible', 10_000, 13_000, 0, 3000],
  ['a part of it was written off', 10_000, 13_000, 1000, 2000],
  ['all of it was written off', 10_000, 13_000, 4000, 0],
  ['nothing is reimbursed of a reversal', -4000, 0, 0, 0],
  ['something is reimbursed of a reversal', -4000, 1000, 0, 1000],
  ['it is not known what is eligible', null, 13_000, 0, null],
  ['it is not known, and nothing is reimbursed', null, 0, 0, 0],
])('owed back if %s', (_name, byRules, reimbursed, writtenOff, owed) => {
  expect(decideAmounts(byRules, { outcome: 'eligible', kept: null, reimbursed, writtenOff }).owed).toBe(owed);
});

test.each([
  ['nothing was written off', 0, 13_000, 0, 13_000, 0],
  ['less was written off than was owed back', 0, 13_000, 10_000, 3000, 0],
  ['two people wrote off the same amount', 0, 13_000, 26_000, 0, 13_000],
  ['all of it was written off, and then repaid', 0, 0, 13_000, 0, 13_000],
  ['it became eligible after it was written off', 13_000, 13_000, 13_000, 0, 13_000],
  ['it is not known what is eligible', null, 13_000, 10_000, 3000, null],
])(
  'what can be written off, and what is above it, where %s',
  (_name, byRules, reimbursed, writtenOff, may, excess) => {
    const review = { outcome: 'eligible', kept: null, reimbursed, writtenOff } as const;
    const amounts = { ...decideAmounts(byRules, review), reimbursed, writtenOff };
    expect([mayWriteOff(amounts), findExcess(amounts)]).toEqual([may, excess]);
    expect(amounts.owed ?? 0).toBeGreaterThanOrEqual(0);
  },
);

test('if all are known, what the rules give is eligible, declined and disputed together', () => {
  fc.assert(
    fc.property(
      fc.option(fc.integer(), { nil: null }),
      fc.option(fc.constantFrom(...reviewOutcomes), { nil: null }),
      fc.option(fc.record({ eligible: fc.integer(), byRules: fc.option(fc.integer(), { nil: null }) }), {
        nil: null,
      }),
      fc.integer(),
      (byRules, outcome, kept, reimbursed) => {
        const {
          open,
          owed: _owed,
          ...decided
        } = decideAmounts(byRules, {
          ...{ outcome, kept, reimbursed },
          writtenOff: 0,
        });
        const { eligible, declined, disputed } = decided;
        if (eligible === null) expect(open).toBeNull();
        else expect(open).toBe(Math.max(0, Math.max(0, eligible) - Math.max(0, reimbursed)));
        for (const amount of [eligible, declined, disputed]) expect((amount ?? 0) % 100 || 0).toBe(0);
        if (eligible === null || declined === null || disputed === null) expect(decided.byRules).toBeNull();
        else if (decided.byRules !== null) expect(eligible + declined + disputed).toBe(decided.byRules);
      },
    ),
  );
});

describe('what partly eligible comes to', () => {
  it.each<[string, PartlyEligible, EligibleSource, number | string]>([
    ['an amount', { by: 'amount', amount: 125_000 }, source, 125_000],
    ['nothing', { by: 'amount', amount: 0 }, source, 0],
    ['all', { by: 'amount', amount: 550_100 }, source, 550_100],
    ['more than the rules give', { by: 'amount', amount: 550_101 }, source, 'tooMuch'],
    ['less than nothing', { by: 'amount', amount: -1 }, source, 'tooMuch'],
    [
      'of what is not known, up to patient responsibility',
      { by: 'amount', amount: 400_000 },
      pending,
      400_000,
    ],
    ['of what is not known, more', { by: 'amount', amount: 400_001 }, pending, 'tooMuch'],
    ['of a reversal', { by: 'amount', amount: -150_000 }, reversal, -150_000],
    ['of a reversal, a charge', { by: 'amount', amount: 1 }, reversal, 'tooMuch'],
    [
      'lines',
      {
        by: 'lines',
        lines: [
          { line: 0, amount: 100_000 },
          { line: 2, amount: 50_000 },
        ],
      },
      source,
      150_000,
    ],
    ['all but copay', { by: 'parts', without: ['copay'] }, source, 350_100],
    ['all but two parts', { by: 'parts', without: ['copay', 'deductible'] }, source, 50_100],
    ['all but copay, without a split', { by: 'parts', without: ['copay'] }, unsplit, 'notKnown'],
    ['all but copay, not processed', { by: 'parts', without: ['copay'] }, pending, 'notKnown'],
    // 27.505: down to the cent.
    ['a half', { by: 'share', percent: 50 }, source, 275_000],
    ['a third', { by: 'share', percent: 33.33 }, source, 183_300],
    ['a share of a reversal', { by: 'share', percent: 12.5 }, reversal, -50_000],
    ['a share of what is not known', { by: 'share', percent: 50 }, pending, 'notKnown'],
  ])('%s', (_name, partly, of, wanted) => {
    expect(partlyEligibleSchema.parse(partly)).toEqual(partly);
    const found = computePartly(partly, of, rules);
    expect(typeof found === 'string' ? found : found.eligible).toBe(wanted);
  });

  it('a part that the employer’s rules do not count changes nothing', () => {
    const partly = { by: 'parts', without: ['copay'] } as const satisfies PartlyEligible;
    const ofOthers = { ...rules, parts: ['deductible', 'coinsurance'] as const };
    expect(
      computePartly({ ...partly, without: ['copay'] }, source, { ...ofOthers, parts: [...ofOthers.parts] }),
    ).toEqual({
      eligible: 350_100,
      byRules: 350_100,
    });
  });

  it('a share is never more than the whole, and no share is refused or rounded up', () => {
    const anyAmount = fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 });
    fc.assert(
      fc.property(anyAmount, fc.integer({ min: 1, max: 9_999 }), (amount, hundredths) => {
        const responsibility = amount / 10_000;
        const of = readEligibleSource({
          fields: { status: 'Processed', patient_responsibility: responsibility },
        });
        const percent = hundredths / 100;
        expect(partlyEligibleSchema.safeParse({ by: 'share', percent }).success).toBe(true);
        const found = computePartly({ by: 'share', percent }, of, rules);
        if (typeof found === 'string') throw new Error(found);
        const exact = BigInt(amount) * BigInt(hundredths);
        const left = exact - BigInt(found.eligible) * 10_000n;
        // Less than a cent is left out, on the side of zero.
        expect(left === 0n || left > 0n === exact > 0n).toBe(true);
        expect(left > -1_000_000n && left < 1_000_000n).toBe(true);
        expect(Math.abs(found.eligible % 100)).toBe(0);
      }),
    );
  });

  it.each([
    { by: 'share', percent: 0 },
    { by: 'share', percent: 100 },
    { by: 'share', percent: 33.333 },
  ])('no share: %o', (partly) => {
    expect(partlyEligibleSchema.safeParse(partly).success).toBe(false);
  });
});
