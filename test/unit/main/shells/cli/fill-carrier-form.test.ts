import { describe, expect, test } from 'vitest';
import { readOnboardForm } from '../../../../../src/carrier-form/read-form.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { fillCarrierForm } from '../../../../../src/main/shells/cli/fill-carrier-form.ts';
import { when } from '../../../../support/odd-forms.ts';

const text = { type: 'string' };
const secret = { type: 'string', format: 'password' };
const plain = {
  type: 'object',
  properties: { username: text, password: secret, member_number: text },
  required: ['username', 'password', 'member_number'],
};
const nested = {
  type: 'object',
  properties: {
    account: {
      type: 'object',
      properties: { number: text, passcode: secret },
      required: ['number', 'passcode'],
    },
    remember: { type: 'boolean', default: false },
  },
  required: ['account', 'remember'],
};
const given = { username: 'dana', secret: 's3cret', fields: {} };

test('username, secret and other fields are put where the form has them', () => {
  expect(fillCarrierForm(plain, { ...given, fields: { member_number: 'A1', other: 3 } })).toEqual({
    username: 'dana',
    password: 's3cret',
    member_number: 'A1',
    other: 3,
  });
  const inside = { username: undefined, secret: 's3cret', fields: { 'account.number': '7', 'a.b': 'x' } };
  expect(fillCarrierForm(nested, inside)).toEqual({
    account: { number: '7', passcode: 's3cret' },
    'a.b': 'x',
    // Required, and the form says what it is: left out, the carrier would miss it.
    remember: false,
  });
});

test('a carrier without a form gets username and password, and reports itself what is missing', () => {
  expect(fillCarrierForm(null, given)).toEqual({ username: 'dana', password: 's3cret' });
});

test('what the form requires and is missing is reported', () => {
  expect(() => fillCarrierForm(plain, { ...given, username: undefined })).toThrow(
    '--username, --field member_number=…',
  );
  expect(() => fillCarrierForm(nested, given)).toThrow('--field account.number=…');
});

test.each([
  ['by its name', plain, { password: 'x' }],
  ['by its path', nested, { 'account.passcode': 'x' }],
  ['inside of JSON', nested, { account: { number: '7', passcode: 'x' } }],
])('a secret as an argument is refused, %s', (_name, form, fields) => {
  expect(() => fillCarrierForm(form, { ...given, fields })).toThrow('stdin');
});

test('several secrets are read as JSON from stdin, by their names', () => {
  const form = {
    type: 'object',
    properties: { password: secret, card: { type: 'object', properties: { pin: secret } } },
    required: ['password'],
  };
  expect(fillCarrierForm(form, { ...given, secret: '{"password":"a","card.pin":"b","other":"c"}' })).toEqual({
    username: 'dana',
    password: 'a',
    card: { pin: 'b' },
  });
  for (const stdin of ['s3cret', '[]', '7'])
    expect(() => fillCarrierForm(form, { ...given, secret: stdin })).toThrow('password, card.pin');
  expect(() => fillCarrierForm(form, { ...given, secret: '{}' })).toThrow('password on stdin');
});

const read = (form: unknown): Record<string, unknown> => {
  const found = readOnboardForm(form, {});
  if (found.kind !== 'form') throw new Error(found.kind);
  return found.schema;
};
const codeOf = (fill: () => unknown): unknown => {
  try {
    return fill();
  } catch (thrown) {
    return thrown instanceof DeskError ? { code: thrown.code, details: thrown.details } : thrown;
  }
};

