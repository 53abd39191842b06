import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountSteps } from '../../../../src/contract/claim-amounts.ts';
import { explainAmounts, sumLines } from '../../../../src/renderer/features/claims/explain-amounts.ts';
import { fieldsOf } from '../../../../src/rules/list-fields.ts';

describe('steps', () => {
  it('are fields of the contract, including every amount of a claim', () => {
    const money = fieldsOf.claims
      .filter((spec) => spec.kind === 'money' && !spec.isDerived)
      .map((spec) => spec.path);
    const named = amountSteps.flatMap((step) =>
      step.computedField === null ? [step.field] : [step.field, step.computedField],
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
    expect(sumLines(claim(0.3, [0.1, 0.2]), 'amount_billed')).toMatchObject({
      sum: 3_000n,
      difference: null,
    });
  });

  it('shows by how much the lines differ from the claim', () => {
    expect(sumLines(claim(10, [4, 7]), 'amount_billed').difference).toBe(10_000n);
    expect(sumLines(claim(10, [4]), 'amount_billed').difference).toBe(-60_000n);
  });

  it('shows no difference if an amount is missing', () => {
    expect(sumLines(claim(null, [4]), 'amount_billed').difference).toBeNull();
    expect(sumLines(claim(10, [4, null]), 'amount_billed')).toMatchObject({ difference: null, missing: 1 });
    expect(sumLines(claim(10, []), 'amount_billed')).toMatchObject({ sum: null, difference: null });
  });
});

describe('explainAmounts', () => {
  const whole = (one: { label: string; amount: bigint; origin: string } | null) =>
    one === null ? null : [one.label, Number(one.amount) / 10_000, one.origin];

  it('adds up from billed to the patient, as a carrier explains it', () => {
    const explained = explainAmounts({
      id: 1,
      amount_billed: 565.23,
      discount: 182.34,
      amount_allowed: 382.89,
      reduction: 50,
      copayment: 20,
      coinsurance_patient: 30.58,
      amount_not_covered: 0,
      amount_paid: 282.31,
      patient_responsibility: 100.58,
    });
    expect(explained.toAllowed?.less.map(whole)).toEqual([['Discount', 182.34, 'reported']]);
    expect(explained.toPaid?.less.map(whole)).toEqual([
      ['Not covered', 0, 'reported'],
      ['Deductible', 50, 'reported'],
      ['Copay', 20, 'reported'],
      ['Coinsurance', 30.58, 'reported'],
    ]);
    expect(explained.patientParts?.map(({ label }) => label)).toEqual(['Deductible', 'Copay', 'Coinsurance']);
    expect(explained.loose).toEqual([]);
  });

  it('puts what is not covered before the allowed amount if that adds up', () => {
    const { toAllowed, toPaid } = explainAmounts({
      id: 1,
      amount_billed: 100,
      discount: 20,
      amount_not_covered: 30,
      amount_allowed: 50,
      amount_paid: 50,
    });
    expect(toAllowed?.less.map(({ label }) => label)).toEqual(['Discount', 'Not covered']);
    expect(toPaid?.less).toEqual([]);
  });

  it('takes a missing amount from the lines and says so; one that some line lacks is not a sum', () => {
    const claim = {
      id: 1,
      amount_billed: 100,
      amount_allowed: 70,
      claim_medical_lines: [{ discount: 10, copayment: 5 }, { discount: 20 }],
    };
    const { toAllowed, toPaid } = explainAmounts(claim);
    expect(toAllowed?.less.map(whole)).toEqual([['Discount', 30, 'lines']]);
    expect(toPaid).toBeNull();
  });

  it('subtracts what other insurance paid if the amounts then add up, and shows it once', () => {
    const claim = { id: 1, amount_allowed: 100, copayment: 20, amount_paid_other: 30 };
    const without = explainAmounts({ ...claim, amount_paid: 80 });
    expect(without.toPaid?.less.map(whole)).toEqual([['Copay', 20, 'reported']]);
    expect(whole(without.paidOther)).toEqual(['Paid by other insurance', 30, 'reported']);
    const within = explainAmounts({ ...claim, amount_paid: 50 });
    expect(within.toPaid?.less.map(({ label }) => label)).toEqual(['Copay', 'Paid by other insurance']);
    expect(within.paidOther).toBeNull();
  });

  it('leaves a missing allowed amount out of the equation if the rest adds up', () => {
    const { toAllowed, toPaid, loose } = explainAmounts({
      id: 1,
      amount_billed: 100,
      discount: 40,
      copayment: 10,
      amount_paid: 50,
    });
    expect(toAllowed).toBeNull();
    expect([toPaid?.from.label, ...(toPaid?.less ?? []).map(({ label }) => label)]).toEqual([
      'Billed',
      'Discount',
      'Copay',
    ]);
    expect(loose).toEqual([]);
  });

  it('never leaves a gap: what is missing is a separate amount', () => {
    const { toAllowed } = explainAmounts({
      id: 1,
      amount_billed: 43_255.66,
      amount_allowed: 26_316.75,
    });
    expect(toAllowed?.less.map(whole)).toEqual([['Other, not itemized', 16_938.91, 'rest']]);
  });

  it('uses what the service computed if it sent nothing', () => {
    const { toAllowed } = explainAmounts({ id: 1, computed_amount_billed: 9, amount_allowed: 9 });
    expect(toAllowed && whole(toAllowed.from)).toEqual(['Billed', 9, 'calculated']);
  });

  it('has no equation without both of its ends', () => {
    const { toAllowed, toPaid, loose, patient } = explainAmounts({ id: 1, amount_billed: 9, copayment: 1 });
    expect([toAllowed, toPaid, patient]).toEqual([null, null, null]);
    expect(loose.map(whole)).toEqual([
      ['Billed', 9, 'reported'],
      ['Copay', 1, 'reported'],
    ]);
  });

  it('is valid for any amounts, to the last digit', () => {
    const money = fc.option(fc.integer({ min: -90_000_000, max: 90_000_000 }).map((units) => units / 10_000));
    const fields = amountSteps.map(({ field }) => field);
    fc.assert(
      fc.property(fc.record(Object.fromEntries(fields.map((field) => [field, money]))), (amounts) => {
        const { toAllowed, toPaid } = explainAmounts({ id: 1, ...amounts });
        for (const equation of [toAllowed, toPaid]) {
          if (equation === null) continue;
          const less = equation.less.reduce((sum, { amount }) => sum + amount, 0n);
          expect(equation.from.amount - less).toBe(equation.total.amount);
        }
      }),
    );
  });
});
