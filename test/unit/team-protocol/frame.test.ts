import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFrames, readNumbered, writeFrame, writeNumbered } from '../../../src/team-protocol/frame.ts';
import { makeComputer, makeEvent, makeTeamId } from '../../support/team-computer.ts';

const computer = makeComputer();
const team = makeTeamId();
const makeEntry = (parts: readonly string[], sendsParts = true) => {
  const { sealedParts: _sealed, ...entry } = makeEvent(computer, { team, parts, sendsParts });
  return entry;
};
const entries = [makeEntry([]), makeEntry(['a', 'b']), makeEntry(['a', 'b'], false)];
const bytes = Buffer.concat(entries.map(writeFrame));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('reads the frames that it wrote, with and without parts', () => {
  expect(plain(readFrames(bytes, 3))).toEqual(plain(entries));
  expect(readFrames(Buffer.alloc(0), 3)).toEqual([]);
  const numbered = entries.map((entry, index) => ({
    ...entry,
    number: 2 ** 40 + index,
    hash: 'A'.repeat(43),
  }));
  expect(plain(readNumbered(Buffer.concat(numbered.map(writeNumbered))))).toEqual(plain(numbered));
});

it('refuses more frames than allowed, and numbers that are not exact', () => {
  expect(readFrames(bytes, 2)).toBeNull();
  const numbered = writeNumbered({ ...(entries[0] as (typeof entries)[0]), number: 1, hash: 'A'.repeat(43) });
  numbered.writeBigUInt64BE(2n ** 60n);
  expect(readNumbered(numbered)).toBeNull();
});

it('reads a malformed entry as none, and the next', () => {
  const broken = Buffer.from(bytes);
  broken.write('#', 9);
  expect(readFrames(broken, 3)?.map((one) => one === null)).toEqual([true, false, false]);
});

it('never throws, and never reads a truncated frame', () => {
  for (let end = 0; end < bytes.length; end += 7) {
    const read = readFrames(bytes.subarray(0, end), 3);
    if (read !== null) expect(Buffer.concat(read.map((one) => writeFrame(one as never))).length).toBe(end);
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
      readFrames(noise, 3);
      readNumbered(noise);
    }),
  );
  for (const at of [0, 4, 8]) {
    const huge = Buffer.from(bytes);
    huge.writeUInt32BE(0xff_ff_ff_fe, at);
    expect(readFrames(huge, 3)?.[0] ?? null).toBeNull();
  }
});
