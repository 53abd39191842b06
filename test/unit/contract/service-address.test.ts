import { expect, test } from 'vitest';
import { isLoopbackHost, isSecureAddress } from '../../../src/contract/service-address.ts';

test.each([
  ['http://localhost:4000', true],
  ['http://127.0.0.1', true],
  ['http://127.0.0.2:81', true],
  ['http://127.255.1.9', true],
  ['http://[::1]:4000', true],
  ['http://127.1', true],
  ['http://localhost.example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['http://128.0.0.1', false],
  ['http://[::2]', false],
])('%s is this computer: %s', (url, isLocal) => {
  expect(isLoopbackHost(new URL(url).hostname)).toBe(isLocal);
  expect(isSecureAddress(new URL(url))).toBe(isLocal);
});

test.each(['ftp://localhost', 'file:///etc/passwd', 'javascript:alert(1)'])('%s is never used', (url) => {
  expect(isSecureAddress(new URL(url))).toBe(false);
});
