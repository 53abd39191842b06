import { expect, test } from 'vitest';
import { makeReopeningId } from '../../../../../src/main/engine/review/reopening-id.ts';

const of = { claimId: 40_096_278, since: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', digest: '0011aabb!' };

test('the same claim, review and record give the same ID on every computer and in every version', () => {
  expect(makeReopeningId(of)).toBe('263d6fd3-0d4c-80b5-bd79-c674cb0229f9');
  expect(makeReopeningId({ ...of })).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('another claim, review or record gives another one', () => {
  const ids = [of, { ...of, claimId: 4 }, { ...of, since: 'x' }, { ...of, digest: '0011aabb' }].map(
    makeReopeningId,
  );
  expect(new Set(ids).size).toBe(4);
});
