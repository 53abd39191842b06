import { expect, it } from 'vitest';
import { findFaults } from '../../../../../src/carrier-form/check-form.ts';
import { readOnboardForm } from '../../../../../src/carrier-form/read-form.ts';
import { resolveForm, withoutChoices } from '../../../../../src/renderer/features/connect/carrier-choices.ts';

const text = { type: 'string' };

function read(given: unknown) {
  const form = readOnboardForm(given, {});
  if (form.kind !== 'form') throw new Error(form.kind);
  return form.schema;
}

const form = read({
  properties: { username: text },
  required: ['username'],
  oneOf: [
    { title: 'By card', properties: { by: { const: 'card' }, card: text }, required: ['by', 'card'] },
    {
      title: 'By phone',
      properties: { by: { const: 'phone' }, phone: text, kind: { ...text, enum: ['home', 'work'] } },
      required: ['by', 'phone'],
      dependencies: { kind: { properties: { extension: text }, required: ['extension'] } },
    },
  ],
});

const namesOf = (schema: object): string[] => Object.keys((schema as { properties: object }).properties);

it('draws a choice between alternatives as a field, and the fields of the chosen one', () => {
  const first = resolveForm(form, {});
  expect(namesOf(first.form)).toEqual(['username', '$choice0', 'by', 'card']);
  expect(first.form.properties).toMatchObject({ $choice0: { enumNames: ['By card', 'By phone'] } });
  const second = resolveForm(form, { $choice0: '1', username: 'dana', card: '7', kind: 'home' });
  expect(namesOf(second.form)).toEqual(['username', '$choice0', 'by', 'phone', 'kind', 'extension']);
  expect(findFaults(second.form, second.values).map(({ path }) => path.join('.'))).toEqual([
    'phone',
    'extension',
  ]);
});

it('sends the fixed values of the chosen alternative, and neither the choice nor fields of others', () => {
  const { values } = resolveForm(form, { $choice0: '1', username: 'dana', card: '7', phone: '555' });
  expect(withoutChoices(values)).toEqual({ username: 'dana', by: 'phone', phone: '555' });
});

it('distinguishes two choices of one object, and a choice within an alternative', () => {
  const pair = (a: string, b: string) => [{ properties: { [a]: text } }, { properties: { [b]: text } }];
  const both = read({
    properties: { account: { type: 'object', properties: { id: text }, oneOf: pair('c', 'd') } },
    oneOf: pair('a', 'b'),
    anyOf: [{ properties: { e: text }, oneOf: pair('g', 'h') }, { properties: { f: text } }],
  });
  const drawn = resolveForm(both, { $choice0: '1', account: { $choice0: '1', d: 'x' } });
  expect(namesOf(drawn.form).filter((name) => !name.startsWith('$'))).toEqual(['account', 'b', 'e', 'g']);
  expect(withoutChoices(drawn.values)).toEqual({ account: { d: 'x' } });
});

it('keeps what was entered in lists, and drops blank fields', () => {
  expect(withoutChoices({ a: undefined, list: [{ $choice0: '0', b: 1, c: undefined }] })).toEqual({
    list: [{ b: 1 }],
  });
});
