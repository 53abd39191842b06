import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  test as base,
  chromium,
  _electron as electron,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';

export { expect };

export interface AppOptions {
  /** Members and claims of the sample. */
  readonly members: number;
  readonly claims: number;
  readonly environment: Readonly<Record<string, string>>;
  /** The zoom that the user set: 2 halves the room that a page has. */
  readonly zoom?: number;
  /** Keys are pressed also while the app rests after an act, when they must not act. */
  readonly isBrisk?: boolean;
}

/** The built app with one window open. */
export interface App {
  readonly page: Page;
  /** The pid of the main process. */
  readonly mainPid: number;
  readonly downloadsDir: string;
  readonly isElectron: boolean;
  /** Sets where the next file is saved, as the user would choose it. */
  chooseSavePath(path: string): Promise<void>;
  /** Ends the app, does something meanwhile, and starts it again with the same profile; resolves to its new window. */
  restart(meanwhile?: (profile: string) => Promise<unknown>): Promise<Page>;
  /** Starts another app, as on another computer, with a profile of its own; resolves to its window. */
  openAnother(): Promise<Page>;
}

interface Launched extends Omit<App, 'restart' | 'openAnother'> {
  close(): Promise<void>;
}

const isElectronRun = process.env.CLAIMDESK_E2E_SHELL === 'electron';

function appEnvironment(folder: string, options: AppOptions): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('CLAIMDESK_'),
  );
  return {
    ...Object.fromEntries(inherited),
    CLAIMDESK_SAMPLE_MEMBERS: String(options.members),
    CLAIMDESK_SAMPLE_CLAIMS: String(options.claims),
    CLAIMDESK_SAMPLE_TODAY: '2026-11-20',
    CLAIMDESK_DOWNLOADS: join(folder, 'downloads'),
    ...options.environment,
  };
}

async function readOpenUrl(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const url = /http:\/\/\S+/.exec(text)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`The app ended before its address was known: ${text}`);
}

async function launchBrowserShell(folder: string, options: AppOptions): Promise<Launched> {
  const args = ['out/main/browser.js', '--no-open', '--profile', join(folder, 'profile')];
  const child = spawn(process.execPath, args, {
    env: appEnvironment(folder, options),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readOpenUrl(child);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
  const zoom = options.zoom ?? 1;
  const context = await browser.newContext({
    viewport: { width: 1280 / zoom, height: 800 / zoom },
    deviceScaleFactor: zoom,
  });
  const page = await context.newPage();
  return {
    page,
    mainPid: child.pid ?? 0,
    downloadsDir: join(folder, 'downloads'),
    isElectron: false,
    chooseSavePath: async () => undefined,
    async close() {
      await browser.close();
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
    ...(await watchFaults(page, () => page.goto(url), options)),
  };
}

async function launchElectron(folder: string, options: AppOptions): Promise<Launched> {
  const app = await electron.launch({
    ...(process.env.CLAIMDESK_ELECTRON === undefined
      ? {}
      : { executablePath: process.env.CLAIMDESK_ELECTRON }),
    chromiumSandbox: true,
    args: ['.', '--profile', join(folder, 'profile')],
    env: appEnvironment(folder, options),
  });
  const page = await app.firstWindow();
  await app.evaluate(({ BrowserWindow, dialog }, zoom) => {
    // Every question outside the page is answered as the person of the spec would: yes, the second button.
    dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false });
    for (const window of BrowserWindow.getAllWindows()) {
      window.setContentSize(1280, 800);
      window.webContents.setZoomFactor(zoom);
    }
  }, options.zoom ?? 1);
  return {
    page,
    mainPid: app.process().pid ?? 0,
    downloadsDir: join(folder, 'downloads'),
    isElectron: true,
    chooseSavePath: (path) =>
      app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, path),
    close: () => app.close(),
    ...(await watchFaults(page, () => page.reload(), options)),
  };
}

/** The faults that must not happen in any spec: a violated policy, an uncaught exception, a damaged file. */
const faultsOf = new WeakMap<Page, string[]>();

