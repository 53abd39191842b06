import { describe, expect, test } from 'vitest';
import { checkToken } from '../../../../src/main/doctor/doctor-local-steps.ts';

const nowSeconds = 1_780_000_000;
const good = { email: 'Jane@planted.example', iat: nowSeconds - 5, exp: nowSeconds + 895 };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const make = (claims: object = good, alg: unknown = 'EdDSA') =>
  `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.c2ln`;
const check = (token: string, keyType = 'ed25519') =>
  checkToken(token, { email: 'jane@PLANTED.example', keyType, nowSeconds });

test('a token in the form the service requires, the email ignoring case', () => {
  expect(check(make())).toEqual({ code: 'token.sound', facts: { algorithm: 'EdDSA', lifetimeSeconds: 900 } });
});

test.each([
  ['rsa-3072', 'RS256'],
  ['rsa-4096', 'RS256'],
  ['ecdsa-256', 'ES256'],
  ['ecdsa-384', 'ES384'],
  ['ecdsa-521', 'ES512'],
])('a key of type %s signs with %s and nothing else', (keyType, alg) => {
  expect(check(make(good, alg), keyType).code).toBe('token.sound');
  expect(check(make(good, 'EdDSA'), keyType).code).toBe('token.wrongAlgorithm');
  expect(check(make(good, alg)).code).toBe('token.wrongAlgorithm');
});

test('an unknown type has no algorithm', () => {
  expect(check(make(), 'dsa').code).toBe('token.wrongAlgorithm');
});

describe('what is not exactly the three claims', () => {
  const { exp: _exp, ...short } = good;
  test.each([
    ['one is missing', make(short)],
    ['one more', make({ ...good, sub: 'x' })],
    ['a text for a number', make({ ...good, iat: String(good.iat) })],
    ['a fraction', make({ ...good, exp: good.exp + 0.5 })],
    ['no signature', make().replace(/\w+$/, '')],
    ['two parts', make().split('.').slice(0, 2).join('.')],
    ['four parts', `${make()}.x`],
    ['no alg', make(good, 7)],
    ['no token', 'oh'],
  ])('%s', (_, token) => {
    expect(check(token)).toEqual({ code: 'token.wrongForm', facts: {} });
  });
});

test('another account', () => {
  expect(check(make({ ...good, email: 'joe@planted.example' })).code).toBe('token.wrongAccount');
});

test.each([
  ['begins in the future', { iat: nowSeconds + 1 }],
  ['is over', { exp: nowSeconds }],
  ['ends before it begins', { iat: nowSeconds, exp: nowSeconds - 1 }],
  ['lasts a day', { exp: nowSeconds + 86_400 }],
])('one that %s', (_, times) => {
  const { code, facts } = check(make({ ...good, ...times }));
  expect(code).toBe('token.wrongTimes');
  expect(JSON.stringify(facts)).not.toMatch(/planted/);
});
