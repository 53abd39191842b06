import { expect, test } from 'vitest';
import { readCauses } from '../../../../../src/renderer/domain/review/decline-causes.ts';
import { causesOf, usualCauses } from '../../../../../src/rules/money/reimbursement.ts';

test('a workspace offers the usual reasons until it has a list of its own', () => {
  expect(causesOf({ other: ['Lost'] }, 'w')).toBe(usualCauses);
  expect(causesOf({ w: ['Lost'], other: [] }, 'w')).toEqual(['Lost']);
  expect(causesOf({ w: [] }, 'w')).toEqual([]);
});

test('each line is a reason, once; blank lines are skipped, and there are limits', () => {
  expect(readCauses(' Missing receipt \n\nLost\nMissing receipt\n ')).toEqual(['Missing receipt', 'Lost']);
  expect(readCauses('x'.repeat(300))).toEqual(['x'.repeat(200)]);
  expect(readCauses(Array.from({ length: 60 }, (_, index) => `${index}`).join('\n'))).toHaveLength(50);
});
