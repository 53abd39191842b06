import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenHeaderSchema } from '../../../src/contract/workspace.ts';

test.each(['Authorization', 'X-SSH-JWT', 'x-desk-token', 'Token', 'X-Api-Key2'])('%s is taken', (name) => {
  expect(tokenHeaderSchema.parse(name)).toBe(name);
});

test.each([
  ...['Cookie', 'COOKIE', 'Set-Cookie', 'Origin', 'Referer', 'Host', 'Content-Length', 'Content-Type'],
  ...['Connection', 'keep-alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Proxy-Authorization'],
  ...['Proxy-Connection', 'Sec-Fetch-Site', 'Accept', 'Accept-Encoding', 'If-Match', 'User-Agent', 'Via'],
  ...['', '-X', '1X', 'X Y', 'X:Y', 'X_Y', 'X\r\nCookie: a', 'Xé', 'X'.repeat(61)],
])('%j is refused', (name) => {
  expect(tokenHeaderSchema.safeParse(name).success).toBe(false);
});

test('whatever is accepted can be set on a request and stays one header', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z-]{1,20}$/)), (name) => {
      if (!tokenHeaderSchema.safeParse(name).success) return;
      expect([...new Headers({ [name]: 'x' })]).toEqual([[name.toLowerCase(), 'x']]);
    }),
  );
});
