import { expect, test } from 'vitest';
import { fillCarrierForm } from '../../../../../src/main/shells/cli/fill-carrier-form.ts';

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

test('username, secret and further fields go where the form has them', () => {
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
  });
});

test('a carrier without a form takes username and password; what it misses it says itself', () => {
  expect(fillCarrierForm(null, given)).toEqual({ username: 'dana', password: 's3cret' });
});

test('what the form requires and is not given is named', () => {
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

test('several secrets come as JSON on stdin, by their names', () => {
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
