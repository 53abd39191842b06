import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLAIM_TYPES } from '../../../../src/sandbox/data/codes.ts';
import type { PricedAmounts } from '../../../../src/sandbox/data/priced-amounts.ts';
import {
  addAmounts,
  billedUnits,
  priceLine,
  reversalOf,
  zeroAmounts,
} from '../../../../src/sandbox/data/priced-amounts.ts';
import { RandomStream } from '../../../../src/sandbox/data/random.ts';
import { fuzzRuns } from '../../../support/seeds.ts';

const anyLine = fc.record({
  state: fc.integer(),
  type: fc.constantFrom(...CLAIM_TYPES.map((type) => type.name)),
  isFirst: fc.boolean(),
  isDenied: fc.boolean(),
  deductiblePercent: fc.integer({ min: 0, max: 100 }),
  deductibleLimit: fc.constantFrom(Number.POSITIVE_INFINITY, 1_000_000),
});

/** Once rounded up to a whole cent: the patient owed more than was allowed, and the plan paid −$0.0038. */
const partsOfACentUnderDeductible = {
  state: -640781889,
  type: 'rx',
  isFirst: false,
  isDenied: false,
  deductiblePercent: 44,
  deductibleLimit: Number.POSITIVE_INFINITY,
} as const;

function expectToAddUp(amounts: PricedAmounts): void {
  expect(amounts.billed - amounts.discount).toBe(amounts.allowed);
  expect(amounts.paid + amounts.patient).toBe(amounts.allowed);
  expect(amounts.notCovered + amounts.reduction + amounts.copayment + amounts.coinsurance).toBe(
    amounts.patient,
  );
}

describe('an explanation of benefits', () => {
  it('adds up on every line, in whole ten-thousandths', () => {
    fc.assert(
      fc.property(anyLine, ({ state, ...plan }) => {
        const r = new RandomStream(state);
        const amounts = priceLine(r, billedUnits(r, plan.type), plan);
        expectToAddUp(amounts);
        for (const value of Object.values(amounts)) {
          expect(Number.isInteger(value)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: fuzzRuns(2_000), examples: [[partsOfACentUnderDeductible]] },
    );
  });

  it('a deductible of the whole line includes its parts of a cent too, and the plan pays nothing', () => {
    const { state, ...plan } = partsOfACentUnderDeductible;
    const r = new RandomStream(state);
    const { allowed, reduction, paid } = priceLine(r, billedUnits(r, plan.type), plan);
    expect(allowed % 100).not.toBe(0);
    expect([reduction, paid]).toEqual([allowed, 0]);
  });

  it('a denied line is entirely the patient’s', () => {
    const amounts = priceLine(new RandomStream(4), 1_000_000, {
      type: 'medical',
      isFirst: true,
      isDenied: true,
      deductiblePercent: 50,
      deductibleLimit: Number.POSITIVE_INFINITY,
    });
    expect([amounts.paid, amounts.patient]).toEqual([0, amounts.allowed]);
  });

  it('a reversal cancels the line and adds up too', () => {
    fc.assert(
      fc.property(anyLine, ({ state, ...plan }) => {
        const amounts = priceLine(new RandomStream(state), 1_234_500, plan);
        const reversed = reversalOf(amounts);
        expectToAddUp(reversed);
        const total = zeroAmounts();
        addAmounts(total, amounts);
        addAmounts(total, reversed);
        expect(total).toEqual(zeroAmounts());
      }),
    );
  });

  it('some drug prices have four decimals, other prices never', () => {
    const r = new RandomStream(2);
    const hasParts = (type: 'rx' | 'medical') =>
      Array.from({ length: 400 }, () => billedUnits(r, type) % 100 !== 0).some(Boolean);
    expect([hasParts('rx'), hasParts('medical')]).toEqual([true, false]);
  });
});
