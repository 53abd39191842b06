import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../../../../src/rules/edit-distance.ts';
import { chooseSpelling, proposeSpellings } from '../../../../src/rules/review/spellings.ts';

test.each([
  ['carrier', 'carrier', 0],
  ['carrier', 'carier', 1],
  ['carrier', 'carreir', 1],
  ['carrier', 'caerrir', 2],
  ['carrier', 'member', 3],
  ['', 'ab', 2],
])('from %s to %s are %d letters', (one, other, letters) => {
  expect(editDistance(one, other, 2)).toBe(letters);
  expect(editDistance(other, one, 2)).toBe(letters);
});

test('a limit changes no distance below it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', 'A', '1'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (one, other, limit) => {
      const whole = editDistance(one, other, 20);
      expect(editDistance(one, other, limit)).toBe(Math.min(whole, limit + 1));
    }),
  );
});

test('a name in use keeps its spelling, whatever capitals and spaces are typed', () => {
  const used = ['Carrier', 'Summit Ridge', 'ana@example.com'];
  expect(chooseSpelling(' carrier ', used)).toBe('Carrier');
  expect(chooseSpelling('summit  ridge.', used)).toBe('Summit Ridge');
  expect(chooseSpelling('Ana@example.com', used)).toBe('ana@example.com');
  expect(chooseSpelling('  Dr.  Moss ', used)).toBe('Dr. Moss');
  // Punctuation is part of an address, and of a name with a number.
  expect(chooseSpelling('jsmith@example.com', ['j.smith@example.com'])).toBe('jsmith@example.com');
  expect(chooseSpelling('Clinic 12', ['Clinic 1-2'])).toBe('Clinic 12');
  expect(chooseSpelling('Dr Moss', ['Dr. Moss', 'Dr Moss'])).toBe('Dr Moss');
});

test('names that look the same are proposed, for the role or the one that more claims have', () => {
  const used = [
    { name: 'carrier', count: 9 },
    { name: 'Carrier', count: 2 },
    { name: 'Summit Ridge', count: 5 },
    { name: 'Sumit Ridge', count: 6 },
    { name: 'Member', count: 3 },
    { name: 'ana1@example.com', count: 1 },
    { name: 'ana2@example.com', count: 1 },
    { name: 'Dr 1', count: 1 },
    { name: 'Dr 2', count: 1 },
    { name: 'Ana@example.com', count: 3 },
    { name: 'ana@example.com', count: 1 },
    { name: 'HR', count: 1 },
    { name: 'HQ', count: 1 },
  ];
  expect(proposeSpellings(used, new Map())).toEqual([
    { written: 'carrier', shown: 'Carrier' },
    { written: 'Summit Ridge', shown: 'Sumit Ridge' },
  ]);
  expect(proposeSpellings(used, new Map([['carrier', 'carrier']]))).toEqual([
    { written: 'Summit Ridge', shown: 'Sumit Ridge' },
  ]);
});
