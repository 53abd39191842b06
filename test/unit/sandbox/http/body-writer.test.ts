import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeBody, writeListBody } from '../../../../src/sandbox/http/body-writer.ts';

it('writes what JSON.stringify would, in UTF-8', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.dictionary(
        fc.string().filter((key) => key !== 'data'),
        fc.jsonValue(),
      ),
      (data, rest) => {
        const bytes = writeListBody(data, rest);
        const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ data, ...rest })));
      },
    ),
  );
});

it('grows for a body larger than its buffer, and a later small one is not polluted', () => {
  const big = 'é'.repeat(3_000_000);
  expect(JSON.parse(writeListBody([big], {}).toString())).toEqual({ data: [big] });
  expect(writeListBody([1], { total: 1 }).toString()).toBe('{"data":[1],"total":1}');
  expect(writeListBody([], {}).toString()).toBe('{"data":[]}');
  expect(writeBody({ data: null }).toString()).toBe('{"data":null}');
});

it('returns bytes that a later call does not overwrite', () => {
  const first = writeListBody(['first'], {});
  writeListBody(['other'], {});
  expect(first.toString()).toBe('{"data":["first"]}');
});
