import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { test as base, expect } from './app.ts';
import { judge } from './axe.ts';
import { claimTitle, exploreSample, openList, openSettings } from './steps.ts';

const entry = join(import.meta.dirname, '../../src/team-server/index.ts');
const startProgram = (...args: string[]) =>
  spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
const readLine = async (program: ChildProcess): Promise<string> => {
  const [line] = await once(createInterface(program.stdout as NodeJS.ReadableStream), 'line');
  return String(line);
};

interface TeamServer {
  readonly origin: string;
  readonly setupCode: string;
  readonly end: () => Promise<void>;
  /** At the same address. */
  readonly startAgain: () => Promise<void>;
}

/** A team server as a process of its own, which ends with the test. */
const test = base.extend<{ server: TeamServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures it needs from the pattern
  server: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'claimdesk-e2e-team-'));
    const run = async (...args: string[]) => {
      const program = startProgram(...args, '--data', folder);
      return { program, said: JSON.parse(await readLine(program)) as Record<string, string> };
    };
    let running = await run('--port', '0');
    const origin = String(running.said.origin);
    const end = async () => {
      const { program } = running;
      if (program.exitCode === null && program.kill('SIGTERM')) await once(program, 'exit');
    };
    const startAgain = async () => {
      running = await run('--port', new URL(origin).port);
    };
    const { said } = await run('code');
    await use({ origin, setupCode: String(said.setupCode), end, startAgain });
    await end();
    await rm(folder, { recursive: true, force: true });
  },
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const line = (page: Page, text: string | RegExp) => page.getByRole('link', { name: text });
const newest = (page: Page) =>
  page.getByRole('region', { name: 'Review history' }).getByRole('listitem').first();

test('two computers make a team; what one decides, the other sees, also what was done offline', {
  tag: '@long',
}, async ({ app, page, server }) => {
  test.setTimeout(240_000);
  const other = await app.openAnother();
  await Promise.all([exploreSample(page), exploreSample(other)]);
  await openSettings(page, 'Team');
  await expect(line(page, /^Team:/)).toHaveCount(0);
  await button(page, 'Make team…').click();
  await page.getByRole('textbox', { name: 'Server address' }).fill(server.origin);
  await page.getByRole('textbox', { name: 'Set-up code' }).fill(server.setupCode);
  await button(page, 'Make team').click();
  await expect(page.getByRole('region', { name: 'Recovery key' })).toContainText(server.origin);
  await judge(page, 'team-recovery-key');
  const recovery = await page.getByRole('region', { name: 'Recovery key' }).textContent();
  const [recoveryKey = ''] = /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/.exec(recovery ?? '') ?? [];
  await page.getByRole('checkbox').check();
  await button(page, 'Continue').click();
  await page.getByRole('textbox', { name: 'Recovery key' }).fill(recoveryKey);
  await button(page, 'Make invitation').click();
  const invitation = await page.getByLabel('Invitation', { exact: true }).textContent();
  await button(page, 'Done').click();
  await expect(line(page, 'Team: live')).toBeVisible();

  await openSettings(other, 'Team');
  await button(other, 'Join team…').click();
  await other.getByRole('textbox', { name: 'Invitation' }).fill(invitation ?? '');
  await button(other, 'Ask to join').click();
  await expect(line(other, 'Team: waiting for approval')).toBeVisible();
  const code = (await other.locator('code').textContent()) ?? '';
  await expect(page.getByRole('list', { name: 'Asked to join' })).toContainText(code);
  await judge(page, 'team-asked');
  await button(page, /^Approve/).click();
  await expect(line(other, 'Team: live')).toBeVisible({ timeout: 90_000 });

  const rows = await openList(page, 'Claims');
  await rows.nth(3).dblclick();
  const title = (await claimTitle(page).textContent()) ?? '';
  const address = await page.evaluate(() => window.location.hash);
  await page.getByRole('button', { name: /^In review/ }).click();
  await other.evaluate((hash) => {
    window.location.hash = hash;
  }, address);
  await expect(claimTitle(other)).toHaveText(title);
  await expect(newest(other)).toContainText(/^In review.*, signed with SHA256:/);

  await server.end();
  await expect(line(page, 'Team: offline')).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: /^To do/ }).click();
  await expect(line(page, 'Team: offline, 1 to send')).toBeVisible();
  await server.startAgain();
  await expect(newest(other)).toContainText('To do', { timeout: 90_000 });
  await expect(line(page, 'Team: live')).toBeVisible({ timeout: 90_000 });

  await openSettings(page, 'Team');
  await button(page, /^Remove computer .*…$/).click();
  await button(page, 'Remove from team').click();
  await expect(line(other, /^Team: This computer isn’t a member/)).toBeVisible({ timeout: 90_000 });
});

test('with sample data a team is tried in one step, and a colleague decides claims beside one', {
  tag: '@long',
}, async ({ page }) => {
  test.setTimeout(120_000);
  await exploreSample(page);
  await openSettings(page, 'Team');
  await button(page, 'Try it as a team').click();
  await expect(line(page, 'Team: live')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('colleague@example.com');
  await judge(page, 'team-tried');
  const rows = await openList(page, 'Claims');
  await expect(rows.first()).toBeVisible();
  await expect(line(page, 'Team: live')).toBeVisible();
});
