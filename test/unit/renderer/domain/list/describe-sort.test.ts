import { expect, test } from 'vitest';
import {
  changeSort,
  directionLabel,
  keepNulls,
} from '../../../../../src/renderer/domain/list/describe-sort.ts';
import { type Sort, sortSchema } from '../../../../../src/rules/query.ts';

const billed: Sort = { field: 'amount_billed', direction: 'desc' };

test('a direction is said in the words of what is sorted', () => {
  expect(directionLabel('date', 'desc')).toBe('Newest first');
  expect(directionLabel('money', 'asc')).toBe('Smallest first');
  expect(directionLabel('text', 'desc')).toBe('Z to A');
});

test('rows without a value go first where that was chosen; last goes unsaid, so that equal lists are equal', () => {
  const first = changeSort(billed, { nulls: 'first' });
  expect(sortSchema.parse(first)).toEqual({ ...billed, nulls: 'first' });
  expect(changeSort(first, { direction: 'asc' })).toEqual({ ...first, direction: 'asc' });
  expect(changeSort(first, { nulls: 'last' })).toEqual(billed);
});

test('a header that is pressed keeps where rows without a value go, column by column', () => {
  const before: Sort[] = [{ ...billed, nulls: 'first' }];
  expect(
    keepNulls(
      [
        { field: 'status', direction: 'asc' },
        { ...billed, direction: 'asc' },
      ],
      before,
    ),
  ).toEqual([
    { field: 'status', direction: 'asc' },
    { field: 'amount_billed', direction: 'asc', nulls: 'first' },
  ]);
  expect(keepNulls([billed], [])).toEqual([billed]);
});
