import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findSsnForms,
  maskKnownSsns,
  maskSsns,
} from '../../../../../../src/main/engine/store/record/known-ssns.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const known = new Set(['123456789', '012345678']);
const mask = <T>(value: T): T => maskSsns(value, known);

test.each([
  ['123456789', '***-**-6789'],
  ['123-45-6789', '***-**-6789'],
  ['see 123 45 6789.', 'see ***-**-6789.'],
  ['123\u201145\u20116789', '***-**-6789'],
  ['123 - 45 - 6789', '***-**-6789'],
  // A minus, a soft hyphen, a blank without width, and what people put between numbers.
  ...[
    '\u2212',
    '\u00ad',
    '\u200b',
    '\uff0d',
    '\u00b7',
    '|',
    '#',
    ';',
    '*',
    '~',
    '+',
    ')',
    ',',
    ':',
    '"',
    '[',
  ].map((sign): [string, string] => [`123${sign}45${sign}6789`, '***-**-6789']),
  ['123, 45, 6789', '***-**-6789'],
  ['\uff11\uff12\uff13-\uff14\uff15-\uff16\uff17\uff18\uff19 or 123-45-6789', '***-**-6789 or ***-**-6789'],
  ['W123456789-01', 'W***-**-6789-01'],
  ['123-45-6789/987-65-4321', '***-**-6789/987-65-4321'],
])('%s becomes %s', (text, masked) => {
  expect(mask(text)).toBe(masked);
});

test.each([
  ...['1,234,567.89', '12,345,678.90', '$123,456,789.00', '2026-11-20 12:45:06', '123:45:67', '11/20/2026'],
  ...['CLM-2026-0012345', '123-456789', '0012345678', '[123,45,6789]', '{"a":[123,45,6789]}'],
])('%s does not have the form of an SSN', (text) => {
  expect(findSsnForms(text)).toEqual([]);
});

test('digits of another width are kept if they are not an SSN', () => {
  expect(mask('\uff19\uff18\uff17-65-4321')).toBe('\uff19\uff18\uff17-65-4321');
});

test.each(['987654321', '0123456789', '1123-45-6789', '12345-6789', '123456', 'no digits at all'])(
  '%s is unchanged',
  (text) => {
    expect(mask(text)).toBe(text);
  },
);

test('a number is masked only in place of a text, with its zeros; an ID is kept, and so is what users wrote', () => {
  const sent = {
    id: 123456789,
    patient_account_number: 123456789,
    'policy_holder.last_name': 12345678,
    inner: [{ remarks: ['123456789'] }],
    notes: [{ text: '123-45-6789' }],
    amount_billed: 123456789,
  };
  expect(findSsnForms(sent)).toEqual(['123456789', '012345678']);
  expect(mask(sent)).toEqual({
    ...sent,
    patient_account_number: '***-**-6789',
    'policy_holder.last_name': '***-**-5678',
    inner: [{ remarks: ['***-**-6789'] }],
  });
});

test('nothing is looked up for a value without the form of an SSN, and it is not copied', async () => {
  const rows = [{ id: 1, date: '2026-11-20T12:00:00.000Z', zip: '44114-1234', phone: '(216) 555-0100' }];
  const masked = await maskKnownSsns(rows, () => Promise.reject(new Error('looked up')));
  expect(masked).toBe(rows);
});

test.each([
  ['123\n45\t6789', '***-**-6789'],
  ['\u0001123456789', '\u0001***-**-6789'],
  [
    { remarks: ['123,45,6789'], rows: [123, 45, 6789] },
    { remarks: ['***-**-6789'], rows: [123, 45, 6789] },
  ],
  [{ remarks: ['\u0001123456789'] }, { remarks: ['\u0001***-**-6789'] }],
])('the escapes of JSON hide no SSN: %j', (value, masked) => {
  expect(mask({ before: JSON.stringify(value) })).toEqual({ before: JSON.stringify(masked) });
});

test.each(['', 'a', 'ab', 'abc'])('an SSN after %j is found in each spelling of its digits', (before) => {
  const wide = [...'123456789'].map((digit) => String.fromCharCode(0xff10 + Number(digit)));
  const escaped = wide.map((digit) => `\\u${digit.charCodeAt(0).toString(16)}`);
  const mathematical = [...'123456789'].map((digit) => String.fromCodePoint(0x1d7ce + Number(digit)));
  for (const spelled of ['123456789', '123-45-6789', wide.join(''), mathematical.join('')])
    expect(mask(`${before}${spelled}`)).toMatch(/\*\*\*-\*\*-6789$/);
  for (const json of [`"${before}${escaped.join('')}"`, ` ["${before}${escaped.join('')}"]`])
    expect(mask(json)).toContain(`"${before}***-**-6789"`);
});

test('a text with a backslash that is not JSON is masked too', () => {
  expect(mask('C:\\scans\\123-45-6789.pdf')).toBe('C:\\scans\\***-**-6789.pdf');
});

test('a text has the forms that one plain regular expression finds in it', () => {
  const plain = /(?<!\d)\d{3}(?:\d{6}|[^\dA-Za-z]{1,3}\d{2}[^\dA-Za-z]{1,3}\d{4})(?!\d)/g;
  const sign = fc.constantFrom(...'--- ./_,:x"|#\n\t\u00a0\u2010\u2015\u2016\u0661\u{1f600}');
  const digits = fc.integer({ min: 1, max: 11 }).map((length) => '12345678901'.slice(0, length));
  const usual = fc.constantFrom('123', '12', '1234', '123456789', '-', ' ');
  const part = fc.oneof(sign, digits, usual);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 16 }), (parts) => {
      // Not the beginning of JSON.
      const text = `x${parts.join('')}`;
      const found = [...text.matchAll(plain)].map(([match]) => match.replace(/\D/g, ''));
      expect(findSsnForms([text])).toEqual([...new Set(found)]);
      const masked = text.replace(plain, (match) => `***-**-${match.slice(-4)}`);
      expect(maskSsns({ text }, new Set(found))).toEqual({ text: masked });
    }),
    { numRuns: fuzzRuns(2_000) },
  );
});
