import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startBrowserShell } from '../../../src/main/shells/browser/start-browser-shell.ts';
import { callAs, type ShellUnderTest } from '../../support/browser-shell.ts';
import { vaultPassphrase } from '../../support/cheap-secrets.ts';
import { listChildren } from '../../support/child-processes.ts';
import { ask, openStream } from '../../support/loopback-client.ts';
import { givenShell } from '../../support/shell-calls.ts';

/** A reload has to fit in, however busy the computer is. */
const closedAfterMs = 1_000;

const hasEnded = (under: ShellUnderTest, withinMs: number): Promise<boolean> =>
  Promise.race([under.shell.ended.then(() => true), wait(withinMs, false)]);

test('the shell waits for its first window, survives a reload, and ends with its last window', async () => {
  const under = await givenShell({ closedAfterMs });
  expect(await hasEnded(under, closedAfterMs * 1.5)).toBe(false);
  const token = await under.enter();
  const listen = async () => {
    await under.loadPage(token);
    return openStream(under.shell.origin, { 'x-claimdesk-window': token });
  };
  const first = await listen();
  first.close();
  const second = await listen();
  const third = await listen();
  expect(await hasEnded(under, closedAfterMs * 1.5)).toBe(false);
  second.close();
  expect(await hasEnded(under, closedAfterMs * 1.5)).toBe(false);
  third.close();
  expect(await hasEnded(under, closedAfterMs * 10)).toBe(true);
  await expect(ask(under.shell.origin, '/')).rejects.toThrow();
});

test('ending also ends the engine and the sample service', async () => {
  const under = await givenShell();
  const page = await under.loadPage(await under.enter());
  expect(await callAs(under, page, 'main', 'sample:open', {})).toMatchObject({ ok: true });
  expect(await listChildren(process.pid, 'sandbox')).toHaveLength(1);
  expect(await listChildren(process.pid, 'engine')).toHaveLength(1);
  await under.shell.close();
  expect(await listChildren(process.pid, 'sandbox')).toEqual([]);
  expect(await listChildren(process.pid, 'engine')).toEqual([]);
});

test('a profile that another process uses is busy, and free again afterwards', async () => {
  const under = await givenShell();
  const { profileDir, rendererDir } = under;
  const again = () => startBrowserShell({ profileDir, rendererDir, environment: {} });
  await expect(again()).rejects.toMatchObject({ code: 'profile.busy' });
  await under.shell.close();
  const next = await again();
  await next.close();
});

test('a window that was not built is reported, and the profile is released', async () => {
  const under = await givenShell();
  await under.shell.close();
  const { profileDir, rendererDir } = under;
  const rejected = startBrowserShell({ profileDir, rendererDir: join(rendererDir, 'none'), environment: {} });
  await expect(rejected).rejects.toMatchObject({ code: 'internal.fault' });
  const next = await startBrowserShell({ profileDir, rendererDir, environment: {} });
  await next.close();
});

test('a locked profile opens only with the passphrase of its vault', async () => {
  const under = await givenShell();
  const page = await under.loadPage(await under.enter());
  const add = { baseUrl: 'http://127.0.0.1:9', email: 'admin@sandbox.example' };
  expect(await callAs(under, page, 'main', 'workspaces:add', add)).toMatchObject({ ok: true });
  expect(await callAs(under, page, 'main', 'keys:generate', { type: 'ed25519' })).toMatchObject({ ok: true });
  await callAs(under, page, 'main', 'lock:lock', {});
  const unlock = (input: object) => callAs(under, page, 'main', 'lock:unlock', input);
  expect(await unlock({})).toMatchObject({ error: { code: 'vault.passphraseNeeded' } });
  expect(await unlock({ passphrase: 'wrong horse battery' })).toMatchObject({
    error: { code: 'vault.wrongPassphrase' },
  });
  expect(await unlock({ passphrase: vaultPassphrase })).toMatchObject({ ok: true });
});

test('an export is saved under a free name in the downloads folder, by a target that hides the path', async () => {
  const under = await givenShell();
  const page = await under.loadPage(await under.enter());
  const choose = (purpose: string, suggestedName: string) =>
    callAs(under, page, 'main', 'files:chooseSaveTarget', { purpose, suggestedName });
  const chosen = await choose('records', 'claims.csv');
  expect(chosen).toMatchObject({ ok: true, value: { displayPath: join(under.folder, 'claims.csv') } });
  for (const name of [
    '.bashrc',
    '.csv',
    'a.desktop',
    'a.csv.sh',
    '../a.csv',
    'a/b.csv',
    'a\u0007.csv',
    'a.pub',
  ])
    expect(await choose('records', name), name).toMatchObject({ error: { code: 'usage.invalid' } });
  expect(await choose('anything', 'a.csv')).toMatchObject({ error: { code: 'usage.invalid' } });

  const sample = await callAs(under, page, 'main', 'sample:open', {});
  const workspaceId = sample.ok ? sample.value.id : '';
  const forKey = await choose('keyBackup', 'front-desk.key');
  const targetId = forKey.ok ? forKey.value.targetId : '';
  const source = { kind: 'list', query: { entity: 'claims' } };
  const wanted = { workspaceId, source, format: 'csv', columns: ['id'], targetId };
  expect(await callAs(under, page, 'engine', 'export:start', wanted)).toMatchObject({
    error: { code: 'app.forbidden' },
  });
});

test('no secret for opening a window is in the log', async () => {
  const under = await givenShell();
  const pass = new URL(under.shell.makeAddress()).hash.slice('#pass='.length);
  const token = await under.enter();
  await under.shell.close();
  const log = await readFile(join(under.profileDir, 'logs', 'claimdesk.log'), 'utf8');
  expect(log).toContain('shell.started');
  for (const secret of [token, pass, 'correct horse']) expect(log).not.toContain(secret);
});
