import { expect, test } from 'vitest';
import { toTexts } from '../../../../../src/main/engine/team/write-checkpoint.ts';

/** The parts of events with these numbers of lines. */
async function divide(counts: readonly number[]): Promise<string[][]> {
  const groups = counts.map((count, event) =>
    Array.from({ length: count }, (_none, line) => `${event} ${line}`),
  );
  const parts: string[][] = [];
  for await (const part of toTexts(
    (async function* () {
      yield* groups;
    })(),
  ))
    parts.push(part);
  expect(parts.flat()).toEqual(groups.flat());
  return parts;
}

test('a part begins with an event, even after one with an odd number of lines', async () => {
  const parts = await divide([9, ...Array.from({ length: 5_000 }, () => 2)]);
  expect(parts.map((part) => part[0]?.endsWith(' 0'))).toEqual(parts.map(() => true));
  expect(parts.map(({ length }) => length)).toEqual([2_499, 2_500, 2_500, 2_500, 10]);
});

test('an event that is too large for a part continues in others, and the next part begins with an event again', async () => {
  const parts = await divide([3, 6_000, ...Array.from({ length: 2_000 }, () => 2)]);
  expect(parts.map((part) => part[0])).toEqual(['0 0', '1 0', '1 2500', '1 5000', '752 0']);
});
