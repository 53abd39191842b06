import { describe, expect, test } from 'vitest';
import { childEnvironment } from '../../../../../src/main/lib/child-environment.ts';
import {
  isAllowedCaller,
  isSameSecret,
  readWindowToken,
} from '../../../../../src/main/lib/loopback/caller-rules.ts';

const rule = {
  host: 'localhost:1',
  origin: 'http://localhost:1',
  needsOrigin: true,
  sites: ['same-origin'],
} as const;
const good = { host: 'localhost:1', origin: 'http://localhost:1', 'sec-fetch-site': 'same-origin' };

describe('a caller', () => {
  test('from the right place is allowed, even by a browser too old to say more', () => {
    expect(isAllowedCaller(good, rule)).toBe(true);
    expect(isAllowedCaller({ host: good.host, origin: good.origin }, rule)).toBe(true);
    expect(isAllowedCaller({ host: good.host }, { ...rule, needsOrigin: false })).toBe(true);
  });

  test.each([
    [{ host: undefined }],
    [{ host: 'LOCALHOST:1' }],
    [{ host: 'localhost:1.evil.example' }],
    [{ origin: undefined }],
    [{ origin: 'null' }],
    [{ origin: 'https://localhost:1' }],
    [{ origin: 'http://localhost:1 ' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ 'sec-fetch-site': '' }],
  ])('with %j is not', (change) => {
    expect(isAllowedCaller({ ...good, ...change } as never, rule)).toBe(false);
  });

  test('a wrong origin is refused even if none is needed', () => {
    const lax = { ...rule, needsOrigin: false };
    expect(isAllowedCaller({ ...good, origin: 'http://evil.example' }, lax)).toBe(false);
  });
});

test('secrets are the same or not, whatever their length', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true);
  for (const given of ['', 'ab', 'abd', 'abcd']) expect(isSameSecret(given, 'abc')).toBe(false);
});

test('a window’s token is exactly one header', () => {
  expect(readWindowToken({ 'x-claimdesk-window': 't' })).toBe('t');
  expect(readWindowToken({ 'x-claimdesk-window': ['t', 'u'] })).toBe('');
  expect(readWindowToken({})).toBe('');
});

test('a child gets our environment without our own variables', () => {
  const environment = { CLAIMDESK_VAULT_PASSPHRASE: 'x', CLAIMDESK_: 'y', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(childEnvironment({ PATH: '/bin', ...environment })).toEqual({ PATH: '/bin' });
});
