import { expect, test } from 'vitest';
import { countLostFrames, type LogHeads } from '../../../../../../src/main/engine/store/file/wal-state.ts';

const heads = (changes: Partial<LogHeads> = {}): LogHeads => ({
  salt: 'a',
  committed: 10,
  bytes: 41_232,
  ...changes,
});
const facts = (changes: Partial<Parameters<typeof countLostFrames>[0]>) => ({
  marked: { salt: 'a', frames: 10 },
  wasOpen: true,
  heads: heads(),
  saltNow: 'a',
  used: 10,
  ...changes,
});

test.each<[string, Partial<Parameters<typeof countLostFrames>[0]>, number | null]>([
  ['all of it was used', {}, 0],
  ['a frame in the middle is broken', { used: 6 }, 4],
  ['it was cut, as the mark tells', { heads: heads({ committed: 6 }), used: 6 }, 4],
  ['it is gone after a kill', { heads: null, saltNow: null, used: 0 }, 10],
  ['it is empty after a kill', { heads: heads({ bytes: 0, salt: null }), used: 0 }, 10],
  [
    'it is gone after an orderly close',
    { heads: null, marked: null, wasOpen: false, saltNow: null, used: 0 },
    0,
  ],
  ['its head is broken', { heads: heads({ salt: null, committed: 0 }), used: 0 }, 10],
  ['its head is broken and there is no mark', { marked: null, heads: heads({ salt: null }), used: 0 }, null],
  ['another process has begun a new one', { saltNow: 'b', used: 2 }, 0],
  ['the mark is of the log before', { marked: { salt: 'z', frames: 99 } }, 0],
  ['more was written after the mark', { marked: { salt: 'a', frames: 4 }, used: 10 }, 0],
])('a log where %s', (_what, changes, lost) => {
  expect(countLostFrames(facts(changes))).toBe(lost);
});
