import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderedList } from '../../../../src/sandbox/data/ordered-list.ts';
import { Sequence } from '../../../../src/sandbox/data/sequence.ts';

type Step = { kind: 'insert' | 'remove'; place: number; count: number };

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('insert' as const, 'remove' as const),
    place: fc.nat(1000),
    count: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 60 },
);

describe('Sequence', () => {
  it('does what a plain array does', () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.constantFrom('asc' as const, 'desc' as const),
        steps,
        (length, direction, edits: Step[]) => {
          const sequence = new Sequence(length, direction);
          const model = Array.from({ length }, (_, n) => (direction === 'asc' ? n : length - 1 - n));
          let next = 1000;
          for (const { kind, place, count } of edits) {
            if (kind === 'insert') {
              const at = place % (model.length + 2);
              sequence.insert(at, next, count);
              model.splice(at, 0, ...Array.from({ length: count }, (_, n) => next + n));
              next += count;
            } else if (model.length > 0) {
              const at = place % model.length;
              expect(sequence.removeAt(at)).toBe(model.splice(at, 1)[0]);
            }
          }
          expect(sequence.length).toBe(model.length);
          expect(sequence.slice(0, model.length + 5)).toEqual(model);
          for (let from = 0; from < model.length; from += 7) {
            expect(sequence.slice(from, 5)).toEqual(model.slice(from, from + 5));
          }
          model.forEach((ordinal, at) => {
            expect(sequence.positionOf(ordinal)).toBe(at);
          });
          expect(sequence.positionOf(999_999)).toBe(-1);
        },
      ),
    );
  });

  it('refuses positions that do not exist', () => {
    const sequence = new Sequence(3, 'asc');
    expect(() => sequence.removeAt(3)).toThrow(RangeError);
    expect(() => sequence.removeAt(-1)).toThrow(RangeError);
    expect(sequence.slice(3, 10)).toEqual([]);
  });

  it('reads the end of fifty million rows at once', () => {
    const sequence = new Sequence(50_000_000, 'desc');
    expect(sequence.slice(49_999_998, 5)).toEqual([1, 0]);
  });
});

describe('OrderedList', () => {
  it.each(['asc', 'desc', 'shuffled'] as const)('%s: holds every index once and finds each', (order) => {
    const list = new OrderedList(97, order, 5);
    const all = list.slice(0, 200);
    expect([...all].sort((a, b) => a - b)).toEqual(Array.from({ length: 97 }, (_, n) => n));
    all.forEach((index, at) => {
      expect(list.positionOf(index)).toBe(at);
    });
  });

  it.each(['asc', 'desc', 'shuffled'] as const)('%s: inOrder gives the order of the list', (order) => {
    const list = new OrderedList(60, order, 5);
    list.grow(5);
    list.removeAt(10);
    const picked = Array.from({ length: 65 }, (_, n) => n).filter((n) => n % 3 === 0);
    expect(list.inOrder(picked)).toEqual(list.slice(0, 99).filter((index) => index % 3 === 0));
  });

  it('new records are at the end, or at the start if the newest are first', () => {
    const ascending = new OrderedList(3, 'asc', 1);
    ascending.grow(2);
    expect(ascending.slice(0, 9)).toEqual([0, 1, 2, 3, 4]);
    const descending = new OrderedList(3, 'desc', 1);
    descending.grow(2);
    expect(descending.slice(0, 9)).toEqual([4, 3, 2, 1, 0]);
  });

  it('has knows what was removed, added and inserted', () => {
    const list = new OrderedList(3, 'asc', 1);
    list.removeAt(1);
    list.grow(1);
    list.insert(0, 500);
    expect([0, 1, 2, 3, 4, 500, 501].map((index) => list.has(index))).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
      false,
    ]);
  });

  it('move and swap', () => {
    const list = new OrderedList(5, 'asc', 1);
    list.move(0, 3);
    expect(list.slice(0, 9)).toEqual([1, 2, 3, 0, 4]);
    list.swap(4, 1);
    expect(list.slice(0, 9)).toEqual([1, 4, 3, 0, 2]);
    list.swap(2, 2);
    expect(list.slice(0, 9)).toEqual([1, 4, 3, 0, 2]);
  });

  it('reordered keeps the records', () => {
    const list = new OrderedList(20, 'asc', 1);
    list.removeAt(4);
    list.grow(3);
    list.insert(2, 900);
    list.swap(0, 9);
    const held = list.slice(0, 99).sort((a, b) => a - b);
    for (const order of ['desc', 'shuffled', 'asc'] as const) {
      expect(
        list
          .reordered(order)
          .slice(0, 99)
          .sort((a, b) => a - b),
      ).toEqual(held);
    }
  });
});
