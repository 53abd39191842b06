import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { openSession } from '../../src/main/shells/cli/session.ts';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { endBenchShell, startBenchShell } from './support/bench-shell.ts';
import { registerAndSync } from './support/register-and-sync.ts';

// The window on 20,000 claims, as built, in the browser shell: start to first rows, key press to the next
// claim painted, and how late the event loop of main is while a sync runs.
const claims = 20_000;
const starts = 5;
const presses = 60;
const tell = (bench: string, figures: Record<string, unknown>): void =>
  void process.stdout.write(`${JSON.stringify({ bench, ...figures })}\n`);
const at = (values: number[], share: number): number =>
  Math.round((values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0) * 10) / 10;

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-window-'));
const profileDir = join(folder, 'profile');
const probePath = join(folder, 'loop.jsonl');
process.env.CLAIMDESK_VAULT_PASSPHRASE = 'bench passphrase';

const firstRow = (page: Page) =>
  page
    .getByRole('gridcell')
    .filter({ hasText: /^\d{3,}$/ })
    .first();

/** The window begins with what is to be done; the list of claims is one step from there. */
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

  const startTimes: number[] = [];
  for (let index = 0; index < starts; index += 1) {
    const began = performance.now();
    const { child, url } = startBenchShell({ profileDir, probePath });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await openClaims(page, await url);
    startTimes.push(performance.now() - began);
    await context.close();
    await endBenchShell(child);
  }
  tell('window.startToFirstRows', {
    claims,
    medianMs: at(startTimes, 0.5),
    maxMs: at(startTimes, 1),
    runs: starts,
  });

  const { child, url } = startBenchShell({ profileDir, probePath });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await openClaims(page, await url);
  const rows = page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
  await rows.nth(2).dblclick();
  await page.getByRole('heading', { level: 1, name: /^Claim \d/ }).waitFor();
  const times: number[] = [];
  for (let index = 0; index < presses; index += 1) {
    // A person reads before pressing again.
    await page.getByRole('button', { name: 'Next in list', disabled: false }).waitFor();
    await wait(50);
    times.push(
      await page.evaluate(async () => {
        // The list stays in the page, unseen, with a title of its own.
        const readTitle = () =>
          [...document.querySelectorAll('h1')].find((one) =>
            one.checkVisibility({ visibilityProperty: true }),
          )?.textContent;
        const before = readTitle();
        const began = performance.now();
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', bubbles: true }),
        );
        while (readTitle() === before) {
          if (performance.now() - began > 5_000) return 5_000;
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
        return performance.now() - began;
      }),
    );
  }
  tell('window.nextClaim', { medianMs: at(times, 0.5), p95Ms: at(times, 0.95), runs: presses });

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
  tell('window.loopDelayOfMainDuringSync', { p50Ms, p99Ms, maxMs, rssMb });
  await context.close();
  await endBenchShell(child);
} finally {
  await browser.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
