import { expect, it } from 'vitest';
import { findLineParts, type LineAmounts } from '../../../../src/rules/money/line-parts.ts';
import { defaultReimbursementRules } from '../../../../src/rules/money/reimbursement.ts';

const line = (deductible: number | null, coinsurance: number | null, copay: number | null): LineAmounts => ({
  ...{ deductible, coinsurance, copay },
  responsibility: (deductible ?? 0) + (coinsurance ?? 0) + (copay ?? 0),
});
const lines = [line(100_000, 50_000, 0), line(0, 0, 250_000)];
const eligible = { outcome: 'eligible', partly: null } as const;
const without = (...parts: ('deductible' | 'copay')[]) =>
  ({ outcome: 'partlyEligible', partly: { by: 'parts', without: parts } }) as const;

it.each([
  ['the parts of each line', { ...eligible, eligible: 400_000 }, [150_000, 250_000]],
  ['the parts that count by a decision', { ...without('copay'), eligible: 150_000 }, [150_000, 0]],
  ['nothing where the lines do not add up, as with layers of an account', { ...eligible, eligible: 1 }, null],
  ['nothing where it is not known', { ...eligible, eligible: null }, null],
] as const)('gives %s', (_name, decided, parts) => {
  expect(findLineParts(lines, decided, defaultReimbursementRules)).toEqual(parts);
});

it('uses patient responsibility if no part was sent, and nothing if one of the parts is blank', () => {
  const blank = [{ ...line(null, null, null), responsibility: 300_000 }];
  const decided = { ...eligible, eligible: 300_000 };
  expect(findLineParts(blank, decided, defaultReimbursementRules)).toEqual([300_000]);
  expect(findLineParts(blank, decided, { parts: ['copay'] })).toBeNull();
  const partlyBlank = [line(300_000, null, 0)];
  expect(findLineParts(partlyBlank, decided, defaultReimbursementRules)).toBeNull();
});

it('has the amounts of a decision by line, and rounds fractions of a cent down', () => {
  const byLine = (place: number) =>
    ({
      outcome: 'partlyEligible',
      eligible: 1,
      partly: { by: 'lines', lines: [{ line: place, amount: 12_345 }] as { line: number; amount: number }[] },
    }) as const;
  expect(findLineParts(lines, byLine(1), defaultReimbursementRules)).toEqual([0, 12_300]);
  expect(findLineParts(lines, byLine(2), defaultReimbursementRules)).toBeNull();
});
