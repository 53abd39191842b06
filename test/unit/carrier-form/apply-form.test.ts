import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyForm } from '../../../src/carrier-form/apply-form.ts';
import { findFaults } from '../../../src/carrier-form/check-form.ts';
import { secretPaths } from '../../../src/carrier-form/form-fields.ts';
import { isObject, type Json } from '../../../src/carrier-form/json.ts';
import { readOnboardForm } from '../../../src/carrier-form/read-form.ts';
import { oddForms } from '../../support/odd-forms.ts';
import { fuzzRuns } from '../../support/seeds.ts';

const read = (given: unknown, hints: unknown = {}): Json => {
  const form = readOnboardForm(given, hints);
  if (form.kind !== 'form') throw new Error(`not a form but ${form.kind}`);
  return form.schema;
};

/** The names of all fields of a form without conditions. */
function namesIn(form: Json, above = ''): string[] {
  return Object.entries(form.properties as Json).flatMap(([name, property]) =>
    isObject(property) && property.type === 'object'
      ? namesIn(property, `${above}${name}.`)
      : [`${above}${name}`],
  );
}

test.each(oddForms)('$name', ({ form: given, filled, asked, faults, secrets = [] }) => {
  const { form, values } = applyForm(read(given), filled);
  expect(namesIn(form)).toEqual(asked);
  expect(findFaults(form, values).map(({ path }) => path.join('.'))).toEqual(faults);
  expect(secretPaths(form).map((path) => path.join('.'))).toEqual(secrets);
});

describe('what is sent', () => {
  const kinds = oddForms.find(({ name }) => name.startsWith('a value left'))?.form as Json;

  test('is what is asked for, and nothing else that was filled in before', () => {
    const filled = { kind: 'password', password: 's', pin: '1', pin_again: '1' };
    expect(applyForm(read(kinds), filled).values).toEqual({ kind: 'password', password: 's' });
  });

  test('contains the form’s own values if nothing was filled in, and what these bring', () => {
    const form = read({
      properties: {
        kind: { type: 'string', default: 'b' },
        account: { properties: { site: { const: 'web' } } },
      },
      required: ['account'],
      dependencies: { kind: { properties: { level: { type: 'integer', default: 3 } } } },
    });
    expect(applyForm(form, {}).values).toEqual({ kind: 'b', account: { site: 'web' }, level: 3 });
    // The user clears the field.
    expect(applyForm(form, { kind: undefined }).values).toEqual({
      kind: undefined,
      account: { site: 'web' },
    });
  });

  test('never contains a consent that no one gave', () => {
    const consent = { type: 'boolean', const: true, default: true, readOnly: true };
    const form = read(
      { properties: { a: consent, b: { ...consent, enum: [true] } } },
      { a: { 'ui:widget': 'hidden' }, b: { 'ui:widget': 'hidden' } },
    );
    expect(form.properties).toEqual({
      a: { type: 'boolean', const: true },
      b: { type: 'boolean', const: true },
    });
    expect(applyForm(form, {}).values).toEqual({});
  });
});

test('a choice keeps its labels, and a branch that narrows it has none of the others', () => {
  const form = read({
    properties: {
      plan: { enum: ['g', { no: 1 }, 's', null], enumNames: ['Gold', 'Odd', 'Silver'] },
      tier: { enum: [1, 2, null], type: ['integer', 'null'] },
      strict: { type: 'string', enum: ['a', null] },
    },
    dependencies: { tier: { properties: { plan: { enum: ['s'] } } } },
  });
  // One value that is none takes the list of choices away: what else may be entered is not known.
  expect(form.properties).toMatchObject({
    plan: { type: 'string' },
    tier: { type: ['integer', 'null'], enum: [1, 2, null], enumNames: ['1', '2', 'None'] },
    strict: { type: 'string', enum: ['a'] },
  });
  const drawn = applyForm(form, { tier: 1 }).form.properties as Record<string, Json>;
  expect(drawn.plan).toMatchObject({ enum: ['s'] });
  expect(drawn.plan).not.toHaveProperty('enumNames');
});

test('thousands of fields take no measurable time: this runs at every keystroke', () => {
  const names = Array.from({ length: 2_900 }, (_, index) => `field_${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const form = read({ properties, required: names });
  const filled = Object.fromEntries(names.map((name) => [name, 'x']));
  const startedMs = performance.now();
  expect(findFaults(applyForm(form, filled).form, filled)).toEqual([]);
  expect(findFaults(applyForm(form, {}).form, {})).toHaveLength(2_900);
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});

test('whatever is filled in, it ends, and only what is drawn is required and sent', () => {
  const anyValue = fc.oneof(fc.constantFrom('pin', 'password', 'x', true, false, null), fc.integer());
  const names = ['kind', 'pin', 'password', 'a', 'b', 'c', 'card', 'username', 'method', 'account', 'extra'];
  const anyFilled = fc.dictionary(fc.constantFrom(...names), fc.oneof(anyValue, fc.object()));
  fc.assert(
    fc.property(fc.constantFrom(...oddForms), anyFilled, ({ form: given }, filled) => {
      const { form, values } = applyForm(read(given), filled);
      const properties = form.properties as Json;
      for (const name of form.required as string[]) expect(properties).toHaveProperty(name);
      for (const name of Object.keys(values)) expect(properties).toHaveProperty(name);
      expect(applyForm(read(given), values).values).toEqual(values);
    }),
    { numRuns: fuzzRuns(300) },
  );
});