/** The faults so far, which a test wanted: they do not count against it. */
export const takeFaults = (page: Page): string[] => faultsOf.get(page)?.splice(0) ?? [];

/** Keys that never act: they are pressed at once. */
const movingKeys = /^(Shift\+)?(Arrow\w+|Page\w+|Home|End|Tab|Escape)$/;

/**
 * Makes each click and key wait until the app no longer rests, because it ignores acts for 200 ms after an act, and keys
 * for a row for 200 ms after the rows of a list are complete. How slow the machine is would else decide whether a press counts.
 */
async function pressAfterRest(page: Page): Promise<void> {
  const rest = page.locator('[data-resting]');
  await page.addLocatorHandler(rest, async () => undefined);
  const press = page.keyboard.press.bind(page.keyboard);
  page.keyboard.press = async (key, options) => {
    if (!movingKeys.test(key)) await expect(rest).toHaveCount(0);
    await press(key, options);
  };
}

async function watchFaults(
  page: Page,
  load: () => Promise<unknown>,
  { isBrisk = false }: AppOptions,
): Promise<object> {
  if (!isBrisk) await pressAfterRest(page);
  const faults: string[] = [];
  faultsOf.set(page, faults);
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (/content.security.policy|CSP violation|Damaged file:/i.test(message.text()))
      faults.push(message.text());
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      // biome-ignore lint/suspicious/noConsole: the way out of the page to the test
      console.error(`CSP violation: ${violatedDirective} ${blockedURI}`);
    });
    let isDamageSeen = false;
    new MutationObserver(() => {
      const banner = document.querySelector('[aria-label="Damaged file"]');
      // biome-ignore lint/suspicious/noConsole: the way out of the page to the test
      if (banner !== null && !isDamageSeen) console.error(`Damaged file: ${banner.textContent}`);
      isDamageSeen = banner !== null;
    }).observe(document, { childList: true, subtree: true });
  });
  await load();
  return {};
}

/**
 * Attaches the engine's log and what its stores say of their last check and repair. Returns the lines that tell of
 * damage: no walk damages a file itself.
 */
async function attachStoreReports(profileDir: string, info: TestInfo): Promise<string[]> {
  const damaged: string[] = [];
  for await (const path of glob('{logs/engine.log*,**/*.findings}', { cwd: profileDir })) {
    await info.attach(basename(path), { path: join(profileDir, path), contentType: 'text/plain' });
    for (const line of (await readFile(join(profileDir, path), 'utf8')).split('\n'))
      if (/"(store\.damaged|SQLITE_CORRUPT|SQLITE_NOTADB)|"isSound":false/.test(line)) damaged.push(line);
  }
  return damaged;
}

export const test = base.extend<{ options: AppOptions; app: App; page: Page }>({
  options: [{ members: 60, claims: 400, environment: {} }, { option: true }],
  app: async ({ options }, use, info) => {
    const folder = await mkdtemp(join(tmpdir(), 'claimdesk-e2e-'));
    await mkdir(join(folder, 'downloads'));
    const launch = (at = folder) => (isElectronRun ? launchElectron : launchBrowserShell)(at, options);
    let launched = await launch();
    const others: Launched[] = [];
    const { page, mainPid, downloadsDir, isElectron, chooseSavePath } = launched;
    const faults = [faultsOf.get(page)];
    await use({
      page,
      mainPid,
      downloadsDir,
      isElectron,
      chooseSavePath,
      async restart(meanwhile) {
        await launched.close();
        await meanwhile?.(join(folder, 'profile'));
        launched = await launch();
        faults.push(faultsOf.get(launched.page));
        return launched.page;
      },
      async openAnother() {
        const another = await launch(join(folder, `another-${others.length}`));
        others.push(another);
        faults.push(faultsOf.get(another.page));
        return another.page;
      },
    });
    for (const one of [launched, ...others]) await one.close();
    const damaged = await attachStoreReports(join(folder, 'profile'), info);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    faults.push(damaged);
    expect(faults.flat(), 'no violation of the policy, exception or damaged file').toEqual([]);
  },
  page: async ({ app }, use) => use(app.page),
});
