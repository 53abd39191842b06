import { expect, test } from 'vitest';
import {
  digestEntries,
  type PassEntry,
  packEntries,
} from '../../../../../../src/main/engine/store/sync/seen-entries.ts';

const entry = (key: number, version = 0, isRecord = true): PassEntry => ({
  isRecord,
  key,
  digest: new Uint8Array(16).fill(key + version),
});
const digest = (...pages: PassEntry[][]) => digestEntries(() => pages.map(packEntries));

test('the same set has the same digest in any order and on any pages', () => {
  const inOrder = digest([entry(1), entry(2)], [entry(3), entry(4), entry(1, 0, false)]);
  expect(inOrder.count).toBe(5);
  expect(digest([entry(4), entry(1, 0, false), entry(2)], [entry(1), entry(3)])).toEqual(inOrder);
  expect(digest([entry(1)], [], [entry(2), entry(3), entry(4), entry(1, 0, false)])).toEqual(inOrder);
});

test('a record received twice counts once, as last received', () => {
  const newer = digest([entry(1), entry(2, 7), entry(3)]);
  expect(digest([entry(1), entry(2), entry(3)], [entry(2, 7)])).toEqual(newer);
  expect(digest([entry(1), entry(2)], [entry(2, 7), entry(3)])).toEqual(newer);
  expect(digest([entry(1), entry(2, 7)], [entry(2), entry(3)])).not.toEqual(newer);
});

test('another record, another version and another kind change the digest', () => {
  const one = digest([entry(1), entry(2)]);
  expect(digest([entry(1), entry(3)])).not.toEqual(one);
  expect(digest([entry(1), entry(2, 1)])).not.toEqual(one);
  expect(digest([entry(1), entry(2, 0, false)])).not.toEqual(one);
});
