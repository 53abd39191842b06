import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { applyForm } from '../../../../../src/carrier-form/apply-form.ts';
import { findFaults } from '../../../../../src/carrier-form/check-form.ts';
import { readOnboardForm } from '../../../../../src/carrier-form/read-form.ts';
import { CarrierForm } from '../../../../../src/renderer/features/connect/carrier-form.tsx';
import { CarrierInput } from '../../../../../src/renderer/features/connect/carrier-widgets.tsx';
import { oddForms } from '../../../../support/odd-forms.ts';

type Json = Record<string, unknown>;
const text = { type: 'string' };

/** The form as the window draws it, from what the service sends. */
function draw(given: unknown, hints: Json = {}, known: Record<string, string> = {}, details?: Json) {
  const form = readOnboardForm(given, hints);
  if (form.kind !== 'form') throw new Error(form.kind);
  const html = renderToStaticMarkup(
    <MantineProvider>
      <CarrierForm
        form={form.schema}
        uiSchema={hints}
        known={known}
        action="Submit"
        isPending={false}
        details={details}
        onSubmit={() => undefined}
      />
    </MantineProvider>,
  );
  const inputs = html.match(/<(input|select|textarea)\b[^>]*>/g) ?? [];
  const names = inputs.flatMap((input) => /\bname="([^"]+)"/.exec(input)?.[1] ?? []);
  const secrets = inputs.flatMap((input) =>
    input.includes('type="password"') ? (/\bname="([^"]+)"/.exec(input)?.[1] ?? []) : [],
  );
  /** The fields at which an empty submit finds faults. */
  const faults = findFaults(form.schema, {}).map(({ path }) => path.join('.'));
  return { html, names, secrets, faults };
}

it('a wrapped form draws its fields, and an empty submit asks only for these', () => {
  const { names, faults } = draw({
    form: ['username', 'password', 'token'],
    required: ['username', 'token'],
    schema: { type: 'object', properties: { username: text, password: { ...text, required: true } } },
    type: 'object',
  });
  expect(names).toEqual(['carrier_username', 'carrier_password']);
  expect(faults).toEqual(['username', 'password']);
});

it('masks every secret: in nested objects, as a number, in an allOf, where null is allowed', () => {
  const { names, secrets } = draw(
    {
      properties: {
        account: {
          type: 'object',
          properties: { login: { type: 'object', properties: { password: text } } },
        },
        card_pin: { type: 'integer' },
        passcode: { type: ['string', 'null'] },
        plain: text,
      },
      allOf: [{ properties: { secret_answer: text } }],
    },
    { account: { login: { password: { 'ui:widget': 'textarea' } } }, card_pin: { 'ui:widget': 'updown' } },
  );
  expect(names).toHaveLength(5);
  expect(secrets).toHaveLength(4);
  expect(names.filter((name) => !secrets.includes(name))).toEqual(['carrier_plain']);
});

