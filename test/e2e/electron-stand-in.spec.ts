import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, test as base, chromium, expect, type Page } from '@playwright/test';
import type { Command, Told } from '../electron-stand-in/control.ts';
import { listChildren } from '../support/child-processes.ts';
import { parseCsv } from '../support/csv.ts';
import { exploreSample, openList, openSettings } from './steps.ts';

/** The built app under the stand-in for `electron`: what that shows and what not is in its README. */
interface StandIn {
  readonly folder: string;
  readonly profileDir: string;
  readonly mainPid: number;
  readonly main: ChildProcess;
  readonly browser: Browser;
  do(command: Command): void;
  startAgain(): ChildProcess;
}

const register = new URL('../electron-stand-in/register.ts', import.meta.url).href;

const startMain = (profileDir: string): ChildProcess =>
  fork('out/main/index.js', ['--profile', profileDir], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${register} --disable-warning=ExperimentalWarning`,
      CLAIMDESK_SAMPLE_MEMBERS: '60',
      CLAIMDESK_SAMPLE_CLAIMS: '400',
      CLAIMDESK_SAMPLE_TODAY: '2026-11-20',
    },
  });

const test = base.extend<{ standIn: StandIn }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern
  async standIn({}, use) {
    const folder = await mkdtemp(join(tmpdir(), 'claimdesk-stand-in-'));
    const profileDir = join(folder, 'profile');
    const main = startMain(profileDir);
    const endpoint = await new Promise<string>((resolve, reject) => {
      main.once('exit', (code) => reject(new Error(`Main ended with ${code}.`)));
      main.on('message', (told: Told) => {
        if (told.kind === 'chromium') resolve(told.endpoint);
        if (told.kind === 'errorBox') reject(new Error(told.text));
      });
    });
    const browser = await chromium.connectOverCDP(endpoint);
    await use({
      folder,
      profileDir,
      main,
      mainPid: main.pid ?? 0,
      browser,
      do: (command) => void main.send(command),
      startAgain: () => startMain(profileDir),
    });
    // Disconnecting leaves Chromium, and it outlives the main process that is killed.
    const chromiumSession = await browser.newBrowserCDPSession().catch(() => null);
    await chromiumSession?.send('Browser.close').catch(() => undefined);
    await browser.close().catch(() => undefined);
    if (main.exitCode === null) {
      main.kill('SIGKILL');
      await once(main, 'exit');
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

const pageOf = (one: Browser): Page[] => one.contexts().flatMap((context) => context.pages());

/** The window's page: the one that is not closed. */
async function findWindow(browser: Browser, not: Page | null = null): Promise<Page> {
  const found = (): Page | undefined =>
    pageOf(browser).find((page) => page !== not && page.url().includes('stand-in.invalid'));
  await expect.poll(() => found() !== undefined).toBe(true);
  return found() as Page;
}

test('the built main, preload and engine run one journey', { tag: '@long' }, async ({ standIn }) => {
  const { browser, folder, main, mainPid, profileDir } = standIn;
  let page = await findWindow(browser);
  const welcome = page.getByRole('button', { name: 'Explore sample data' });
  await expect(welcome).toBeVisible();

  await test.step('the page has its headers, and the bridge is all that it has', async () => {
    const served = await page.evaluate(async () => {
      const [own, posted, missing] = await Promise.all([
        fetch('/'),
        fetch('/', { method: 'POST' }),
        fetch('/no-such-file.js'),
      ]);
      return { headers: Object.fromEntries(own.headers), posted: posted.status, missing: missing.status };
    });
    expect(served).toMatchObject({ posted: 405, missing: 404 });
    expect(served.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src/,
    );
    expect(served.headers['cache-control']).toBe('no-store');
    const world = await page.evaluate(() => {
      const { claimdesk, ...rest } = window as unknown as { claimdesk: Record<string, object> };
      const names = ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'toMain', 'fromMain'];
      return {
        shell: claimdesk.shell,
        isFrozen: [claimdesk, claimdesk.call].map((one) => Object.isFrozen(one)),
        others: names.filter((name) => name in rest),
      };
    });
    expect(world).toEqual({ shell: 'electron', isFrozen: [true, true], others: [] });
  });

  await test.step('it stays where it is, and reaches nobody', async () => {
    const heard: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      heard.push(request.url);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await page.evaluate((address) => {
      window.location.href = `${address}/link`;
    }, elsewhere);
    await page.evaluate((address) => fetch(`${address}/fetch`).catch(() => undefined), elsewhere);
    expect(pageOf(browser).map((one) => one.url())).not.toContain(elsewhere);
    expect(heard).toEqual([]);
    await expect(welcome).toBeVisible();
    server.close();
  });

  await test.step('sample, sync, list, claim, export: over a port to the engine, a process of its own', async () => {
    await exploreSample(page);
    expect(await listChildren(mainPid, 'engine')).toHaveLength(1);
    const rows = await openList(page, 'Claims');
    await rows.first().dblclick();
    await expect(page.getByRole('region', { name: 'Amount details' })).toBeVisible();
    await openList(page, 'Claims');
    const path = join(folder, 'claims.csv');
    standIn.do({ kind: 'saveTo', path });
    await page.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Export/ });
    await dialog.getByText('CSV for systems').click();
    await dialog.getByText('Reimbursement').click();
    await dialog.getByRole('button', { name: /^Save file…?$/ }).click();
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused();
    const [, ...lines] = parseCsv(await readFile(path, 'utf8'));
    expect(lines).toHaveLength(400);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('a second start ends, and the first goes on', async () => {
    const [code] = await once(standIn.startAgain(), 'exit');
    expect(code).toBe(0);
    expect(await page.evaluate(() => document.title)).toContain('Claimdesk');
  });

  await test.step('a lock ends engine and page, and a new page shows the lock screen', async () => {
    const [engine] = await listChildren(mainPid, 'engine');
    const old = page;
    const closed = old.waitForEvent('close');
    // The page ends while its key is still held down.
    void old.keyboard.press('ControlOrMeta+Shift+L').catch(() => undefined);
    await expect.poll(() => existsSync(`/proc/${engine}`)).toBe(false);
    await closed;
    page = await findWindow(browser, old);
    await expect(page.getByRole('heading', { name: 'Claimdesk is locked' })).toBeVisible();
    expect(await listChildren(mainPid, 'engine')).toEqual([]);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await openList(page, 'Claims');
  });

  await test.step('quitting ends everything and releases the lease', async () => {
    const children = [
      ...(await listChildren(mainPid, 'engine')),
      ...(await listChildren(mainPid, 'sandbox')),
    ];
    expect(children).toHaveLength(2);
    standIn.do({ kind: 'quit' });
    const [code] = await once(main, 'exit');
    expect(code).toBe(0);
    expect(children.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    const [entry = ''] = await readdir(join(profileDir, 'lease'));
    const lease = JSON.parse(await readFile(join(profileDir, 'lease', entry), 'utf8'));
    expect(lease).toMatchObject({ pid: mainPid, isReleased: true });
  });
});

test('a removal for the team waits for a question outside the page; with the sample its colleague acknowledges', {
  tag: '@long',
}, async ({ standIn }) => {
  const page = await findWindow(standIn.browser);
  const asked: string[] = [];
  standIn.main.on('message', (told: Told) => {
    if (told.kind === 'asked') asked.push(told.message);
  });
  await exploreSample(page);
  await openSettings(page, 'Team');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Try it as a team').click();
  await button('Remove for the team…').click({ timeout: 60_000 });
  await page.getByLabel('What to remove').selectOption('Everything');
  await page.getByLabel('Reason').fill('The contract ended.');
  await button('Preview removal').click();
  await page.getByLabel('Type everything to confirm').fill('everything');
  await button('Remove for the team').click();
  await expect(page.getByText('Couldn’t remove for the team')).toBeVisible();
  expect(asked).toEqual(['Permanently remove everything for the whole team?']);
  standIn.do({ kind: 'answer', isYes: true });
  await button('Remove for the team').click();
  const removals = page.getByRole('list', { name: 'Removals for the team' });
  await expect(removals).toContainText('Removed on all 2 computers of the team', { timeout: 60_000 });
});
