import { describe, expect, test } from 'vitest';
import { findFaults, isAccepted } from '../../../src/carrier-form/check-form.ts';
import type { Json } from '../../../src/carrier-form/json.ts';

const form = (field: object): Json => ({
  type: 'object',
  properties: { id: { type: 'string', ...field } },
});
const messages = (schema: Json, fields: object): (string | undefined)[] =>
  findFaults(schema, fields).map(({ message }) => message);
const otherForm = 'The carrier expects this in another form.';

/** The patterns that take JavaScript's own matcher too long: steps grow as two to the length. */
const catastrophic = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*)*(.*)*(.*)*b$',
];
const long = `${'a'.repeat(900)}!`;

describe('a pattern that a service sends', () => {
  test.each(catastrophic)('%s is run in linear time', (pattern) => {
    expect(messages(form({ pattern }), { id: long })).toEqual([otherForm]);
    expect(messages(form({ pattern }), { id: 'x'.repeat(900) }).length).toBeLessThanOrEqual(1);
  });

  test.each([
    ['^\\d{3}-\\d{2}$', '123-45', '12345'],
    ['^[A-Z]{2}\\d+', 'OH7', 'oh7'],
    ['\\p{L}', 'é', '7'],
    ['^(?<state>OH|IN)$', 'OH', 'OHIO'],
    ['b', 'abc', 'acd'],
  ])('%s accepts %s and not %s', (pattern, right, wrong) => {
    expect(messages(form({ pattern }), { id: right })).toEqual([]);
    expect(messages(form({ pattern }), { id: wrong })).toEqual([otherForm]);
    expect(isAccepted(form({ pattern }), { id: wrong })).toBe(false);
  });

  test.each(['^(?=.*\\d).{8,}$', '(a)\\1', '(', 'a{5000}', `${'(a?)'.repeat(400)}`, '((a{100}){100}){100}'])(
    'one that cannot be run so is dropped, and the field accepted: %s',
    (pattern) => {
      expect(messages(form({ pattern }), { id: 'anything' })).toEqual([]);
      // The rest of the field still counts.
      expect(messages(form({ pattern, minLength: 12 }), { id: 'anything' })).toEqual([
        'At least 12 characters.',
      ]);
    },
  );

  test('a value longer than any login is accepted as it is', () => {
    expect(messages(form({ pattern: '^a+$' }), { id: `${'a'.repeat(100_000)}!` })).toEqual([]);
  });

  test('applies together with the format of its field', () => {
    const both = form({ pattern: '@corp\\.example$', format: 'email' });
    expect(messages(both, { id: 'a@other.example' })).toEqual([otherForm]);
    expect(messages(form({ format: 'email', pattern: '' }), { id: 'nobody' })).toEqual([
      'Enter an email address.',
    ]);
    expect(messages(both, { id: 'a@corp.example' })).toEqual([]);
  });

  test('is found wherever it is: fields named like keywords, conditions, lists, alternatives', () => {
    const evil = { type: 'string', pattern: '^(a+)+$' } as const;
    for (const name of [
      'const',
      'enum',
      'default',
      'pattern',
      'if',
      'oneOf',
      'patternProperties',
      'properties',
    ])
      expect(messages({ type: 'object', properties: { [name]: evil } }, { [name]: long })).toEqual([
        otherForm,
      ]);
    const condition: Json = {
      type: 'object',
      properties: { id: { type: 'string' } },
      if: { properties: { id: evil } },
      else: { required: ['more'] },
    };
    expect(messages(condition, { id: long })).toContain('Fill this in.');
    expect(
      messages({ type: 'object', properties: { ids: { type: 'array', items: evil } } }, { ids: [long] }),
    ).toEqual([otherForm]);
    const either = { type: 'object', properties: { id: { oneOf: [evil, { const: 'b' }] } } } as Json;
    expect(messages(either, { id: 'b' })).toEqual([]);
    expect(messages(either, { id: long })).not.toEqual([]);
  });

  test('that was dropped also removes its condition or alternative', () => {
    const look = '^(?=a)';
    const condition = JSON.parse(
      `{"type":"object","properties":{"id":{"type":"string"}},
        "if":{"properties":{"id":{"pattern":"${look}"}}},"then":{"required":["more"]}}`,
    ) as Json;
    expect(messages(condition, { id: 'a' })).toEqual([]);
    const either = {
      type: 'object',
      properties: { id: { type: 'string', oneOf: [{ pattern: look }, { pattern: '^b' }] } },
    } as Json;
    expect(messages(either, { id: 'b' })).toEqual([]);
  });

  test('nested conditions are read once each', () => {
    let nested: Json = { properties: { id: { pattern: '^a' } } };
    for (let depth = 0; depth < 60; depth += 1) nested = { if: nested };
    expect(messages({ type: 'object', ...nested }, { id: 'b' })).toEqual([]);
  });
});
