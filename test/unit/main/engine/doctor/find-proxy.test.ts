import { expect, test } from 'vitest';
import { findProxy } from '../../../../../src/main/engine/doctor/find-proxy.ts';

const proxy = 'http://proxy.example:3128';
const find = (url: string, environment: Record<string, string>) => {
  const found = findProxy(new URL(url), environment);
  return found instanceof URL ? found.href : found;
};

test('https_proxy, then http_proxy, lower case first', () => {
  expect(find('https://a.example', { https_proxy: proxy, HTTPS_PROXY: 'http://other' })).toBe(`${proxy}/`);
  expect(find('https://a.example', { HTTPS_PROXY: proxy })).toBe(`${proxy}/`);
  expect(find('https://a.example', { http_proxy: proxy })).toBe(`${proxy}/`);
  expect(find('http://a.example', { https_proxy: proxy })).toBe(null);
  expect(find('https://a.example', {})).toBe(null);
  expect(find('https://a.example', { https_proxy: '' })).toBe(null);
});

test.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])('never for %s', (url) => {
  expect(find(url, { http_proxy: proxy })).toBe(null);
});

test.each([
  ['*', true],
  ['claims.example.com', true],
  ['CLAIMS.example.com.', true],
  ['example.com', true],
  ['.example.com', true],
  ['*.example.com', true],
  ['other.example, example.com', true],
  ['claims.example.com:443', true],
  ['claims.example.com:8443', false],
  ['*.claims.example.com', false],
  ['ample.com', false],
  ['laims.example.com', false],
])('no_proxy %s', (exceptions, isExcepted) => {
  const found = find('https://claims.example.com', { https_proxy: proxy, no_proxy: exceptions });
  expect(found).toBe(isExcepted ? null : `${proxy}/`);
});

test('a socks proxy', () => {
  expect(find('https://a.example', { https_proxy: 'socks5://proxy:1080' })).toBe('socks5://proxy:1080');
});

test.each(['ftp://proxy', 'no address'])('%s cannot be used', (text) => {
  expect(find('https://a.example', { https_proxy: text })).toBe('unusable');
});
