import { existsSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { forkEngineAhead } from '../../../src/main/shells/browser/fork-engine.ts';
import { callAs, startShellUnderTest } from '../../support/browser-shell.ts';
import { listChildren } from '../../support/child-processes.ts';

const listEngines = () => listChildren(process.pid, 'engine');

test('the engine that was started ahead is the first one that answers a page', async () => {
  const ahead = forkEngineAhead();
  onTestFinished(ahead.drop);
  const started = await listEngines();
  expect(started).toHaveLength(1);
  const under = await startShellUnderTest({ startEngineProcess: ahead.startEngineProcess });
  onTestFinished(() => under.close());
  const page = await under.loadPage(await under.enter());
  expect(page.engineUrl).toMatch(/^http:\/\/127(\.\d+){3}:\d+$/);
  expect(await listEngines()).toEqual(started);
  // Dropped late, it ends none that is in use.
  ahead.drop();
  expect(await callAs(under, page, 'engine', 'audit:list', { offset: 0, limit: 1 })).toMatchObject({
    ok: true,
  });
});

test('one that ended before it was needed is not used', async () => {
  const ahead = forkEngineAhead();
  const [pid = 0] = await listEngines();
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
  const under = await startShellUnderTest({ startEngineProcess: ahead.startEngineProcess });
  onTestFinished(() => under.close());
  await under.shell.desk.getEngine();
  expect(await listEngines()).toHaveLength(1);
});

test('one that was not needed is ended', async () => {
  const ahead = forkEngineAhead();
  expect(await listEngines()).toHaveLength(1);
  ahead.drop();
  await vi.waitFor(async () => expect(await listEngines()).toEqual([]));
});
