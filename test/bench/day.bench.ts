import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { openSession } from '../../src/main/shells/cli/session.ts';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { passphrase } from './support/bench-profile.ts';
import { endBenchShell, startBenchShell } from './support/bench-shell.ts';
import { report } from './support/figures.ts';
import { timePaint } from './support/fixed-work.ts';
import { pressAndWait } from './support/page-timing.ts';
import { childrenOf, readWithChildrenMs } from './support/processes.ts';
import { registerAndSync } from './support/register-and-sync.ts';
import { startReplay } from './support/start-replay.ts';

// What a day costs: the app as built is started and unlocked, syncs 1,000 changes, opens twenty claims, exports the list
// and locks. In seconds of processor time of all of its processes, and in seconds that its user waits.
const claims = Number(process.env.CLAIMDESK_BENCH_CLAIMS ?? 100_000);
const days = 3;
const opened = 20;
const steps = ['start', 'unlock', 'sync', 'claims', 'export', 'lock'] as const;

interface Day {
  readonly waits: Readonly<Record<(typeof steps)[number], number>>;
  readonly processor: number;
  readonly chromium: number;
}

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-day-'));
const profileDir = join(folder, 'profile');
const downloads = join(folder, 'downloads');
mkdirSync(downloads);
process.env.CLAIMDESK_DOWNLOADS = downloads;
const replay = await startReplay(claims, Math.max(100, Math.round(claims / 20)), claims / 1_000);
const before = childrenOf(process.pid);
const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
const chromiumIds = childrenOf(process.pid).filter((pid) => !before.includes(pid));

/** A first sync, so that each day has only its changes to read. */
async function prepareProfile(): Promise<void> {
  process.env.CLAIMDESK_VAULT_PASSPHRASE = passphrase;
  const session = await openSession({ options: {}, writes: true, profileDir });
  const service = { baseUrl: replay.baseUrl, email: 'bench@example.org', register: async () => undefined };
  const { workspaceId } = await registerAndSync(session, service);
  await session.call('worklists:report', { workspaceId });
  await session.close();
  // Without it in the environment, a start asks for the passphrase.
  delete process.env.CLAIMDESK_VAULT_PASSPHRASE;
}

const firstRow = (page: Page) =>
  page
    .getByRole('gridcell')
    .filter({ hasText: /^\d{3,}$/ })
    .first();

async function syncOnce(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sync now' }).first().click();
  const progress = page.getByRole('region', { name: 'In progress' });
  await progress.waitFor();
  await progress.waitFor({ state: 'detached', timeout: 600_000 });
  if (await page.getByText('The last sync did not finish').isVisible()) throw new Error('no sync');
}

async function exportOnce(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Export/ });
  await dialog.getByText('CSV for systems').click();
  await dialog.getByText('Reimbursement').click();
  const began = performance.now();
  await dialog.getByRole('button', { name: /^Save file…?$/ }).click();
  await dialog.getByRole('button', { name: 'Done' }).waitFor({ timeout: 600_000 });
  const ms = performance.now() - began;
  await dialog.getByRole('button', { name: 'Done' }).click();
  return ms;
}

async function passDay(): Promise<Day> {
  await replay.change();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto('about:blank');
  await timePaint(page);
  const readWindowMs = (): number => chromiumIds.reduce((ms, pid) => ms + readWithChildrenMs(pid), 0);
  const windowBefore = readWindowMs();
  const clock = async (work: Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work;
    return performance.now() - began;
  };
  const field = page.getByRole('textbox', { name: 'Unlock passphrase' });
  const began = performance.now();
  const { child, url } = startBenchShell({ profileDir });
  await page.goto(await url);
  await field.waitFor();
  const start = performance.now() - began;
  await page.evaluate(() => {
    window.location.hash = '#/claims';
  });
  await field.fill(passphrase);
  await page.keyboard.press('Enter');
  const unlock = await clock(firstRow(page).waitFor());
  await page.getByRole('link', { name: /^Sync/ }).first().click();
  const sync = await clock(syncOnce(page));
  await page.getByRole('link', { name: /^Claims/ }).click();
  await firstRow(page).waitFor();
  await page.locator('.ag-row[row-index="2"] .ag-cell[col-id="patient_name"]').click();
  let inClaims = 0;
  for (let index = 0; index < opened; index += 1)
    inClaims += (await pressAndWait(page, index === 0 ? 'Enter' : 'j', 'title')).paintedMs;
  await page.keyboard.press('Escape');
  const exported = await exportOnce(page);
  const lock = await clock(page.keyboard.press('Control+Shift+L').then(() => field.waitFor()));
  const processor = readWithChildrenMs(child.pid ?? 0);
  const inChromium = readWindowMs() - windowBefore;
  await context.close();
  await endBenchShell(child);
  return {
    waits: { start, unlock, sync, claims: inClaims, export: exported, lock },
    processor,
    chromium: inChromium,
  };
}

const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0) / 1000;

try {
  await prepareProfile();
  const all: Day[] = [];
  for (let day = 0; day < days; day += 1) {
    all.push(await passDay());
    await wait(1_000);
  }
  const how = `median of ${days}; start, unlock, sync of 1,000 changes, ${opened} claims, export, lock`;
  const totals = all.map(({ waits }) => steps.reduce((ms, step) => ms + waits[step], 0));
  const parts = steps.map((step) => `${step} ${median(all.map(({ waits }) => waits[step])).toFixed(1)}`);
  const processor = median(all.map((day) => day.processor));
  report({ what: 'A day: processor time of main and engine', figure: processor, unit: 's', how });
  const inChromium = median(all.map((day) => day.chromium));
  report({ what: 'A day: processor time of the processes of Chromium', figure: inChromium, unit: 's', how });
  const waited = `median of ${days}; ${parts.join(', ')}`;
  report({ what: 'A day: waiting', figure: median(totals), unit: 's', how: waited });
} finally {
  await browser.close();
  await replay.stop();
  rmSync(folder, { recursive: true, force: true });
}
