import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSum, writeAmount } from '../../../../../src/main/engine/export/exact-amount.ts';
import { writeDecimals } from '../../../../../src/rules/money/amounts.ts';

test('an amount is written as its exact decimals, and a sum as the exact sum', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 50 }), (amounts) => {
      for (const amount of amounts) {
        const text = writeAmount(amount);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,3}[1-9])?$/);
        const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
        expect(BigInt(`${sign}${whole}${fraction.padEnd(4, '0')}`)).toBe(BigInt(amount));
        expect(writeDecimals(amount)).toBe(text);
      }
      const sum = createSum();
      for (const amount of amounts) sum.add(amount);
      expect(sum.read()).toBe(amounts.reduce((all, amount) => all + BigInt(amount), 0n));
    }),
  );
  expect(createSum().read()).toBeNull();
});
