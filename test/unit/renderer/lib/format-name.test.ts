import { expect, it } from 'vitest';
import { formatPersonName, fullNameOf } from '../../../../src/renderer/lib/format-name.ts';

it.each([
  ['EDWARDS, MARGARET', 'Margaret Edwards'],
  ['Edwards, Margaret A', 'Margaret A Edwards'],
  ['margaret edwards', 'Margaret Edwards'],
  ['Margaret Edwards', 'Margaret Edwards'],
  ["O'NEIL-SMITH, JEAN", "Jean O'Neil-Smith"],
  ['MCDONALD, JOSÉ', 'José McDonald'],
  ['van der Berg, Anna', 'Anna van der Berg'],
  ['John Smith, Jr.', 'John Smith, Jr.'],
  ['Smith, John, MD', 'Smith, John, MD'],
  ['  ', ''],
  ['李, 伟', '伟 李'],
])('%s is shown as %s', (sent, shown) => {
  expect(formatPersonName(sent)).toBe(shown);
});

it('a person on file has a name in the same form', () => {
  expect(fullNameOf({ first_name: 'MARGARET', middle_name: null, last_name: 'EDWARDS' })).toBe(
    'Margaret Edwards',
  );
  expect(fullNameOf({ first_name: 'Anna', last_name: 'van der Berg' })).toBe('Anna van der Berg');
  expect(fullNameOf(null, 'Member 7')).toBe('Member 7');
});
