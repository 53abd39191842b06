import type { Page } from '@playwright/test';
import { type ErrorCode, errorTable } from '../../src/contract/error-codes.ts';
import type { ProcedureName } from '../../src/contract/procedures.ts';
import { expect, test } from './app.ts';
import { exploreSample, goTo, openList, setSampleService, startSync } from './steps.ts';

const lists = ['Claims', 'Members', 'Dependents', 'Claim lines'] as const;
const count = (page: Page) => page.getByRole('region', { name: 'Totals' }).getByRole('status').first();
const firstRow = (page: Page) => page.locator('.ag-row[row-index="0"]').first();
const alertOf = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title });

/** Lets the engine answer a procedure with an error until the returned function is called. */
async function failCalls(
  page: Page,
  procedure: ProcedureName,
  code: ErrorCode,
): Promise<() => Promise<void>> {
  const address = `**/call/${procedure}`;
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    await route.fulfill({ response, json: { ok: false, error: { code, ...errorTable[code] } } });
  });
  return () => page.unroute(address);
}

async function addFilter(page: Page, column: string, value: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Column', { exact: true }).selectOption({ label: column });
  const form = page.getByRole('form', { name: `Filter by ${column}` });
  await form.getByRole('checkbox', { name: value }).check();
  await form.getByRole('button', { name: 'Apply' }).click();
  await expect(form).toHaveCount(0);
}

test('lists on their bad days: the service is gone, nothing fits, the engine answers errors', async ({
  app,
  page,
}) => {
  await exploreSample(page);

  await test.step('without the service every list is there, and the window says so', async () => {
    await setSampleService(page, false);
    await startSync(page);
    await expect(page.getByText(/^Offline · last complete sync today/)).toBeVisible({ timeout: 60_000 });
    for (const name of lists) {
      await openList(page, name);
      await expect(count(page)).toHaveText(/^[1-9]/);
      await expect(page.getByText(/^Offline · /)).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    }
    for (const name of ['Employers', 'Tenants'] as const) {
      await goTo(page, name);
      await expect(
        page.getByRole('table', { name: name.toLowerCase() }).getByRole('link').first(),
      ).toBeVisible();
    }
    await goTo(page, 'Insights');
    await expect(page.getByRole('table', { name: 'By status' })).toBeVisible();
  });

  await test.step('where nothing fits, the filters are named, and one press takes them away', async () => {
    await openList(page, 'Claims');
    await addFilter(page, 'Status', /^Processed/);
    await page.getByRole('textbox', { name: 'Search claims' }).fill('zzzz');
    const empty = page.getByRole('main').filter({ hasText: 'No claims match' });
    await expect(empty.getByRole('listitem').filter({ hasText: 'Search for “zzzz”' })).toBeVisible();
    await expect(empty.getByRole('listitem').filter({ hasText: /^Status is Processed$/ })).toHaveCount(2);
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect(count(page)).toHaveText('400 claims');
    await expect(firstRow(page)).toContainText(/\d/);

    await goTo(page, 'Employers');
    await page.getByRole('textbox', { name: 'Search employers' }).fill('zzzz');
    await expect(page.getByText('No employers match')).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).last().click();
    await expect(page.getByRole('table', { name: 'employers' })).toBeVisible();

    await goTo(page, 'Insights');
    await page.getByRole('combobox', { name: 'Year of service' }).selectOption({ index: 6 });
    await expect(page.getByText(/^Year of service is \d{4}$/)).toBeVisible();
    await page.getByRole('button', { name: 'Show all claims' }).click();
    await expect(page.getByRole('table', { name: 'By status' })).toBeVisible();
  });

  // In Electron nothing stands between the window and the engine.
  if (app.isElectron) return;

  await test.step('a list that cannot be made says why; the rest goes on; trying again works', async () => {
    for (const name of lists) {
      const mend = await failCalls(page, 'records:begin', 'store.busy');
      await openScreenAnew(page, name);
      const alert = alertOf(page, `The ${name.toLowerCase()} cannot be shown`);
      await expect(alert).toContainText(errorTable['store.busy'].message);
      await expect(alert).toContainText('store.busy');
      await expect(count(page)).toHaveText('Not counted');
      await alert.getByRole('button', { name: 'Try again' }).click();
      await expect(alert).toBeVisible();
      await mend();
      await alert.getByRole('button', { name: 'Try again' }).click();
      await expect(firstRow(page)).toContainText(/\d/);
      await expect(alert).toHaveCount(0);
      await expect(count(page)).toHaveText(/^[1-9]/);
    }
  });

  await test.step('rows that cannot be read say why, and come when tried again', async () => {
    await openList(page, 'Claims');
    const mend = await failCalls(page, 'records:getWindow', 'store.busy');
    const all = page.getByRole('button', { name: 'Clear filters' });
    await page.getByRole('textbox', { name: 'Search claims' }).fill('a');
    await expect(all).toBeVisible();
    await page.locator('.ag-row[row-index="0"] .ag-cell[col-id="status"]').click();
    await page.keyboard.press('ControlOrMeta+End');
    const alert = alertOf(page, 'Some rows cannot be shown');
    await expect(alert).toContainText('store.busy');
    await mend();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(alert).toHaveCount(0);
    await expect(page.locator('.ag-cell-focus')).toHaveText(/\w/);
    await all.click();
    await expect(count(page)).toHaveText('400 claims');
  });

  await test.step('organizations and charts the same', async () => {
    for (const [name, procedure, what] of [
      ['Employers', 'records:listEmployers', 'The employers cannot be shown'],
      ['Tenants', 'records:listTenants', 'The tenants cannot be shown'],
      ['Insights', 'records:group', 'This cannot be shown'],
    ] as const) {
      const mend = await failCalls(page, procedure, 'store.busy');
      await openScreenAnew(page, name);
      const alert = alertOf(page, what).first();
      await expect(alert).toContainText('store.busy');
      await mend();
      await alert.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('main').getByRole('table').first()).toBeVisible();
    }
  });
});

/** A window that has just been opened remembers no list. */
async function openScreenAnew(page: Page, name: string): Promise<void> {
  await goTo(page, name);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}