describe('checked as in the window', () => {
  const isPin = { properties: { kind: { const: 'pin' } }, required: ['kind'] };
  const pin = { properties: { pin: { type: 'integer', minimum: 1000 } }, required: ['pin'] };
  const form = read({
    properties: { kind: { enum: ['pin', 'password'] }, member: { type: 'string', pattern: '^\\d+$' } },
    required: ['kind'],
    allOf: [when(isPin, pin, { properties: { password: text } })],
  });
  const fill = (fields: Record<string, never> | Record<string, string>, stdin: string | null = '4711') =>
    fillCarrierForm(form as never, { username: undefined, secret: stdin, fields });

  test('the one secret that a condition asks for is the one on stdin', () => {
    expect(fill({ kind: 'pin' })).toEqual({ kind: 'pin', pin: 4711 });
    expect(fill({ kind: 'password' })).toEqual({ kind: 'password', password: '4711' });
  });

  test('a secret in a branch or in a list is refused as an argument', () => {
    expect(() => fill({ kind: 'pin', pin: '4711' })).toThrow('stdin');
    const list = read({
      properties: { pins: { type: 'array', items: { type: 'string', format: 'password' } } },
    });
    const fields = { pins: ['1'] };
    expect(() => fillCarrierForm(list as never, { username: undefined, secret: null, fields })).toThrow(
      'stdin',
    );
  });

  test('a wrong value is reported with its field and never shown; so is a wrong secret', () => {
    expect(codeOf(() => fill({ kind: 'pin', member: 'A-7' }, '12'))).toEqual({
      code: 'connect.invalid',
      details: {
        'field.member': 'The carrier expects this in another form.',
        'field.pin': 'At least 1000.',
      },
    });
    expect(codeOf(() => fill({ kind: 'card' }))).toMatchObject({
      details: { 'field.kind': 'Choose one of those listed.' },
    });
  });

  test('a field that is not asked for is not sent silently', () => {
    const more = read({
      properties: { kind: { enum: ['a', 'b'] } },
      dependencies: {
        kind: {
          oneOf: [
            { properties: { kind: { const: 'a' }, extra: text } },
            { properties: { kind: { const: 'b' } } },
          ],
        },
      },
    });
    const fields = { kind: 'b', extra: 'x' };
    expect(() => fillCarrierForm(more as never, { username: undefined, secret: null, fields })).toThrow(
      'extra',
    );
  });

  test('a consent is never filled in, and yes is accepted as one', () => {
    const consent = read({
      properties: { agree: { type: 'boolean', const: true, default: true }, age: { type: 'integer' } },
      required: ['agree'],
    });
    const given = { username: undefined, secret: null };
    expect(() => fillCarrierForm(consent as never, { ...given, fields: {} })).toThrow('--field agree=…');
    expect(fillCarrierForm(consent as never, { ...given, fields: { agree: 'true', age: '41' } })).toEqual({
      agree: true,
      age: 41,
    });
    expect(
      codeOf(() => fillCarrierForm(consent as never, { ...given, fields: { agree: 'false' } })),
    ).toMatchObject({
      details: { 'field.agree': 'The carrier requires this box to be checked.' },
    });
  });

  test('without a secret field nothing is read; with one it is required', () => {
    const none = read({ properties: { member: text } });
    const given = { username: undefined, fields: { member: '7' } };
    expect(fillCarrierForm(none as never, { ...given, secret: null })).toEqual({ member: '7' });
    expect(() => fillCarrierForm(none as never, { ...given, secret: 's3cret' })).toThrow(
      'asks for no password',
    );
    expect(() => fillCarrierForm(plain, { ...given, secret: null })).toThrow(
      'password on stdin (--password-stdin)',
    );
  });
});

test('what the record has is filled in if it is missing, and dropped if the form does not ask for it', () => {
  const dated = { ...plain, properties: { ...plain.properties, date_of_birth: text } };
  const known = { date_of_birth: '1985-04-12' };
  const fields = { member_number: 'A1' };
  expect(fillCarrierForm(dated, { ...given, fields, known })).toMatchObject({ date_of_birth: '1985-04-12' });
  expect(
    fillCarrierForm(dated, { ...given, fields: { ...fields, date_of_birth: '1990-01-01' }, known }),
  ).toMatchObject({ date_of_birth: '1990-01-01' });
  const asked = {
    ...plain,
    properties: { ...plain.properties, kind: { type: 'string', enum: ['a', 'b'] } },
    allOf: [
      when({ properties: { kind: { const: 'a' } } }, { properties: { date_of_birth: text }, required: [] }),
    ],
  };
  expect(
    fillCarrierForm(asked as never, { ...given, fields: { ...fields, kind: 'b' }, known }),
  ).not.toHaveProperty('date_of_birth');
});
