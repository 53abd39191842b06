import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisTicks } from '../../../../src/renderer/features/insights/describe-bars.ts';

const labelsOf = (figures: readonly number[], isMoney = true): string[] => {
  const { ticks, format } = axisTicks(figures, isMoney);
  return ticks.map(format);
};

test('marks are evenly spaced and labeled exactly', () => {
  expect(labelsOf([1_010_000.4, 20])).toEqual(['$0', '$250K', '$500K', '$750K', '$1M', '$1.25M']);
  expect(labelsOf([4_321])).toEqual(['$0', '$1K', '$2K', '$3K', '$4K', '$5K']);
  expect(labelsOf([61_000])).toEqual(['$0', '$20K', '$40K', '$60K', '$80K']);
  expect(labelsOf([940])).toEqual(['$0', '$200', '$400', '$600', '$800', '$1K']);
  expect(labelsOf([12])).toEqual(['$0.00', '$2.50', '$5.00', '$7.50', '$10.00', '$12.50']);
  expect(labelsOf([0.04])).toEqual(['$0.00', '$0.01', '$0.02', '$0.03', '$0.04']);
  expect(labelsOf([1_234], false)).toEqual(['0', '250', '500', '750', '1K', '1.25K']);
  expect(labelsOf([3, 7], false)).toEqual(['0', '2', '4', '6', '8']);
  expect(labelsOf([2], false)).toEqual(['0', '1', '2']);
});

test('credits are below zero, and an empty chart has an axis too', () => {
  expect(labelsOf([-300, 700])).toEqual(['−$400', '−$200', '$0', '$200', '$400', '$600', '$800']);
  expect(labelsOf([-20])).toEqual(['−$20', '−$15', '−$10', '−$5', '$0']);
  expect(labelsOf([])).toEqual(labelsOf([0, 0]));
  expect(labelsOf([0], false)).toEqual(['0', '1']);
});

/** Reads a label as a number. */
const readLabel = (label: string): number => {
  const [, sign, digits = '', unit = ''] = /^(−?)\$?([\d.]+)([KMBT]?)$/.exec(label) ?? [];
  const size = { '': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[unit] ?? Number.NaN;
  return (sign === '−' ? -1 : 1) * Number(digits) * size;
};

test('whatever the figures, labels are as far apart as their marks, and all figures are within', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 }), { maxLength: 24 }),
      fc.integer({ min: 0, max: 9 }),
      fc.boolean(),
      (amounts, shift, isMoney) => {
        const figures = amounts.map((amount) =>
          isMoney ? Math.round(amount / 10 ** shift) / 10_000 : Math.round(Math.abs(amount) / 10 ** shift),
        );
        const { ticks, format } = axisTicks(figures, isMoney);
        const said = ticks.map((tick) => readLabel(format(tick)));
        const step = (said[1] as number) - (said[0] as number);
        for (const [index, tick] of ticks.entries()) {
          const isNear = Math.abs((said[index] as number) - tick) <= Math.abs(tick) * 1e-12;
          const isEven =
            Math.abs((said[index] as number) - (said[0] as number) - index * step) <= step * 1e-9;
          if (!isNear || !isEven || (!isMoney && !Number.isInteger(tick))) return false;
        }
        return (
          ticks.length <= 8 &&
          ticks.includes(0) &&
          Math.min(...figures, 0) >= (ticks[0] as number) &&
          Math.max(...figures, 0) <= (ticks.at(-1) as number)
        );
      },
    ),
    { numRuns: 500 },
  );
});
