import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ProcedureName } from '../../../src/contract/procedures.ts';
import {
  callAs,
  type OpenPage,
  type ShellUnderTest,
  startShellUnderTest,
} from '../../support/browser-shell.ts';
import { listChildren } from '../../support/child-processes.ts';
import { recordEngineMessages } from '../../support/engine-messages.ts';
import { ask, openStream } from '../../support/loopback-client.ts';

let under: ShellUnderTest;
let page: OpenPage;
let workspaceId: string;

const value = async (
  to: 'main' | 'engine',
  procedure: ProcedureName,
  input: unknown,
): Promise<Record<string, unknown>> => {
  const result = await callAs(under, page, to, procedure, input);
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.value : {};
};

async function syncFully(): Promise<void> {
  const stream = await openStream(page.engineUrl, {
    origin: under.shell.origin,
    'x-claimdesk-window': page.token,
  });
  await value('engine', 'sync:start', { workspaceId });
  const finished = await stream.next('sync:finished');
  expect(finished.payload).toMatchObject({ workspaceId, receipt: { outcome: 'complete' } });
  stream.close();
}

async function readPatients(): Promise<string[]> {
  const query = { entity: 'claims' };
  const { snapshotId } = await value('engine', 'records:open', { workspaceId, query });
  const read = { workspaceId, snapshotId, offset: 0, limit: 200, fields: ['patient_name'] };
  const { rows } = await value('engine', 'records:getWindow', read);
  return (rows as { patient_name: string | null }[])
    .map((row) => row.patient_name ?? '')
    .filter((name) => name.length > 6);
}

const { messages, startEngineProcess } = recordEngineMessages();

beforeAll(async () => {
  under = await startShellUnderTest({ startEngineProcess });
  page = await under.loadPage(await under.enter());
  ({ id: workspaceId } = (await value('main', 'sample:open', {})) as { id: string });
  await syncFully();
});
afterAll(() => under.close());

describe('the engine answers at its own address', () => {
  test('with rows of the sample, to its page’s origin and token', async () => {
    expect(await readPatients()).not.toHaveLength(0);
  });

  const callEngine = (
    change: Record<string, string | undefined>,
    path = '/call/records:getSummary',
    body: unknown = { workspaceId },
  ) => {
    const headers = {
      origin: under.shell.origin,
      'content-type': 'application/json',
      'x-claimdesk-window': page.token,
      'sec-fetch-site': 'same-site',
      ...change,
    };
    const given = Object.fromEntries(Object.entries(headers).filter(([, one]) => one !== undefined));
    return ask(page.engineUrl, path, {
      method: 'POST',
      headers: given as Record<string, string>,
      body: JSON.stringify(body),
    });
  };

  test.each([
    ['another origin', { origin: 'http://localhost:1' }],
    ['the same host as an address', { origin: 'http://127.0.0.1:1' }],
    ['no origin', { origin: undefined }],
    ['another host name', { host: 'evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['an address typed in', { 'sec-fetch-site': 'none' }],
    ['no token of a window', { 'x-claimdesk-window': undefined }],
    ['a made-up token', { 'x-claimdesk-window': 'y'.repeat(43) }],
  ])('and refuses %s', async (_name, change) => {
    for (const path of ['/call/records:getSummary', '/calls']) {
      const reply = await callEngine(change, path);
      expect(reply.status).toBe(403);
      expect(JSON.parse(reply.text)).toMatchObject({ ok: false, error: { code: 'app.forbidden' } });
    }
  });

  test('and answers requests that come together each with a line, and its own error', async () => {
    const ofWorkspace = (id: number, procedure: string, input: unknown = { workspaceId }) => ({
      ...{ id, procedure, input },
    });
    const reply = await callEngine({}, '/calls', [
      ofWorkspace(0, 'records:getSummary'),
      ofWorkspace(1, 'settings:get', {}),
      ofWorkspace(2, 'sync:getStatus'),
      ofWorkspace(3, 'records:getSummary', { workspaceId: 'none' }),
    ]);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': under.shell.origin,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const lines = reply.text.split('\n').filter(Boolean);
    const replies: { id: number; result: unknown }[] = lines.map((line) => JSON.parse(line));
    expect(replies.sort((a, b) => a.id - b.id)).toMatchObject([
      { id: 0, result: { ok: true } },
      { id: 1, result: { ok: false, error: { code: 'usage.invalid' } } },
      { id: 2, result: { ok: true } },
      { id: 3, result: { ok: false, error: { code: 'workspace.unknown' } } },
    ]);
    for (const body of [{}, [{ id: 'a', procedure: 'sync:getStatus' }], [null]])
      expect((await callEngine({}, '/calls', body)).status).toBe(400);
    expect((await callEngine({}, '/calls', ['x'.repeat(1_100_000)])).status).toBe(413);
  });

  test('and lets the page read its answers, and no one else', async () => {
    const reply = await callEngine({});
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': under.shell.origin,
      vary: 'Origin',
      'cache-control': 'no-store',
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
    const foreign = await callEngine({ origin: 'http://localhost:1' });
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('and answers a preflight only for the page', async () => {
    const preflight = (origin: string) =>
      ask(page.engineUrl, '/call/records:getSummary', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'sec-fetch-site': 'same-site' },
      });
    const allowed = await preflight(under.shell.origin);
    expect(allowed.status).toBe(204);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': under.shell.origin,
      'access-control-allow-headers': 'content-type, x-claimdesk-window',
      'access-control-allow-methods': 'GET, POST',
    });
    expect((await preflight('http://evil.example')).status).toBe(403);
  });

  test('and does not answer main’s procedures, nor unknown addresses', async () => {
    const result = await callAs(under, page, 'engine', 'settings:get', {});
    expect(result).toMatchObject({ ok: false, error: { code: 'usage.invalid' } });
    expect((await callEngine({}, '/call/__proto__')).status).toBe(404);
    expect((await callEngine({}, '/session')).status).toBe(404);
  });
});

