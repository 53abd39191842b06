import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { parseCsv } from '../support/csv.ts';
import { expect, test } from './app.ts';
import {
  exploreSample,
  goTo,
  hiddenColumns,
  nav,
  openList as open,
  pressKey,
  setSampleService,
  startSync,
} from './steps.ts';

/** Opens a list, of which no column is cut off. */
const openList: typeof open = async (page, name) => {
  const rows = await open(page, name);
  expect(await hiddenColumns(page), `columns of ${name} that are cut off`).toEqual([]);
  return rows;
};

/** Member → dependents → claims → claim → lines, from what is on this computer. */
async function walkRecords(page: Page): Promise<void> {
  const members = await openList(page, 'Members');
  await members.nth(2).dblclick();
  await expect(page.getByRole('region', { name: 'Identity' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Employer' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Identity' }).getByText(/\*\*\*-\*\*-\d{4}/)).toBeVisible();
  await expect(page.getByRole('region', { name: /^Dependents \(\d+\)$/ })).toBeVisible();

  const dependents = await openList(page, 'Dependents');
  await dependents.first().dblclick();
  await expect(page.getByRole('region', { name: 'Member and contact' })).toBeVisible();
  await page.getByRole('region', { name: 'Member and contact' }).getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Identity' })).toBeVisible();

  const claims = await openList(page, 'Claims');
  // From the heading, where the focus is on arrival, into the list.
  await page.getByRole('heading', { level: 1 }).focus();
  await pressKey(page, 'j');
  await expect(claims.first().locator('.ag-cell-focus')).toBeVisible();
  await claims.first().dblclick();
  await expect(page.getByRole('region', { name: 'Amount details' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/Claim \d+/);
  await expect(page.getByRole('heading', { name: /^Claim lines|^Lines/ })).toBeVisible();

  await openList(page, 'Claim lines');
}

test('sample data, synced, read, and all of it again with the service gone, exported too', async ({
  app,
  page,
}) => {
  await test.step('one click, and a sync that is proven', async () => {
    await exploreSample(page);
    await expect(nav(page, 'Claims')).toContainText('400');
    // The sidebar counts what the list shows: both leave archived members out.
    await openList(page, 'Members');
    const totals = page.getByRole('region', { name: 'Totals' }).getByRole('status').first();
    await expect(totals).toContainText(/\d+ member/);
    const shown = await totals.textContent();
    const [count = 'none'] = /\d+/.exec(shown ?? '') ?? [];
    await expect(nav(page, 'Members')).toContainText(count);
    expect(Number(count)).toBeLessThanOrEqual(60);
    await goTo(page, 'Sync');
    await expect(page.getByRole('region', { name: 'Last sync' })).toContainText(
      new RegExp(`Members60: ${count} in the list, ${60 - Number(count)} archived`),
    );
  });
  await test.step('records are there', async () => {
    await walkRecords(page);
  });
  await test.step('the service is gone', async () => {
    await setSampleService(page, false);
    await startSync(page);
    const failed = page.getByRole('alert').filter({ hasText: 'The last sync did not finish' });
    await expect(failed).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(/^Offline · last full sync/)).toBeVisible();
  });
  await test.step('records are there still, and found by searching', async () => {
    await walkRecords(page);
    const rows = await openList(page, 'Claims');
    const [, , patient = ''] = await rows.nth(4).getByRole('gridcell').allInnerTexts();
    const word = /\p{L}{4,}/u.exec(patient)?.[0] ?? 'Processed';
    await page.getByRole('textbox', { name: 'Search claims' }).fill(word);
    await expect(page.getByRole('region', { name: 'Totals' }).getByRole('status').first()).not.toContainText(
      '400',
    );
    await expect(rows.first()).toBeVisible();
    await page.getByRole('textbox', { name: 'Search claims' }).fill('');
    await expect(page.getByRole('region', { name: 'Totals' }).getByRole('status').first()).toContainText(
      '400',
    );
  });
  await test.step('exported: the file has every row', async () => {
    const path = join(app.downloadsDir, 'all-claims.csv');
    await app.chooseSavePath(path);
    await page.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Export/ });
    await dialog.getByText('CSV for systems').click();
    await dialog.getByLabel(/^Columns/).selectOption('All except sensitive');
    await dialog.getByText('Reimbursement').click();
    await dialog.getByRole('button', { name: /^Save file…?$/ }).click();
    await expect(dialog.getByText(/400 rows/).first()).toBeVisible({ timeout: 60_000 });
    // The element that had the focus is gone; the dialog keeps the focus, so that Escape closes it.
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused();
    const [name = ''] = await readdir(app.downloadsDir);
    const [header = [], ...rows] = parseCsv(await readFile(join(app.downloadsDir, name), 'utf8'));
    expect(rows).toHaveLength(400);
    expect(header).toContain('patient_name');
    expect(header.filter((column) => /ssn|birth|diagnosis/i.test(column))).toEqual([]);
    expect(new Set(rows.map((row) => row[header.indexOf('id')])).size).toBe(400);
  });
  await test.step('the service is back, and a sync is complete again', async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await setSampleService(page, true);
    await startSync(page);
    await expect(page.getByRole('region', { name: 'Last sync' })).toContainText('Verified complete', {
      timeout: 60_000,
    });
  });
});
