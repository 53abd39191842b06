import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type ElectronApplication, _electron as electron, expect } from '@playwright/test';

// The tests need Electron's runtime, because they check what no stand-in can show.
const test = base.extend<{ app: ElectronApplication }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern
  async app({}, use) {
    const folder = await mkdtemp(join(tmpdir(), 'claimdesk-electron-'));
    const app = await electron.launch({
      ...(process.env.CLAIMDESK_ELECTRON === undefined
        ? {}
        : { executablePath: process.env.CLAIMDESK_ELECTRON }),
      // Playwright switches it off on Linux where nothing is said.
      chromiumSandbox: true,
      args: ['.', '--profile', join(folder, 'profile')],
    });
    await use(app);
    await app.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

test('the window is sandboxed and isolated, and its page has the bridge alone', async ({ app }) => {
  const page = await app.firstWindow();
  await page.waitForLoadState();
  const metrics = await app.evaluate(({ app: one }) =>
    one.getAppMetrics().map(({ type, pid, sandboxed }) => ({ type, pid, sandboxed })),
  );
  const tabs = metrics.filter(({ type }) => type === 'Tab');
  expect(tabs.length).toBeGreaterThan(0);
  for (const { pid, sandboxed } of tabs) {
    // Electron does not tell it on Linux, the system does: a filter of system calls, and no way to more rights.
    if (process.platform === 'linux')
      expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(/NoNewPrivs:\s1\nSeccomp:\s2/);
    else expect(sandboxed).toBe(true);
  }
  const world = await page.evaluate(() => {
    const { claimdesk, ...rest } = window as unknown as { claimdesk: Record<string, object> };
    const names = ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'];
    const before = claimdesk.call;
    try {
      claimdesk.call = {};
    } catch {
      // Frozen, as it has to be.
    }
    return {
      shell: claimdesk.shell,
      isFrozen: Object.isFrozen(claimdesk) && Object.isFrozen(claimdesk.call) && claimdesk.call === before,
      others: names.filter((name) => name in rest),
    };
  });
  expect(world).toEqual({ shell: 'electron', isFrozen: true, others: [] });
});

test('the page has its policy, which keeps foreign scripts and code from text out', async ({ app }) => {
  const page = await app.firstWindow();
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'));
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src/);
  const isRun = await page.evaluate(async () => {
    // A timer runs it, because the policy exempts what a test evaluates itself.
    Reflect.apply(window.setTimeout, window, ['window.wasEvaluated = true', 0]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return 'wasEvaluated' in window;
  });
  expect(isRun).toBe(false);
});

test('it goes nowhere, opens nothing, reaches nobody and is granted nothing', async ({ app }) => {
  const page = await app.firstWindow();
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers = await page.evaluate(async (address) => {
    const opened = window.open(`${address}/window`);
    window.location.href = `${address}/link`;
    const fetched = await fetch(`${address}/fetch`).then(
      () => 'answered',
      () => 'refused',
    );
    const asked = ['geolocation', 'notifications', 'camera'].map((name) =>
      navigator.permissions.query({ name: name as PermissionName }).then(({ state }) => state),
    );
    return { opened, fetched, permissions: await Promise.all(asked) };
  }, elsewhere);
  expect(answers).toEqual({ opened: null, fetched: 'refused', permissions: ['denied', 'denied', 'denied'] });
  expect(page.url()).toMatch(/^app:\/\/claimdesk\//);
  expect(app.windows()).toHaveLength(1);
  expect(heard).toEqual([]);
  server.close();
});
