import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from '@playwright/test';
import { chromium } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArgs, chromiumPath } from '../../support/chromium.ts';
import { walkCarrierPage } from './carrier-walk.ts';
import type { ConnectClient, Joined } from './connect-client.ts';
import { connectClient, join } from './connect-client.ts';
import { givenSandbox } from './given-sandbox.ts';

type Json = Record<string, unknown>;

const sandbox = givenSandbox('--members', '5', '--claims', '5');
let client: ConnectClient;
let dana: Joined;
let count = 0;

beforeAll(async () => {
  client = connectClient(sandbox);
  dana = await join(client, 'dana@x.example');
});
afterEach(() => sandbox.control('POST', '/clock', { skewSeconds: 0 }));

const accepted = () => ({ user_email: dana.email, accept: true, tenants_accept: [dana.tenantId] });

async function begin(): Promise<{ url: string; read: () => Promise<Json> }> {
  count += 1;
  const headers = { 'x-connect-state-id': `state-${count}` };
  const url = await client.post('/interop', accepted(), headers);
  return { url: String(url), read: () => client.get('/interop?email=dana@x.example', headers) };
}

describe('docs/service.md, "Connect calls": Patient Access', () => {
  it('needs a state id: 400 without', async () => {
    expect((await client.call('POST', '/interop', accepted())).status).toBe(400);
    expect((await client.call('GET', '/interop?email=dana@x.example')).status).toBe(400);
  });

  it('needs the terms accepted, in the request or by an earlier submit: otherwise 403', async () => {
    const headers = { 'x-connect-state-id': 'terms' };
    await join(client, 'new@x.example');
    const bare = { user_email: 'new@x.example' };
    expect((await client.call('POST', '/interop', bare, headers)).status).toBe(403);
    expect((await client.call('POST', '/interop', { ...bare, accept: true }, headers)).status).toBe(403);
    const full = { ...bare, accept: true, tenants_accept: [dana.tenantId] };
    expect((await client.call('POST', '/interop', full, headers)).status).toBe(200);
    expect((await client.call('POST', '/interop', bare, headers)).status).toBe(200);
    const withdrawn = { ...bare, accept: false };
    expect((await client.call('POST', '/interop', withdrawn, headers)).status).toBe(403);
  });

  it('returns the carrier’s address; the member signs in and agrees: SUCCESS with ph_id', async () => {
    const { url, read } = await begin();
    expect(url).toMatch(new RegExp(`^${sandbox.baseUrl}/carrier/authorize/[\\w-]{32}$`));
    expect(await read()).toEqual({ status: 'IN_PROGRESS' });
    expect(await walkCarrierPage(url, { username: 'dana' })).toContain('Share your data?');
    expect(await read()).toEqual({ status: 'IN_PROGRESS' });
    expect(await walkCarrierPage(url, { username: 'dana', decision: 'allow' })).toContain(
      'You are connected',
    );
    const { status, ph_id: id } = await read();
    expect(status).toBe('SUCCESS');
    const path = `/policy_holder/${String(id)}?email=dana@x.example&employer_id=${dana.employerId}`;
    expect(await client.get(path)).toMatchObject({ payer_id: 17, login_problem: 'valid' });
  });

  it.each([
    ['who does not agree', { username: 'dana', decision: 'deny' as const }, /did not agree/],
    ['whom the carrier does not find', { username: 'break' }, /match criteria/],
  ])('%s: FAILURE with an error, and no connection', async (_name, steps, pattern) => {
    const { url, read } = await begin();
    await walkCarrierPage(url, steps);
    expect(await read()).toEqual({ status: 'FAILURE', error: expect.stringMatching(pattern) });
  });

  it('after a typing error the member can try again; without an answer the page closes', async () => {
    const { url, read } = await begin();
    expect(await walkCarrierPage(url, { username: 'invalid' })).toContain('Please try again');
    expect(await read()).toEqual({ status: 'IN_PROGRESS' });
    await sandbox.control('POST', '/clock', { skewSeconds: 601 });
    expect(await read()).toEqual({ status: 'FAILURE', error: expect.stringMatching(/closed/) });
    expect(await (await fetch(url)).text()).toContain('Not connected');
  });

  it('a state ID that nothing began with: 404; beginning again with one invalidates the old address', async () => {
    const unknown = { 'x-connect-state-id': 'unknown' };
    expect((await client.call('GET', '/interop?email=dana@x.example', undefined, unknown)).status).toBe(404);
    const headers = { 'x-connect-state-id': 'twice' };
    const first = String(await client.post('/interop', accepted(), headers));
    const second = String(await client.post('/interop', accepted(), headers));
    expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200]);
  });

  it('the address can be returned as an object instead, and a payer can be given', async () => {
    await sandbox.control('PUT', '/connect/settings', { interopReply: 'object' });
    const headers = { 'x-connect-state-id': 'object' };
    const data = await client.post('/interop', { ...accepted(), payer_id: 17 }, headers);
    expect(data).toEqual({ authorization_url: expect.stringContaining('/carrier/authorize/') });
    await sandbox.control('PUT', '/connect/settings', { interopReply: 'text' });
    const wrong = await client.call('POST', '/interop', { ...accepted(), payer_id: 15 }, headers);
    expect(wrong.status).toBe(404);
  });

  const payerPath = (id: number): string => `/payer/${dana.employerId}/${id}?email=dana@x.example`;

  it('the carrier returns its own address, which leads to the flow that was begun', async () => {
    await sandbox.control('PUT', '/connect/settings', { interopReply: 'none' });
    const headers = { 'x-connect-state-id': 'own address' };
    expect(await client.post('/interop', accepted(), headers)).toEqual({});
    const { interoperability_authorization_url: url } = await client.get(payerPath(17));
    await walkCarrierPage(String(url), { username: 'dana', decision: 'allow' });
    expect(await client.get('/interop?email=dana@x.example', headers)).toMatchObject({ status: 'SUCCESS' });
    expect(await client.get(payerPath(15))).toMatchObject({ interoperability_authorization_url: null });
  });

  it('without the call, or without the address, the rest still works', async () => {
    const headers = { 'x-connect-state-id': 'missing' };
    await sandbox.control('PUT', '/connect/settings', { interopReply: 'missing' });
    expect((await client.call('POST', '/interop', accepted(), headers)).status).toBe(404);
    const { interoperability_authorization_url: url } = await client.get(payerPath(17));
    expect(await walkCarrierPage(String(url), { username: 'alone', decision: 'allow' })).toContain(
      'You are connected',
    );
    expect((await fetch(`${sandbox.baseUrl}/carrier/enter/unknown`)).status).toBe(404);
    await sandbox.control('PUT', '/connect/settings', { carrierAddress: 'none' });
    expect(await client.get(payerPath(17))).toMatchObject({ interoperability_authorization_url: null });
    await sandbox.control('PUT', '/connect/settings', { interopReply: 'text', carrierAddress: 'told' });
  });
});

describe('the carrier’s page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
  });
  afterAll(async () => browser?.close());

  it('answers only itself, sets no cookie, runs nothing', async () => {
    const { url } = await begin();
    const reply = await fetch(url);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply.headers.has('set-cookie')).toBe(false);
    const foreign = await fetch(`${url}/sign-in`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ username: 'a', password: 'b' }),
    });
    expect(foreign.status).toBe(403);
    expect((await fetch(`${sandbox.baseUrl}/carrier/authorize/unknown`)).status).toBe(404);
  });

  it('can be used with the keyboard alone, and axe finds no fault on any of its pages', async () => {
    const { url, read } = await begin();
    const page = await (await browser.newContext()).newPage();
    const check = async (): Promise<void> =>
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    const type = async (text: string): Promise<void> => {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    };
    await page.goto(url);
    await check();
    await type('invalid');
    await type('secret');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await check();
    await type('keyboard');
    await type('secret');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Share your data?' }).waitFor();
    await check();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    await check();
    expect(await read()).toMatchObject({ status: 'SUCCESS' });
  });
});
