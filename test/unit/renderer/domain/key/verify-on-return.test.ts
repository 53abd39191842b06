import { expect, test } from 'vitest';
import { verifiesOnReturn } from '../../../../../src/renderer/domain/key/registration.tsx';

const fresh = {
  isProven: false,
  isChecking: false,
  lastCode: null,
  lastEndedMs: null,
  nowMs: 100_000,
} as const;

test('when the window gets the focus, an unverified key is verified, at most every five seconds', () => {
  expect(verifiesOnReturn(fresh)).toBe(true);
  expect(verifiesOnReturn({ ...fresh, lastCode: 'service.unauthorized', lastEndedMs: 95_000 })).toBe(true);
  expect(verifiesOnReturn({ ...fresh, lastCode: 'service.unauthorized', lastEndedMs: 95_001 })).toBe(false);
});

test('nothing is sent for a verified key, during another request, or after a failure that registering does not change', () => {
  expect(verifiesOnReturn({ ...fresh, isProven: true })).toBe(false);
  expect(verifiesOnReturn({ ...fresh, isChecking: true })).toBe(false);
  for (const lastCode of ['app.notConfirmed', 'key.otherService', 'service.tlsRefused'] as const) {
    expect(verifiesOnReturn({ ...fresh, lastCode, lastEndedMs: 0 })).toBe(false);
  }
});
