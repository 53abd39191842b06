import { describe, expect, test } from 'vitest';
import { findFaults } from '../../../src/carrier-form/check-form.ts';
import { linearFormats } from '../../../src/carrier-form/linear-patterns.ts';

const faults = (format: string, value: string) =>
  findFaults({ type: 'object', properties: { a: { type: 'string', format } } }, { a: value });

test.each([
  [
    'date',
    ['1985-04-12', '2024-02-29'],
    ['1985-4-12', '2023-02-29', '1985-13-01', '1985-04-12T00:00:00Z', ''],
  ],
  ['time', ['12:30:00Z', '23:59:60+02:00'], ['12:30', '24:00:00Z']],
  ['date-time', ['1985-04-12T12:30:00Z'], ['1985-04-12', '1985-04-31T12:30:00Z']],
  [
    'email',
    ['dana@x.example', 'd.r+1@mail.x.example'],
    ['dana', '@x.example', 'a@', 'a..b@x.example', 'a b@x.example'],
  ],
  [
    'url',
    ['https://x.example', 'http://x.example:8080/a?b#c'],
    ['x.example', 'https://', 'https://x y.example', 'javascript:alert(1)'],
  ],
  ['uri', ['https://x.example/a', 'urn:a:b'], ['x.example', 'https://x y']],
  ['hostname', ['x.example', 'localhost'], ['-x.example', 'x..example', `${'a'.repeat(64)}.example`]],
  ['ipv4', ['10.0.0.1'], ['10.0.0.256', '10.0.1']],
  ['uuid', ['6f1c1a04-1f1c-4b8a-9d53-5f6f4b8b9e11'], ['6f1c1a04']],
])('%s', (format, right, wrong) => {
  for (const value of right) expect(faults(format, value), value).toEqual([]);
  for (const value of wrong)
    expect(faults(format, value), value).toMatchObject([{ path: ['a'], keyword: 'format' }]);
});

test('an unknown format is left to the carrier', () => {
  for (const format of ['duration', 'uri-template', 'card-number', '__proto__', 'constructor'])
    expect(faults(format, '…')).toEqual([]);
});

describe('takes no time worth measuring, whatever is typed', () => {
  // Thirty characters of the first took the validator's own check of a URL 2.6 s, and each more doubled it.
  const long = ['a', 'a-', '1.', 'a.', '/', '%', '@', ':'].flatMap((part) =>
    [30, 2_000, 200_000].map((length) => `${part.repeat(length)}!`),
  );
  const values = long.flatMap((value) => [value, `http://${value}`, `a@${value}`, `1985-04-12T${value}`]);
  test.each(Object.keys(linearFormats).concat('uri-reference', 'uri-template', 'json-pointer', 'ipv6'))(
    '%s',
    (format) => {
      const startedMs = performance.now();
      for (const value of values) faults(format, value);
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    },
  );
});
