import { expect, onTestFinished, test } from 'vitest';
import { callAs, startShellUnderTest } from '../../support/browser-shell.ts';
import { vaultPassphrase } from '../../support/cheap-secrets.ts';
import { listChildren } from '../../support/child-processes.ts';
import { ask } from '../../support/loopback-client.ts';

test('with a stopped engine the app is locked immediately, and the lock is recorded at the next unlock', async () => {
  const under = await startShellUnderTest();
  onTestFinished(() => under.close());
  const page = await under.loadPage(await under.enter());
  const add = { baseUrl: 'http://127.0.0.1:9', email: 'admin@sandbox.example' };
  expect(await callAs(under, page, 'main', 'workspaces:add', add)).toMatchObject({ ok: true });
  const [engine] = await listChildren(process.pid, 'engine');
  process.kill(Number(engine), 'SIGSTOP');

  const locking = under.shell.desk.lockNow();
  expect(under.shell.desk.isLocked).toBe(true);
  expect(await callAs(under, page, 'main', 'keys:list', {})).toMatchObject({ error: { code: 'app.locked' } });
  const session = await ask(under.shell.origin, '/session', {
    headers: { 'x-claimdesk-window': page.token },
  });
  expect(JSON.parse(session.text)).toMatchObject({ engineUrl: '' });

  await locking;
  expect(await listChildren(process.pid, 'engine')).toEqual([]);
  const passphrase = vaultPassphrase;
  expect(await callAs(under, page, 'main', 'lock:unlock', { passphrase })).toMatchObject({ ok: true });
  const next = await under.loadPage(await under.enter());
  const log = await callAs(under, next, 'engine', 'audit:list', { offset: 0, limit: 10 });
  const { entries } = (log as unknown as { value: { entries: { action: string; details: object }[] } }).value;
  expect(entries.map(({ action }) => action).slice(0, 2)).toEqual(['desk.unlocked', 'desk.locked']);
  expect(entries[1]?.details).toMatchObject({ lockedAt: expect.stringMatching(/^\d{4}-/) });
});
