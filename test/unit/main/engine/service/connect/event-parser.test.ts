import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createEventParser,
  type StreamEvent,
} from '../../../../../../src/main/engine/service/connect/event-parser.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const readAll = (text: string, cuts: readonly number[] = []): StreamEvent[] => {
  const parse = createEventParser();
  const bytes = bytesOf(text);
  const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  return ends.flatMap((end, index) => parse(bytes.subarray(ends[index - 1] ?? 0, end)));
};

test('reads names and data in several lines, and skips comments, IDs and unknown fields', () => {
  const text =
    ': hello\r\nretry: 1\r\nid: 7\r\n\r\nevent: state\r\ndata: {"a":\r\ndata: 1}\r\nodd: x\r\n\r\ndata:x\r\r';
  expect(readAll(text)).toEqual([
    { name: 'state', data: '{"a":\n1}' },
    { name: 'message', data: 'x' },
  ]);
});

test('an event without a blank line after it has not arrived', () => {
  expect(readAll('event: state\ndata: 1\n')).toEqual([]);
});

test('a name without data is not an event, and does not apply to the next one', () => {
  expect(readAll('event: ping\n\ndata: 1\n\n')).toEqual([{ name: 'message', data: '1' }]);
});

test('an event without an end does not fill memory', () => {
  const parse = createEventParser();
  expect(() => {
    for (let index = 0; index < 400; index += 1) parse(bytesOf('data: '.padEnd(1024, 'x')));
  }).toThrow();
});

test('however the bytes are split, the events are the same', () => {
  const line = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, ''));
  const event = fc.record({ name: line, data: fc.array(line, { minLength: 1, maxLength: 3 }) });
  const end = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), end, fc.array(fc.nat(400)), (events, eol, cuts) => {
      const text = events
        .map(({ name, data }) => [`event: ${name}`, ...data.map((one) => `data: ${one}`), '', ''].join(eol))
        .join('');
      const expected = events.map(({ name, data }) => ({
        name: name === '' ? 'message' : name,
        data: data.join('\n'),
      }));
      expect(readAll(text, cuts)).toEqual(expected);
      expect(readAll(text)).toEqual(expected);
    }),
    { numRuns: fuzzRuns(150) },
  );
});
