import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSecureAddress } from '../../../../src/contract/service-address.ts';
import { normalizeBaseUrl, normalizeEmail } from '../../../../src/main/workspaces/workspace-address.ts';

describe('an address', () => {
  test.each([
    ['https://claims.example.com', 'https://claims.example.com'],
    ['https://claims.example.com/', 'https://claims.example.com'],
    ['  HTTPS://Claims.Example.COM:443//  ', 'https://claims.example.com'],
    ['https://claims.example.com:8443/tenant/a/', 'https://claims.example.com:8443/tenant/a'],
    ['https://claims.example.com/a/../b', 'https://claims.example.com/b'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example'],
    ['claims.example.com', 'https://claims.example.com'],
    ['claims.example.com:8443/tenant/', 'https://claims.example.com:8443/tenant'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://0x7f.1:80', 'http://127.0.0.1'],
    ['http://[::1]:4000/p', 'http://[::1]:4000/p'],
  ])('%j becomes %s', (input, expected) => {
    expect(normalizeBaseUrl(input)).toBe(expected);
  });

  test.each([
    '',
    'claims',
    'user@claims.example.com',
    'claims.example.com?a=1',
    'localhost:3000',
    'ftp://claims.example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'https:///path',
    'https:claims.example.com',
    'https://user@claims.example.com',
    'https://user:secret@claims.example.com',
    'https://@claims.example.com',
    'https://claims.example.com/?a=1',
    'https://claims.example.com?',
    'https://claims.example.com/#x',
    'https://claims.example.com#',
    'https://claims.example.com\\@evil.example',
    'https://claims .example.com',
    'https://claims.example.com/\nx',
    'https://claims.example.com:99999',
    'https://exa%mple.com',
    `https://claims.example.com/${'a'.repeat(2000)}`,
  ])('%j is not an address', (input) => {
    expect(() => normalizeBaseUrl(input)).toThrow(expect.objectContaining({ code: 'workspace.badUrl' }));
  });

  test.each([
    'http://claims.example.com',
    'http://10.0.0.1',
    'http://128.0.0.1',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.',
    'http://[::2]',
    'http://0.0.0.0',
  ])('%j is not encrypted and not here', (input) => {
    expect(() => normalizeBaseUrl(input)).toThrow(expect.objectContaining({ code: 'workspace.insecureUrl' }));
  });

  test('that was accepted is unchanged, and is https or on this computer', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
          fc.string(),
        ),
        (input) => {
          let accepted: string;
          try {
            accepted = normalizeBaseUrl(input);
          } catch (error) {
            expect(error).toMatchObject({ name: 'DeskError' });
            return;
          }
          expect(normalizeBaseUrl(accepted)).toBe(accepted);
          const url = new URL(accepted);
          expect(isSecureAddress(url)).toBe(true);
          expect(url.username + url.password + url.search + url.hash).toBe('');
        },
      ),
    );
  });
});

describe('an email', () => {
  test.each([
    'a@b.example',
    ' Ada.Lovelace+x@Example.COM ',
    "o'neil@b.example",
    'ada@localhost',
    'zoë@münchen.example',
  ])('%j is one', (input) => {
    expect(normalizeEmail(input)).toBe(input.trim());
  });

  test.each([
    '',
    'ada',
    '@b.example',
    'ada@',
    'a@b@c.example',
    'a b@c.example',
    'a@b c.example',
    'a..b@c.example',
    '.a@c.example',
    'a.@c.example',
    'a@.example',
    'a@example.',
    'a@-b.example',
    'a@b.example\r\nX: y',
    '<a@b.example>',
    'Ada <a@b.example>',
    'a@b.example,c@d.example',
    `${'a'.repeat(65)}@b.example`,
  ])('%j is not an email', (input) => {
    expect(() => normalizeEmail(input)).toThrow(expect.objectContaining({ code: 'workspace.badEmail' }));
  });
});
