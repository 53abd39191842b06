import { expect, test } from 'vitest';
import { payerFormSchema } from '../../../../../src/contract/connect-members.ts';
import { toPayerForm } from '../../../../../src/main/engine/connect/payers.ts';
import { payerSchema } from '../../../../../src/main/engine/service/connect/connect-replies.ts';

/** Reads what the service sends of a carrier, as the client does. */
const read = (more: object) =>
  toPayerForm(payerSchema.parse({ id: 15, name: 'Test Carrier', ...more }), 'r-1');
const login = { type: 'object', properties: { username: { type: 'string', required: true } } };

test.each([
  ['wrapped', { form: [], required: [], schema: login, type: 'object' }],
  ['bare', login],
])('a form sent %s reaches the window in the form of the contract', (_name, form) => {
  const crossed = { ...read({ onboard_form: form }), known: {} };
  expect(payerFormSchema.parse(crossed).form).toEqual({
    type: 'object',
    properties: { username: { type: 'string' } },
    required: ['username'],
  });
});

test.each([[{}], [{ schema: {} }], [[]], ['none'], [7], [{ ...login, properties: {} }]])(
  'a form without inputs, %j, is an error with the request ID',
  (form) => {
    const thrown = { code: 'connect.formUnusable', requestId: 'r-1' };
    expect(() => read({ onboard_form: form })).toThrow(expect.objectContaining(thrown));
  },
);

test('such a form next to the carrier’s own page leaves the page; no form at all is not an error', () => {
  const page = { supports_interoperability_apis: true };
  expect(read({ onboard_form: {}, ...page })).toMatchObject({ form: null, hasPatientAccess: true });
  for (const form of [null, undefined])
    expect(read({ onboard_form: form })).toMatchObject({ form: null, hasPatientAccess: false });
});
