import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListSelection } from '../../../../../src/renderer/domain/list/list-selection.ts';
import {
  addRows,
  countRows,
  hasRow,
  noRows,
  type RowRanges,
  removeRows,
  windowsOf,
} from '../../../../../src/renderer/domain/list/row-ranges.ts';

const steps = fc.array(fc.record({ isAdded: fc.boolean(), first: fc.nat(60), last: fc.nat(60) }), {
  maxLength: 30,
});

/** The same steps on a plain set, which is right by its looks. */
function both(taken: readonly { isAdded: boolean; first: number; last: number }[]) {
  const set = new Set<number>();
  let places: RowRanges = noRows;
  for (const { isAdded, first, last } of taken) {
    places = (isAdded ? addRows : removeRows)(places, first, last);
    for (let place = Math.min(first, last); place <= Math.max(first, last); place += 1) {
      if (isAdded) set.add(place);
      else set.delete(place);
    }
  }
  return { places, set };
}

describe('places', () => {
  it('contain what a set would contain, sorted and separate', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const { places, set } = both(taken);
        expect(countRows(places)).toBe(set.size);
        for (let place = 0; place <= 60; place += 1) expect(hasRow(places, place)).toBe(set.has(place));
        for (const [index, [first]] of places.entries()) {
          expect(first).toBeGreaterThan((places[index - 1]?.[1] ?? -2) + 1);
        }
      }),
    );
  });

  it('are covered by windows that are never too large', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (taken, most) => {
        const { places, set } = both(taken);
        const covered = new Set<number>();
        for (const { offset, limit } of windowsOf(places, most)) {
          expect(limit).toBeLessThanOrEqual(most);
          for (let place = offset; place < offset + limit; place += 1) {
            expect(covered.has(place)).toBe(false);
            covered.add(place);
          }
        }
        expect([...set].every((place) => covered.has(place))).toBe(true);
      }),
    );
  });
});

describe('ListSelection', () => {
  it('moves the end of a range, and keeps what was selected before', () => {
    const selection = new ListSelection();
    selection.toggle(50);
    selection.anchorAt(null);
    selection.extendTo(11, 10);
    selection.extendTo(14, 10);
    selection.extendTo(8, 10);
    expect(selection.getRanges()).toEqual([
      [8, 10],
      [50, 50],
    ]);
  });

  it('selects all, removes one again, and notifies listeners', () => {
    const selection = new ListSelection();
    let told = 0;
    selection.subscribe(() => {
      told += 1;
    });
    selection.selectAll(1000);
    selection.toggle(500);
    expect(selection.count).toBe(999);
    selection.clear();
    selection.clear();
    expect([selection.count, told]).toEqual([0, 3]);
  });

  it('has nothing to select in an empty list', () => {
    const selection = new ListSelection();
    selection.selectAll(0);
    expect(selection.count).toBe(0);
  });
});
