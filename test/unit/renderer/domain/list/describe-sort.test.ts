import { expect, test } from 'vitest';
import {
  changeSort,
  directionLabel,
  keepNulls,
} from '../../../../../src/renderer/domain/list/describe-sort.ts';
import { type Sort, sortSchema } from '../../../../../src/rules/query.ts';

const billed: Sort = { field: 'amount_billed', direction: 'desc' };

test('a direction is described in the words of what is sorted', () => {
  expect(directionLabel('date', 'desc')).toBe('Newest first');
  expect(directionLabel('money', 'asc')).toBe('Smallest first');
  expect(directionLabel('text', 'desc')).toBe('Z to A');
});

test('rows without a value are first if that was chosen; last is not written, so that equal lists are equal', () => {
  const first = changeSort(billed, { nulls: 'first' });
  expect(sortSchema.parse(first)).toEqual({ ...billed, nulls: 'first' });
  expect(changeSort(first, { direction: 'asc' })).toEqual({ ...first, direction: 'asc' });
  expect(changeSort(first, { nulls: 'last' })).toEqual(billed);
});

test('pressing a header keeps the position of rows without a value, column by column', () => {
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
