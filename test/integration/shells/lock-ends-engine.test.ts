import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { forkEngine } from '../../../src/main/shells/browser/fork-engine.ts';
import { callAs, startShellUnderTest } from '../../support/browser-shell.ts';
import { listChildren } from '../../support/child-processes.ts';

/** As where ending a process sends it a signal that the engine ignores: it has to end by itself. */
const startEngineProcess: typeof forkEngine = (preferredPort) => ({
  ...forkEngine(preferredPort),
  kill: () => undefined,
});

test('an engine that is locked ends by itself within a second, and its records with it', {
  timeout: 30_000,
}, async () => {
  const under = await startShellUnderTest({ startEngineProcess });
  onTestFinished(() => under.close());
  const page = await under.loadPage(await under.enter());
  const add = { baseUrl: 'http://127.0.0.1:9', email: 'admin@sandbox.example' };
  expect(await callAs(under, page, 'main', 'workspaces:add', add)).toMatchObject({ ok: true });
  const [engine = 0] = await listChildren(process.pid, 'engine');
  onTestFinished(() => {
    if (existsSync(`/proc/${engine}`)) process.kill(engine, 'SIGKILL');
  });
  const beganMs = performance.now();
  await under.shell.desk.lockNow();
  expect(existsSync(`/proc/${engine}`)).toBe(false);
  // A lock aims at 200 ms (docs/figures.md); a busy machine takes longer, a limit that is waited out much longer.
  expect(performance.now() - beganMs).toBeLessThan(1_000);
});
