import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readEligibleSource } from '../../../../../../src/rules/money/eligible-source.ts';
import { readReviewedValues } from '../../../../../../src/rules/review/reviewed-values.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns, seedFrom } from '../../../../../support/seeds.ts';
import { usualRules } from '../../../../../support/update-store.ts';

const amount = fc.constantFrom(undefined, null, '', 0, 12.5, '7.25', -3, 1e21, 'see contract');
const amounts = {
  reduction: amount,
  copayment: amount,
  coinsurance_patient: amount,
  amount_not_covered: amount,
  amount_paid_other: amount,
};
const claim = fc.record({
  ...amounts,
  ...{ computed_reduction: amount, computed_copayment: amount, patient_responsibility: amount },
  claim_medical_lines: fc.array(fc.record(amounts), { maxLength: 3 }),
});

it('the records give the same as the values that a review stores, lines included', () => {
  fc.assert(
    fc.property(fc.array(claim, { minLength: 20, maxLength: 40 }), (some) => {
      const store = openTestStore();
      const claims = some.map((one, at) => ({ ...one, id: at + 1, status: 'Processed', network: 'IN' }));
      store.ingest('claims', claims);
      const claimIds = claims.map(({ id }) => id);
      const found = store.read.readEligibleClaims({ claimIds, rules: usualRules });
      for (const { claimId, source } of found) {
        const values = readReviewedValues(claims[claimId - 1] ?? {}, false);
        const wanted = readEligibleSource(values);
        // A value that can't be a number makes the eligible amount not known, whatever the other amounts are.
        if (wanted.isUnread) expect(source.isUnread).toBe(true);
        else expect(source).toEqual(wanted);
      }
    }),
    { seed: seedFrom(43_501), numRuns: fuzzRuns(10) },
  );
});
