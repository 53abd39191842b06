import { registerHooks } from 'node:module';
import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readOnboardForm } from '../../../../../src/main/engine/connect/onboard-form.ts';
import { findFaults } from '../../../../../src/renderer/features/connect/carrier-validator.ts';

// The window's bundler resolves these two as Node does not: a helper of the form library's own tests, which is left
// out there, and modules named without their ending.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@rjsf/validator-ajv8')
      return { url: 'data:text/javascript,export default {}', format: 'module', shortCircuit: true };
    return next(/^dayjs\/plugin\/\w+$/.test(specifier) ? `${specifier}.js` : specifier, context);
  },
});
const { CarrierForm } = await import('../../../../../src/renderer/features/connect/carrier-form.tsx');

type Json = Record<string, unknown>;
const text = { type: 'string' };

/** The form as the window draws it, from what the service sends. */
function draw(given: unknown, hints: Json = {}, username: string | null = null) {
  const form = readOnboardForm(given, hints);
  if (form.kind !== 'form') throw new Error(form.kind);
  const html = renderToStaticMarkup(
    <MantineProvider>
      <CarrierForm
        form={form.schema}
        uiSchema={hints}
        username={username}
        action="Submit"
        isPending={false}
        details={undefined}
        onSubmit={() => undefined}
      />
    </MantineProvider>,
  );
  const inputs = html.match(/<(input|select|textarea)\b[^>]*>/g) ?? [];
  const names = inputs.flatMap((input) => /\bname="([^"]+)"/.exec(input)?.[1] ?? []);
  const secrets = inputs.flatMap((input) =>
    input.includes('type="password"') ? (/\bname="([^"]+)"/.exec(input)?.[1] ?? []) : [],
  );
  /** What an empty submit says, at which fields. */
  const faults = findFaults(form.schema, {}).map(({ property }) => property);
  return { html, names, secrets, faults };
}

it('a wrapped form draws its fields, and an empty submit asks for these alone', () => {
  const { names, faults } = draw({
    form: ['username', 'password', 'token'],
    required: ['username', 'token'],
    schema: { type: 'object', properties: { username: text, password: { ...text, required: true } } },
    type: 'object',
  });
  expect(names).toEqual(['carrier_username', 'carrier_password']);
  expect(faults).toEqual(['.username', '.password']);
});

it('masks every secret, in nested objects, as a number, in an allOf, where null is allowed', () => {
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

it('begins with the username that the connection has, in a field of that name alone', () => {
  const form = { type: 'object', properties: { username: text, password: text } };
  expect(draw(form, {}, 'dana.reyes').html).toContain('value="dana.reyes"');
  const other = { type: 'object', properties: { login: text, password: text } };
  expect(draw(other, {}, 'dana.reyes').html).not.toContain('dana.reyes');
});