test('no record is in the messages between main and the engine', async () => {
  const patients = await readPatients();
  expect(patients.length).toBeGreaterThan(50);
  expect(messages.length).toBeGreaterThan(5);
  const all = messages.join('\n');
  expect(all).toContain('getToken');
  expect(patients.filter((name) => all.includes(name))).toEqual([]);
});

test('the engine also refuses a tab that opened no stream of events in time', async () => {
  const other = await startShellUnderTest({ unopenedAfterMs: 3_000 });
  onTestFinished(() => other.close());
  const alive = await other.enter();
  await openStream(other.shell.origin, { 'x-claimdesk-window': alive });
  await other.loadPage(alive);
  const silent = await other.loadPage(await other.enter());
  const ask = (token: string) => callAs(other, { ...silent, token }, 'engine', 'audit:list', {});
  const isRefused = async (token: string): Promise<boolean> => {
    const answer = await ask(token);
    return !answer.ok && answer.error.code === 'app.forbidden';
  };
  expect(await isRefused(silent.token)).toBe(false);
  await expect.poll(() => isRefused(silent.token)).toBe(true);
  expect(await isRefused(alive)).toBe(false);
});

test('after a crash, the engine is started when it is next needed, at the same address', async () => {
  const [before] = await listChildren(process.pid, 'engine');
  process.kill(before ?? 0, 'SIGKILL');
  await expect.poll(() => existsSync(`/proc/${before}`)).toBe(false);
  await expect(callAs(under, page, 'engine', 'records:getSummary', { workspaceId })).rejects.toThrow();
  const session = await ask(under.shell.origin, '/session', {
    headers: { 'x-claimdesk-window': page.token },
  });
  expect(JSON.parse(session.text)).toEqual({ engineUrl: page.engineUrl, problem: null });
  expect(await value('engine', 'records:getSummary', { workspaceId })).toMatchObject({ claims: 200 });
});

test('a lock ends the engine; the earlier page reaches none; afterwards there is a new one elsewhere', async () => {
  const [before] = await listChildren(process.pid, 'engine');
  const stream = await openStream(under.shell.origin, { 'x-claimdesk-window': page.token });
  await value('main', 'lock:lock', {});
  expect((await stream.next('lock:changed')).payload).toEqual({ isLocked: true });
  expect(existsSync(`/proc/${before}`)).toBe(false);
  expect(await listChildren(process.pid, 'engine')).toEqual([]);

  const locked = await under.loadPage(page.token);
  expect(locked.engineUrl).toBe('');
  expect(await callAs(under, locked, 'main', 'workspaces:list', {})).toMatchObject({
    ok: false,
    error: { code: 'app.locked' },
  });
  const unlock = await callAs(under, locked, 'main', 'lock:unlock', {});
  expect(unlock).toMatchObject({ ok: true });
  stream.close();

  const old = page;
  page = await under.loadPage(page.token);
  expect(page.engineUrl).not.toBe(old.engineUrl);
  expect(await value('engine', 'records:getSummary', { workspaceId })).toMatchObject({ claims: 200 });
});
