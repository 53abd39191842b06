import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../../src/contract/fields.ts';
import { chainSteps, detailSteps, sumLines } from '../../../../src/renderer/features/claims/claim-amounts.ts';

describe('steps', () => {
  it('name fields of the contract, every amount of a claim among them', () => {
    const money = fieldsOf.claims.filter((spec) => spec.kind === 'money').map((spec) => spec.path);
    const named = [...chainSteps, ...detailSteps].flatMap((step) =>
      step.computedField === undefined ? [step.field] : [step.field, step.computedField],
    );
    expect([...named].sort()).toEqual([...money].sort());
  });
});

describe('sumLines', () => {
  const claim = (billed: number | null, lines: (number | null)[]) => ({
    id: 1,
    amount_billed: billed,
    claim_medical_lines: lines.map((amount_billed) => ({ amount_billed })),
  });

  it('adds exactly and finds no difference where there is none', () => {
    expect(sumLines(claim(0.3, [0.1, 0.2]), 'amount_billed')).toMatchObject({ sum: 3000n, difference: null });
  });

  it('says by how much the lines differ from the claim', () => {
    expect(sumLines(claim(10, [4, 7]), 'amount_billed').difference).toBe(10_000n);
    expect(sumLines(claim(10, [4]), 'amount_billed').difference).toBe(-60_000n);
  });

  it('claims no difference where an amount is not there', () => {
    expect(sumLines(claim(null, [4]), 'amount_billed').difference).toBeNull();
    expect(sumLines(claim(10, [4, null]), 'amount_billed')).toMatchObject({ difference: null, missing: 1 });
    expect(sumLines(claim(10, []), 'amount_billed')).toMatchObject({ sum: null, difference: null });
  });
});
