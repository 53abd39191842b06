import { describe, expect, it } from 'vitest';
import {
  blankChange,
  changeSize,
  responsibilityChange,
} from '../../../../../src/main/engine/review/change-size.ts';
import { readReviewedValues } from '../../../../../src/rules/review/reviewed-values.ts';

const valuesOf = (patient_responsibility: number | null) =>
  readReviewedValues({ id: 1, patient_responsibility }, false);
const sizeOf = (before: number | null, after: number | null): number =>
  changeSize(valuesOf(before), valuesOf(after));

describe('the size of a change, by which changed claims are sorted', () => {
  it('is the same up and down, and 0 if patient responsibility did not change', () => {
    expect(sizeOf(100, 120.5)).toBe(205_000);
    expect(sizeOf(120.5, 100)).toBe(205_000);
    expect(sizeOf(0, 0)).toBe(0);
    expect(sizeOf(null, null)).toBe(0);
  });

  it('of an amount that was or became blank counts the blank as 0 and comes first', () => {
    expect(sizeOf(null, 30)).toBe(blankChange + 300_000);
    expect(sizeOf(30, null)).toBe(blankChange + 300_000);
    const changes: [number | null, number | null][] = [
      [10, 20],
      [null, 0],
      [0, 9_999_999_999],
      [45, null],
      [null, 12],
    ];
    expect(changes.toSorted((a, b) => sizeOf(...b) - sizeOf(...a))).toEqual([
      [45, null],
      [null, 12],
      [null, 0],
      [0, 9_999_999_999],
      [10, 20],
    ]);
  });

  it('is unknown as an amount if either side is blank: null is not zero', () => {
    expect(responsibilityChange(valuesOf(null), valuesOf(30))).toBeNull();
    expect(responsibilityChange(valuesOf(30), valuesOf(null))).toBeNull();
    expect(responsibilityChange(valuesOf(30), valuesOf(29.99))).toBe(-100);
  });
});
