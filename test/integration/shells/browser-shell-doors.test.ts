import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type OpenPage,
  redeemPass,
  type ShellUnderTest,
  startShellUnderTest,
} from '../../support/browser-shell.ts';
import { ask, openStream } from '../../support/loopback-client.ts';

let under: ShellUnderTest;
let page: OpenPage;
let nowMs = Date.UTC(2026, 10, 20);

beforeAll(async () => {
  under = await startShellUnderTest({ clock: { now: () => nowMs } });
  page = await under.loadPage(await under.enter());
  // A live page opens a stream: the token of one that opens none expires.
  await openStream(under.shell.origin, { 'x-claimdesk-window': page.token });
});
afterAll(() => under.close());

const codeOf = (text: string): string => JSON.parse(text).error.code;
const callHeaders = (): Record<string, string> => ({
  origin: under.shell.origin,
  'content-type': 'application/json',
  'x-claimdesk-window': page.token,
});
const call = (headers: Record<string, string>, path = '/call/app:getInfo', body = '{}') =>
  ask(under.shell.origin, path, { method: 'POST', headers, body });
const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(callHeaders()).filter(([key]) => key !== name));

describe('the way in', () => {
  const passOf = (address: string): string =>
    /^http:\/\/127(?:\.\d+){3}:\d+\/#pass=([\w-]{43})$/.exec(address)?.[1] ?? '';
  const redeem = (pass: string) => redeemPass(under.shell.origin, pass);
  const expectRefused = async (pass: string): Promise<void> => {
    const reply = await redeem(pass);
    expect(reply.status).toBe(403);
    expect(codeOf(reply.text)).toBe('app.forbidden');
  };

  test('exchanges the pass in an address for a window’s token, once, and sets no cookie', async () => {
    const pass = passOf(under.shell.makeAddress());
    const entered = await redeem(pass);
    expect(entered.status).toBe(200);
    expect(entered.headers).not.toHaveProperty('set-cookie');
    expect(JSON.parse(entered.text)).toEqual({ token: expect.stringMatching(/^[\w-]{12}\.[\w-]{43}$/) });
    await expectRefused(pass);
    await expectRefused('');
  });

  test('a pass is valid for sixty seconds, and until there is a newer one', async () => {
    const late = passOf(under.shell.makeAddress());
    nowMs += 60_001;
    await expectRefused(late);
    const older = passOf(under.shell.makeAddress());
    const newer = passOf(under.shell.makeAddress());
    await expectRefused(older);
    nowMs += 60_000;
    expect((await redeem(newer)).status).toBe(200);
  });

  test('a pass in the address or a header of a request opens nothing', async () => {
    const pass = passOf(under.shell.makeAddress());
    for (const path of [`/open?token=${pass}`, `/enter?pass=${pass}`])
      expect((await ask(under.shell.origin, path)).status, path).toBe(404);
    const reply = await call({ ...callHeaders(), 'x-claimdesk-window': pass });
    expect(codeOf(reply.text)).toBe('app.forbidden');
  });

  test('another page can’t use a pass', async () => {
    const pass = passOf(under.shell.makeAddress());
    for (const change of [{ origin: 'http://localhost:1' }, { 'sec-fetch-site': 'same-site' }]) {
      const headers = { ...without('x-claimdesk-window'), ...change };
      const reply = await call(headers, '/enter', JSON.stringify({ pass }));
      expect(codeOf(reply.text)).toBe('app.forbidden');
    }
    expect((await redeem(pass)).status).toBe(200);
  });

  test('the page is the same for everyone except for its nonce, and contains no token', async () => {
    const other = await ask(under.shell.origin, '/', { headers: { 'sec-fetch-site': 'cross-site' } });
    const nonceOf = (html: string): string => /name="n" content="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(nonceOf(other.text)).toMatch(/^[\w-]{22}$/);
    expect(nonceOf(other.text)).not.toBe(nonceOf(page.html));
    expect(String(other.headers['content-security-policy'])).toContain(`'nonce-${nonceOf(other.text)}'`);
    expect(other.headers).not.toHaveProperty('set-cookie');
    expect(other.text.replace(nonceOf(other.text), '')).toBe(page.html.replace(nonceOf(page.html), ''));
    for (const part of page.token.split('.')) expect(page.html).not.toContain(part);
  });

  test('the policy allows the page itself and the engine, and nothing else', () => {
    expect(page.engineUrl).toMatch(/^http:\/\/127(\.\d+){3}:\d+$/);
    expect(String(page.headers['content-security-policy']).replace(/nonce-[\w-]+/, 'nonce-N')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data:; font-src 'self' data:; " +
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
    ['no token of a window', { 'x-claimdesk-window': undefined }],
    ['a made-up token', { 'x-claimdesk-window': 'x'.repeat(43) }],
    ['the token in a cookie', { 'x-claimdesk-window': undefined, cookie: 'claimdesk-window=TOKEN' }],
  ])('a call with %s', async (_name, change) => {
    const headers = Object.fromEntries(
      Object.entries({ ...callHeaders(), ...change })
        .filter((entry): entry is [string, string] => entry[1] !== undefined)
        .map(([name, value]) => [name, value.replace('TOKEN', page.token)]),
    );
    const reply = await call(headers);
    expect(reply.status).toBe(403);
    expect(codeOf(reply.text)).toBe('app.forbidden');
  });

  test('events and session need the token of a window', async () => {
    for (const path of ['/events', '/session']) {
      const reply = await ask(under.shell.origin, path, {
        headers: { cookie: `claimdesk-window=${page.token}` },
      });
      expect(codeOf(reply.text), path).toBe('app.forbidden');
    }
  });

  test('the right caller is answered', async () => {
    const reply = await call({ ...callHeaders(), 'sec-fetch-site': 'same-origin' });
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toMatchObject({ ok: true, value: { shell: 'browser' } });
    const session = await ask(under.shell.origin, '/session', { headers: without('origin') });
    expect(JSON.parse(session.text)).toEqual({ engineUrl: page.engineUrl, problem: null });
  });
});

test('cookies left by another port of the same address keep no one out', async () => {
  // A browser keeps this many cookies of one host.
  const cookie = Array.from({ length: 180 }, (_none, at) => `c${at}=${'x'.repeat(4_000)}`).join('; ');
  for (const origin of [under.shell.origin, page.engineUrl]) {
    const reply = await ask(origin, '/events', { headers: { cookie } });
    expect([origin, reply.status]).toEqual([origin, 403]);
  }
  expect((await call({ ...callHeaders(), cookie })).status).toBe(200);
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
    expect((await ask(under.shell.origin, '/', { method: 'PUT', headers: callHeaders() })).status).toBe(405);
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
  const get = (path: string) => ask(under.shell.origin, path);

  test('of the window are public, have their type and are never cached', async () => {
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

test('it listens on no address of this computer but loopback', async () => {
  const { networkInterfaces } = await import('node:os');
  const outer = Object.values(networkInterfaces())
    .flat()
    .filter((one) => one?.family === 'IPv4' && !one.internal);
  for (const one of outer)
    await expect(ask(under.shell.origin, '/', { host: one?.address ?? '' })).rejects.toThrow();
});

test('a stream of events sends what main reports', async () => {
  const stream = await openStream(under.shell.origin, { 'x-claimdesk-window': page.token });
  expect(stream.status).toBe(200);
  await call(callHeaders(), '/call/settings:set', '{"theme":"dark"}');
  expect(await stream.next('settings:changed')).toEqual({ name: 'settings:changed', payload: {} });
  stream.close();
  expect((await under.loadPage(page.token)).html).toContain('name="t" content="dark"');
});