it('draws 200 fields', () => {
  const properties = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field_${n}`, text]));
  expect(draw({ schema: { properties } }).names).toHaveLength(200);
});

it.each([
  ['a widget of another type', { a: { type: 'boolean' } }, { a: { 'ui:widget': 'email' } }],
  ['a choice without anything to choose', { a: text }, { a: { 'ui:widget': 'select' } }],
  ['a field of its own', { a: text }, { a: { 'ui:field': 'Evil' } }],
  ['a title that is an object', { a: { ...text, title: { x: 1 } } }, {}],
])('%s breaks nothing', (_name, properties, hints) => {
  expect(draw({ properties }, hints).names).toHaveLength(1);
});

/** The form with these values as its own, wherever it declares the field, so that it is drawn as if filled in. */
function beginningWith<T>(filled: Json, part: T): T {
  if (Array.isArray(part)) return part.map((one) => beginningWith(filled, one)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]) => {
    if (key !== 'properties') return [key, key === 'if' ? value : beginningWith(filled, value)];
    const properties = Object.entries(value as Record<string, Json>).map(([name, property]) => {
      const own = filled[name];
      if (own === undefined || typeof property !== 'object') return [name, property];
      return [
        name,
        typeof own === 'object' ? beginningWith(own as Json, property) : { ...property, default: own },
      ];
    });
    return [key, Object.fromEntries(properties)];
  });
  return Object.fromEntries(entries) as T;
}

it.each(oddForms)('draws what is asked for, with its secrets masked: $name', (odd) => {
  const { names, secrets } = draw(beginningWith(odd.filled, odd.form));
  const toName = (path: string): string => `carrier_${path.replaceAll('.', '_')}`;
  expect([...new Set(names)]).toEqual(odd.asked.filter((name) => name !== 'accept').map(toName));
  expect(secrets).toEqual((odd.secrets ?? []).map(toName));
});

it('checks no consent, whatever the form says, and shows it whatever the hints say', () => {
  const consent = { type: 'boolean', const: true, default: true, title: 'I agree' };
  const form = { properties: { agree: consent, remember: { type: 'boolean', default: true } } };
  const { html } = draw(form, { agree: { 'ui:widget': 'hidden' } });
  const boxes = html.match(/<input[^>]*type="checkbox"[^>]*>/g) ?? [];
  expect(boxes.map((box) => [/name="([^"]+)"/.exec(box)?.[1], /\bchecked=/.test(box)])).toEqual([
    ['carrier_agree', false],
    ['carrier_remember', true],
  ]);
});

it('labels the values of a choice as the form or its hints do', () => {
  const plan = { enum: ['g', 's', null], enumNames: ['Gold', 'Silver', 'No plan'], default: 's' };
  expect(draw({ properties: { plan } }).html).toContain('value="Silver"');
  const hints = { plan: { 'ui:enumNames': ['Au', 'Ag', '–'], 'ui:widget': 'radio' } };
  for (const label of ['Au', 'Ag', '–']) expect(draw({ properties: { plan } }, hints).html).toContain(label);
});

it.each([
  [null, 'No plan'],
  ['g', 'Gold'],
  [undefined, ''],
])('shows that %s was chosen, null among others', (value, shown) => {
  const property = { type: ['string', 'null'], enum: ['g', null] };
  const html = renderToStaticMarkup(
    <MantineProvider>
      <CarrierInput
        id="plan"
        label="Plan"
        description=""
        property={property}
        ui={{ 'ui:enumNames': { g: 'Gold', null: 'No plan' } }}
        value={value}
        isRequired={false}
        isDisabled={false}
        error={undefined}
        onChange={() => undefined}
      />
    </MantineProvider>,
  );
  expect(/<input[^>]*role="combobox"[^>]*>/.exec(html)?.[0]).toContain(`value="${shown}"`);
});

it('begins with the username of the connection, only in a field with that name', () => {
  const form = { type: 'object', properties: { username: text, password: text } };
  expect(draw(form, {}, { username: 'dana.reyes' }).html).toContain('value="dana.reyes"');
  const other = { type: 'object', properties: { login: text, password: text } };
  expect(draw(other, {}, { username: 'dana.reyes' }).html).not.toContain('dana.reyes');
});

it('known values are filled in if the form has their field', () => {
  const form = { properties: { username: text, date_of_birth: { ...text, format: 'date' } } };
  const { html } = draw(form, {}, { username: 'dana', date_of_birth: '1985-04-12', other: 'x' });
  expect(html).toContain('value="dana"');
  expect(html).toContain('value="1985-04-12"');
  expect(html).not.toContain('value="x"');
});

it('the form’s own accept is neither drawn nor asked for: it was accepted with the terms, and is sent as true', () => {
  const form = readOnboardForm(
    { properties: { username: text, accept: { type: 'boolean', title: 'I agree' } }, required: ['accept'] },
    {},
  );
  if (form.kind !== 'form') throw new Error(form.kind);
  expect(applyForm(form.schema, { username: 'dana' }).values).toEqual({ username: 'dana', accept: true });
  const { html, faults } = draw({
    properties: { username: text, accept: { type: 'boolean', title: 'I agree' } },
    required: ['username', 'accept'],
  });
  expect(html).not.toContain('I agree');
  expect(html).not.toContain('type="checkbox"');
  expect(faults).not.toContain('accept');
});

it('shows what the service says about a single field at this field', () => {
  const properties = { username: text, password: text };
  const { html } = draw({ properties }, {}, {}, { status: 422, 'field.username': 'must be an email' });
  expect(html.match(/must be an email/g)).toHaveLength(1);
  expect(html).toMatch(/aria-describedby="[^"]*carrier_username-error/);
});
