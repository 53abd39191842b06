import { expect, it } from 'vitest';
import { formatPersonName } from '../../../src/rules/person-names.ts';

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

it('a mark that reverses the direction of a name is shown as its code', () => {
  expect(formatPersonName('Ann \u202eeoJ')).toBe('Ann [U+202E]eoJ');
  expect(formatPersonName('\u2067SMITH\u2069, ANN')).toContain('[U+2067]');
});
