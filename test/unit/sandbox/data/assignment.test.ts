import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ClaimAssignment } from '../../../../src/sandbox/data/assignment.ts';

it('claimsOf is exactly the inverse of memberOf', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 400 }),
      (seed, members, total) => {
        const assignment = new ClaimAssignment(seed, members);
        const expected = Array.from({ length: members }, (): number[] => []);
        for (let index = 0; index < total; index += 1) expected[assignment.memberOf(index)]?.push(index);
        expect(expected.map((_, member) => assignment.claimsOf(member, total))).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

it('members have from none to several times the average', () => {
  const assignment = new ClaimAssignment(1, 1000);
  const counts = Array.from({ length: 1000 }, (_, member) => assignment.claimsOf(member, 10_000).length);
  expect(counts.reduce((a, b) => a + b)).toBe(10_000);
  expect(counts.filter((count) => count === 0).length).toBeGreaterThan(50);
  expect(Math.max(...counts)).toBeGreaterThanOrEqual(30);
});

it('works at a size whose product no longer fits 32 bits', () => {
  const assignment = new ClaimAssignment(1, 3_000_001);
  const member = assignment.memberOf(2_999_999);
  expect(assignment.claimsOf(member, 3_000_001)).toContain(2_999_999);
});
