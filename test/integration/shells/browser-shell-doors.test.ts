import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenPage, type ShellUnderTest, startShellUnderTest } from '../../support/browser-shell.ts';
import { ask, openStream } from '../../support/loopback-client.ts';

let under: ShellUnderTest;
let page: OpenPage;
let entered: { status: number; headers: Record<string, string | string[] | undefined> };

beforeAll(async () => {
  under = await startShellUnderTest();
  const { pathname, search } = new URL(under.shell.openUrl);
  const wrong = await ask(under.port, '/open?token=wrong');
  expect(wrong.status).toBe(403);
  entered = await ask(under.port, pathname + search);
  page = await under.loadPage(String(entered.headers['set-cookie']).split(';')[0] ?? '');
});
afterAll(() => under.close());

const codeOf = (text: string): string => JSON.parse(text).error.code;
const callHeaders = (): Record<string, string> => ({
  cookie: page.cookie,
  origin: under.shell.origin,
  'content-type': 'application/json',
  'x-claimdesk-window': page.token,
});
const call = (headers: Record<string, string>, path = '/call/app:getInfo', body = '{}') =>
  ask(under.port, path, { method: 'POST', headers, body });
const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(callHeaders()).filter(([key]) => key !== name));

describe('the way in', () => {
  test('trades the token for a cookie named per port, and leads to the page', () => {
    expect(entered.status).toBe(303);
    expect(entered.headers.location).toBe('/');
    expect(String(entered.headers['set-cookie'])).toMatch(
      new RegExp(`^claimdesk-${under.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    );
  });

  test('the token is good once', async () => {
    const { pathname, search } = new URL(under.shell.openUrl);
    const again = await ask(under.port, pathname + search);
    expect(again.status).toBe(403);
    expect(codeOf(again.text)).toBe('app.forbidden');
    const entry = await ask(under.port, '/open?token=');
    expect(entry.status).toBe(403);
  });

  test('each load of the page has a token and a nonce of its own', async () => {
    const other = await under.loadPage(page.cookie);
    expect(other.token).toMatch(/^[\w-]{43}$/);
    expect(other.token).not.toBe(page.token);
    const nonceOf = (one: OpenPage): string => /name="n" content="([^"]+)"/.exec(one.html)?.[1] ?? '';
    expect(nonceOf(other)).not.toBe(nonceOf(page));
    expect(String(other.headers['content-security-policy'])).toContain(`'nonce-${nonceOf(other)}'`);
  });

  test('the policy allows the page itself and the engine, and nothing else', () => {
    expect(page.engineUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect(String(page.headers['content-security-policy']).replace(/nonce-[\w-]+/, 'nonce-N')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data:; font-src 'self'; " +
        `connect-src 'self' ${page.engineUrl}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(String(page.headers['permissions-policy'])).toContain('camera=()');
  });

  test('the theme of the settings is in the page', () => {
    expect(page.html).toContain('name="t" content="system"');
  });
});

describe('who is refused', () => {
  test.each([
    ['another host name', { host: 'evil.example' }],
    ['the address instead of the name', { host: '127.0.0.1:1' }],
    ['another origin', { origin: 'http://127.0.0.1:1' }],
    ['no origin', { origin: undefined }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this computer', { 'sec-fetch-site': 'same-site' }],
    ['no cookie', { cookie: undefined }],
    ['the cookie of another port', { cookie: 'claimdesk-1=x' }],
    ['no token of a window', { 'x-claimdesk-window': undefined }],
    ['a made-up token', { 'x-claimdesk-window': 'x'.repeat(43) }],
  ])('a call with %s', async (_name, change) => {
    const headers = Object.fromEntries(
      Object.entries({ ...callHeaders(), ...change }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const reply = await call(headers);
    expect(reply.status).toBe(403);
    expect(codeOf(reply.text)).toBe('app.forbidden');
  });

  test('every file and stream needs the cookie', async () => {
    for (const path of ['/', '/assets/app.js', '/events', '/session'])
      expect((await ask(under.port, path)).status, path).toBe(403);
  });

  test('events and session need the token of a window', async () => {
    const headers = { cookie: page.cookie };
    for (const path of ['/events', '/session'])
      expect((await ask(under.port, path, { headers })).status, path).toBe(403);
  });

  test('the right caller is answered', async () => {
    const reply = await call({ ...callHeaders(), 'sec-fetch-site': 'same-origin' });
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toMatchObject({ ok: true, value: { shell: 'browser' } });
    const session = await ask(under.port, '/session', { headers: without('origin') });
    expect(JSON.parse(session.text)).toEqual({ engineUrl: page.engineUrl, problem: null });
  });
});

describe('what is not understood', () => {
  test.each([
    ['text', { 'content-type': 'text/plain' }, '{}', 415],
    ['broken JSON', {}, '{', 400],
    ['too much', {}, JSON.stringify('x'.repeat(1024 * 1024)), 413],
  ])('%s is refused with a result', async (_name, change, body, status) => {
    const reply = await call({ ...callHeaders(), ...change }, '/call/app:getInfo', body);
    expect(reply.status).toBe(status);
    expect(codeOf(reply.text)).toBe('usage.invalid');
  });

  test('a body without a length is cut off at the limit', async () => {
    const headers = { ...callHeaders(), 'transfer-encoding': 'chunked' };
    const reply = await call(headers, '/call/app:getInfo', JSON.stringify('x'.repeat(1_100_000)));
    expect(reply.status).toBe(413);
  });

  test('unknown addresses, methods and procedures', async () => {
    expect((await call(callHeaders(), '/call/../app:getInfo')).status).toBe(404);
    expect((await call(callHeaders(), '/open')).status).toBe(404);
    expect((await ask(under.port, '/', { method: 'PUT', headers: callHeaders() })).status).toBe(405);
    const unknown = await call(callHeaders(), '/call/app:unheard');
    expect(unknown.status).toBe(200);
    expect(codeOf(unknown.text)).toBe('usage.invalid');
  });

  test("main does not answer the engine's procedures", async () => {
    const reply = await call(callHeaders(), '/call/records:getSummary', '{"workspaceId":"a"}');
    expect(codeOf(reply.text)).toBe('usage.invalid');
  });
});

describe('files', () => {
  const get = (path: string) => ask(under.port, path, { headers: { cookie: page.cookie } });

  test('of the window come with their type and are never cached', async () => {
    const reply = await get('/assets/app.js');
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/assets/%00/../app.js%00',
    '/assets',
    '/assets/app.js.map',
    '/index.html',
  ])('%s is not served', async (path) => {
    const reply = await get(path);
    expect(reply.status).toBe(404);
    expect(reply.text).not.toContain('outside');
  });
});

test('other addresses of this computer than loopback are not listened on', async () => {
  const { networkInterfaces } = await import('node:os');
  const outer = Object.values(networkInterfaces())
    .flat()
    .filter((one) => one?.family === 'IPv4' && !one.internal);
  for (const one of outer) await expect(ask(under.port, '/', { host: one?.address ?? '' })).rejects.toThrow();
});

test('a stream of events tells what main tells', async () => {
  const stream = await openStream(under.port, { cookie: page.cookie, 'x-claimdesk-window': page.token });
  expect(stream.status).toBe(200);
  await call(callHeaders(), '/call/settings:set', '{"theme":"dark"}');
  expect(await stream.next('settings:changed')).toEqual({ name: 'settings:changed', payload: {} });
  stream.close();
  expect((await under.loadPage(page.cookie)).html).toContain('name="t" content="dark"');
});
