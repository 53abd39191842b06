import { existsSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { listChildren } from '../support/child-processes.ts';
import { findInMemory } from '../support/process-memory.ts';
import { expect, test } from './app.ts';
import { exploreSample, openList } from './steps.ts';

test.use({ options: { members: 300, claims: 1500, environment: {} } });

/** Names of the sample's people as the window shows them, read by paging down the list of claims. */
async function readNames(page: Page, wanted: number): Promise<string[]> {
  const names = new Set<string>();
  const rows = await openList(page, 'Claims');
  await rows.first().locator('[col-id="patient_name"]').click();
  const focused = page.getByRole('row').filter({ has: page.locator('.ag-cell-focus') });
  for (let pages = 0; pages < 40 && names.size < wanted; pages += 1) {
    const cells = await page.locator('[role="gridcell"][col-id="patient_name"]').allInnerTexts();
    // Two words of plain letters: nothing that a program could hold for reasons of its own.
    for (const name of cells) if (/^[A-Za-z]{3,} [A-Za-z]{3,}$/.test(name)) names.add(name);
    const before = (await focused.first().getAttribute('aria-rowindex')) ?? '';
    // At the edge of the fetched rows a press does nothing until more are there; a user presses again.
    await expect(async () => {
      await page.keyboard.press('PageDown');
      await expect(focused.first()).not.toHaveAttribute('aria-rowindex', before, { timeout: 500 });
    }).toPass({ timeout: 15_000 });
    // A row has the focus before its record is there.
    await expect(focused.filter({ hasText: /\d/ }).first()).toBeVisible();
  }
  return [...names].slice(0, wanted);
}

test('a lock clears: 100 names that the window had shown are in no process of ours', {
  // The engine is found and its memory read as a process of Node on Linux.
  tag: ['@long', '@node'],
}, async ({ app, page }) => {
  await exploreSample(page);
  const names = await readNames(page, 100);
  expect(names).toHaveLength(100);
  const [engine = 0] = await listChildren(app.mainPid, 'engine');

  // The search can find: before the lock the engine holds names, and main already holds none.
  expect((await findInMemory(engine, names)).length).toBeGreaterThan(0);
  expect(await findInMemory(app.mainPid, names)).toEqual([]);

  await page.getByRole('button', { name: 'Lock now' }).first().click();
  await expect(page.getByRole('heading', { name: 'Claimdesk is locked' })).toBeVisible();
  await expect.poll(() => existsSync(`/proc/${engine}`), { timeout: 5_000 }).toBe(false);
  expect(await listChildren(app.mainPid, 'engine')).toEqual([]);
  expect(await findInMemory(app.mainPid, names)).toEqual([]);
  const shown = await page.locator('body').textContent();
  expect(names.filter((name) => shown?.includes(name))).toEqual([]);

  await page.getByRole('button', { name: 'Unlock' }).click();
  await openList(page, 'Claims');
});

test('the keyboard locks, and nothing is answered meanwhile', async ({ page }) => {
  await exploreSample(page);
  await page.keyboard.press('ControlOrMeta+Shift+L');
  await expect(page.getByRole('heading', { name: 'Claimdesk is locked' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Claimdesk is locked' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await expect(page.getByText('Sample: no passphrase.')).toBeVisible();
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  await page.keyboard.press('Enter');
  await openList(page, 'Claims');
  expect(loads, 'an unlock loads the page once').toBe(1);
});
