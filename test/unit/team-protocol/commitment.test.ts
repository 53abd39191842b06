import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  commitmentOf,
  commitTo,
  headPart,
  removeLines,
  toRest,
} from '../../../src/team-protocol/commitment.ts';
import { makeSalt } from '../../../src/team-protocol/seal.ts';
import { fuzzRuns } from '../../support/seeds.ts';

/** Lines that differ, and which of them are kept by two removals after one another. */
const anyRemovals = fc
  .uniqueArray(
    fc.string({ maxLength: 9 }).map((text) => text.replaceAll('\n', '')),
    { minLength: 1, maxLength: 40 },
  )
  .chain((lines) =>
    fc.tuple(
      fc.constant(lines),
      fc.subarray(lines),
      fc.subarray(lines),
      fc.integer({ min: headPart, max: 3 }),
    ),
  );

test('the commitment proves what is left after any removals, without the salts of what was removed', () => {
  fc.assert(
    fc.property(anyRemovals, ([lines, first, second, part]) => {
      const content = { text: lines.join('\n'), salt: makeSalt() };
      const commitment = commitTo(content, part);
      const whole = toRest(content, part);
      expect(commitmentOf(whole, lines.length)).toBe(commitment);
      const once = removeLines(whole, lines.length, (line) => first.includes(line));
      const twice = removeLines(once, lines.length, (line) => second.includes(line));
      expect(once.lines).toEqual(lines.filter((line) => first.includes(line)));
      expect(twice.lines).toEqual(once.lines.filter((line) => second.includes(line)));
      for (const rest of [once, twice]) expect(commitmentOf(rest, lines.length)).toBe(commitment);
      // The form is the same after one removal or two.
      expect(twice.proof.length).toBeGreaterThan(0);
      if (twice.lines.length === 0) expect(twice.proof.some((mark) => mark.length === 22)).toBe(false);
    }),
    { numRuns: fuzzRuns(200) },
  );
});

test('no other lines, order, number or position has the commitment of a rest', () => {
  const content = { text: 'a\nb\nc\nd\ne', salt: makeSalt() };
  const commitment = commitTo(content, 0);
  const rest = removeLines(toRest(content, 0), 5, (line) => line !== 'b');
  const { lines, proof } = rest;
  expect(commitmentOf(rest, 5)).toBe(commitment);
  for (const [other, count] of [
    [{ lines: ['a', 'c', 'd', 'x'], proof }, 5],
    [{ lines: ['c', 'a', 'd', 'e'], proof }, 5],
    [{ lines: ['a', 'c', 'd'], proof }, 5],
    [{ lines: ['a', 'c', 'd', 'e', 'f'], proof }, 5],
    [{ lines, proof: proof.slice(0, -1) }, 5],
    [{ lines, proof: [...proof, ''] }, 5],
    [{ lines, proof: ['', ...proof] }, 5],
    [{ lines, proof: proof.map((mark) => `${mark}=`) }, 5],
    [rest, 4],
    [rest, 6],
    [toRest(content, 1), 5],
    [{ lines: [], proof: [] }, 5],
    [{ lines: ['a'], proof: [''] }, 1],
  ] as const)
    expect(commitmentOf(other, count)).not.toBe(commitment);
});
