import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { openSession } from '../../src/main/shells/cli/session.ts';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { endBenchShell, startBenchShell } from './support/bench-shell.ts';
import { report } from './support/figures.ts';
import { registerAndSync } from './support/register-and-sync.ts';

// How late the event loop of main is while a sync runs, with the window on 20,000 claims, as built, in the browser
// shell.
const claims = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-main-loop-'));
const profileDir = join(folder, 'profile');
const probePath = join(folder, 'loop.jsonl');
process.env.CLAIMDESK_VAULT_PASSPHRASE = 'bench passphrase';

const firstRow = (page: Page) =>
  page
    .getByRole('gridcell')
    .filter({ hasText: /^\d{3,}$/ })
    .first();

/** Opens the list of claims, one step from the screen that the window begins with. */
async function openClaims(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(() => {
    window.location.hash = '#/claims';
  });
  await firstRow(page).waitFor();
}

const service = await startSampleService({ members: 2_000, claims });
const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
try {
  const session = await openSession({ options: {}, writes: true, profileDir });
  await registerAndSync(session, service);
  await session.close();

  const { child, url } = startBenchShell({ profileDir, probePath });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await openClaims(page, await url);
  process.kill(child.pid as number, 'SIGUSR2');
  await wait(200);
  rmSync(probePath, { force: true });
  await page.goto(`${page.url().split('#')[0]}#/sync`);
  await page.getByRole('button', { name: 'Sync now' }).first().click();
  await wait(4_000);
  // The engine has no probe: its loop is measured by the bench of syncs.
  process.kill(child.pid as number, 'SIGUSR2');
  for (let tries = 0; !existsSync(probePath) && tries < 100; tries += 1) await wait(50);
  const { p50Ms, p99Ms, maxMs, rssMb } = JSON.parse(readFileSync(probePath, 'utf8')) as Record<
    string,
    number
  >;
  const how = `median ${p50Ms}, longest ${maxMs}; ${rssMb} MB of memory`;
  report({ what: 'Lateness of the event loop of main in a sync, p99', figure: p99Ms ?? 0, unit: 'ms', how });
  await context.close();
  await endBenchShell(child);
} finally {
  await browser.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
