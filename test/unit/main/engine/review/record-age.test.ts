import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findOlder, type RecordAge } from '../../../../../src/main/engine/review/record-age.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

const age = (modified: string | null, readAt: string | null, isMissing = false): RecordAge => ({
  modified,
  readAt,
  isMissing,
  isOwn: false,
});
const own = (of: RecordAge): RecordAge => ({ ...of, isOwn: true });
const [early, late] = ['2026-11-02T10:00:00.000Z', '2026-11-20T10:00:00.000Z'];

test.each([
  ['the last change decides', age(early, late), age(late, early), { here: early, kept: late }],
  ['and says when it is here that is newer', age(late, early), age(early, late), null],
  [
    'what this computer read later is newer, whatever the record says',
    age(early, late),
    own(age(late, early)),
    null,
  ],
  [
    'what it read earlier, as from a restored file, is older',
    age(late, early),
    own(age(early, late)),
    { here: early, kept: late },
  ],
  ['equal changes leave it to the reads', age(late, early), age(late, late), { here: early, kept: late }],
  [
    'one instant in two spellings is equal',
    age('2026-11-20T10:00:00Z', late),
    age('2026-11-20 05:00:00.000-05:00', late),
    null,
  ],
  [
    'a millionth of a second is a difference',
    age('2026-11-20T10:00:00.000001Z', late),
    age('2026-11-20T10:00:00.000002Z', early),
    { here: '2026-11-20T10:00:00.000001Z', kept: '2026-11-20T10:00:00.000002Z' },
  ],
  ['without a change the reads decide', age(null, early), age(late, late), { here: early, kept: late }],
  ['what is no time is no change', age('lately', early), age(late, late), { here: early, kept: late }],
  ['nothing is known of the record here', age(null, null), age(null, late), { here: null, kept: late }],
  ['nothing is known of the one that was reviewed', age(null, early), age(null, null), null],
  ['equal reads', age(null, late), age(null, late), null],
  ['that it is missing was found later', age(early, late, true), age(late, early), null],
  [
    'that it was missing was found later',
    age(late, early),
    age(early, late, true),
    { here: early, kept: late },
  ],
])('%s', (_name, here, kept, expected) => {
  expect(findOlder(here, kept)).toEqual(expected);
});

test('at most one of two records is older', () => {
  const time = fc.option(fc.constantFrom(early, late, '2026-11-20T10:00:00.5Z', 'lately', ''), { nil: null });
  const read = fc.option(fc.constantFrom(early, late), { nil: null });
  const record = fc.record({
    modified: time,
    readAt: read,
    isMissing: fc.boolean(),
    isOwn: fc.constant(false),
  });
  fc.assert(
    fc.property(record, record, (one, other) => {
      expect(findOlder(one, other) === null || findOlder(other, one) === null).toBe(true);
      expect(findOlder(one, one)).toBeNull();
    }),
    { numRuns: fuzzRuns(300) },
  );
});
