import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsFrom, hash32, RandomStream, uuidFrom } from '../../../../src/sandbox/data/random.ts';

describe('hash32', () => {
  it('is the same for the same input and an unsigned 32-bit integer', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), (a, b, c) => {
        const value = hash32(a, b, c);
        expect(value).toBe(hash32(a, b, c));
        expect(Number.isInteger(value) && value >= 0 && value < 2 ** 32).toBe(true);
      }),
    );
  });

  it('spreads neighbours: no clusters among a thousand in a hundred drawers', () => {
    const drawers = new Array<number>(100).fill(0);
    for (let n = 0; n < 10_000; n += 1)
      drawers[hash32(1, n, 3) % 100] = (drawers[hash32(1, n, 3) % 100] ?? 0) + 1;
    expect(Math.min(...drawers)).toBeGreaterThan(50);
    expect(Math.max(...drawers)).toBeLessThan(160);
  });
});

describe('RandomStream', () => {
  it('between stays inside and reaches both ends', () => {
    const r = new RandomStream(7);
    const seen = new Set(Array.from({ length: 500 }, () => r.between(3, 6)));
    expect([...seen].sort()).toEqual([3, 4, 5, 6]);
  });

  it('chance is about as frequent as requested', () => {
    const r = new RandomStream(8);
    const hits = Array.from({ length: 10_000 }, () => r.chance(20)).filter(Boolean).length;
    expect(hits).toBeGreaterThan(1800);
    expect(hits).toBeLessThan(2200);
  });
});

it('UUIDs have the form of version 4 and do not repeat', () => {
  const made = Array.from({ length: 20_000 }, (_, n) => uuidFrom(1, n, 5));
  expect(new Set(made).size).toBe(made.length);
  for (const text of made)
    expect(text).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('digits have exactly the requested length', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 40 }), (state, length) => {
      expect(digitsFrom(new RandomStream(state), length)).toMatch(new RegExp(`^\\d{${length}}$`));
    }),
  );
});
