import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  arePackedValuesWhole,
  packValues,
  unpackValues,
} from '../../../../../../src/main/engine/store/file/packed-values.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const anyText = fc.oneof(
  fc.json().map((text) => text.normalize()),
  fc.string({ unit: 'grapheme', maxLength: 20_000 }),
);

test('any text is unpacked unchanged', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const packed = packValues(text);
      expect(arePackedValuesWhole(packed)).toBe(true);
      expect(unpackValues(packed)).toBe(text.toWellFormed());
    }),
    { numRuns: fuzzRuns(200) },
  );
});

test('text longer than deflate looks back is unpacked as well', () => {
  const text = JSON.stringify(
    Array.from({ length: 9_000 }, (_none, line) => ({ line, amount: line * 1.37 })),
  );
  expect(unpackValues(packValues(text))).toBe(text);
});

test('any changed, cut or added byte is detected', () => {
  const packed = packValues('{"fields":{"status":"Processed","amount_billed":80.25},"members":[]}');
  const damaged = [packed.subarray(0, 4), packed.subarray(0, -1), Buffer.concat([packed, Buffer.alloc(1)])];
  for (let at = 0; at < packed.length; at += 1) {
    const changed = Buffer.from(packed);
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
    damaged.push(changed);
  }
  for (const one of [...damaged, Buffer.alloc(0)]) {
    expect(arePackedValuesWhole(one)).toBe(false);
    expect(() => unpackValues(one)).toThrow(expect.objectContaining({ code: 'store.damaged' }));
  }
});

test('values that were packed with dictionary 1 can always be read', () => {
  const packed = Buffer.from('AeQUgFYjWKajVhMoqTMWkYZiawE=', 'base64');
  expect(unpackValues(packed)).toBe(
    '{"fields":{"status":"Processed","network":"OUT"},"members":[],"lines":[]}',
  );
});
