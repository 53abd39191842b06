import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { openList } from './steps.ts';

test.use({ options: { members: 400, claims: 8_000, environment: {} } });

/** What a column shows, row by row: in the document the rows stand as they came. */
const textsOf = (page: Page, column: string, rows: number): Promise<string[]> =>
  page.evaluate(
    ([id, count]) =>
      Array.from(
        { length: count },
        (_none, row) =>
          document.querySelector(`.ag-row[row-index="${row}"] .ag-cell[col-id="${id}"]`)?.textContent ?? '',
      ),
    [column, rows] as const,
  );
const cellAt = (page: Page, row: number, column: string) =>
  page.locator(`.ag-row[row-index="${row}"] .ag-cell[col-id="${column}"]`);
const totals = (page: Page) => page.getByRole('region', { name: 'Totals' });
const count = (page: Page) => totals(page).getByRole('status').first();
const title = (page: Page) => page.getByRole('heading', { level: 1 });

/** "$1,234.5678" as whole ten-thousandths. */
function toWhole(text: string): bigint {
  const [dollars = '0', fraction = ''] = text.replace(/[$,]/g, '').replace('−', '-').split('.');
  const whole = BigInt(dollars.replace('-', '') + fraction.padEnd(4, '0'));
  return text.startsWith('−') ? -whole : whole;
}

async function fillFilter(form: Locator, value: string): Promise<void> {
  await form.getByRole('button', { name: 'Apply' }).waitFor();
  const box = form.getByRole('checkbox', { name: new RegExp(`^${value}( |$)`) });
  const field = form.getByLabel('Value', { exact: true });
  await box.or(field).first().waitFor();
  if (await box.isVisible()) await box.check();
  else await field.fill(value);
  await form.getByRole('button', { name: 'Apply' }).click();
  await expect(form).toHaveCount(0);
}

test('a session of browsing: a sync underneath, filters with sums, views out and in, fifty claims by keyboard', async ({
  app,
  page,
}) => {
  await test.step('what is read stays in its place while the first sync goes on', async () => {
    await page.getByRole('button', { name: 'Explore sample data' }).click();
    const rows = await openList(page, 'Claims');
    await expect(rows.first()).toContainText(/\d/, { timeout: 60_000 });
    await cellAt(page, 0, 'id').click({ position: { x: 60, y: 8 }, modifiers: ['ControlOrMeta'] });
    const focused = page.locator('.ag-cell-focus');
    await expect(focused).toHaveText(/\d/);
    const first = await focused.innerText();
    await page.keyboard.press('PageDown');
    await expect(focused).not.toHaveText(first);
    await expect(focused).toHaveText(/\d/);
    const [before, top] = [await focused.innerText(), await focused.boundingBox()];
    await expect(page.getByText(/last complete sync today/)).toBeVisible({ timeout: 90_000 });
    expect(await focused.innerText()).toBe(before);
    expect((await focused.boundingBox())?.y).toBe(top?.y);
    await expect(page.getByText('1 selected')).toBeVisible();
    await page.getByRole('button', { name: 'Newer data: show them' }).click();
    await expect(count(page)).toHaveText('8,000 claims');
    await expect(page.getByText('1 selected')).toHaveCount(0);
  });

  await test.step('three filters leave twelve, and the sums are those of the rows', async () => {
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.getByLabel('Group by').selectOption({ label: 'By Status' });
    await page
      .getByRole('complementary', { name: 'Groups' })
      .getByRole('button', { name: 'Processed' })
      .click();
    await expect(page.getByRole('button', { name: 'Status is Processed', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Close groups' }).click();
    await page.locator('.ag-header-cell[col-id="network"]').hover();
    await page.getByRole('button', { name: 'Filter Network' }).click();
    await fillFilter(page.getByRole('form', { name: 'Filter by Network' }), 'OUT');
    const billed = page.locator('.ag-header-cell[col-id="amount_billed"]');
    await billed.click({ position: { x: 16, y: 15 } });
    await billed.click({ position: { x: 16, y: 15 } });
    await expect(billed).toHaveAttribute('aria-sort', 'descending');
    await expect
      .poll(async () => {
        const texts = await textsOf(page, 'amount_billed', 12);
        const amounts = texts.map((text) => (text === '' || text === '—' ? 0n : toWhole(text)));
        return amounts.every((amount, index) => amount > 0n && amount <= (amounts[index - 1] ?? amount));
      })
      .toBe(true);
    const least = (await cellAt(page, 11, 'amount_billed').innerText()).replace(/[$,]/g, '');
    await cellAt(page, 11, 'amount_billed').click();
    await page.keyboard.press('f');
    await fillFilter(page.getByRole('form', { name: 'Filter by Billed' }), least);
    await expect(count(page)).toHaveText('12 claims');
    await expect.poll(async () => (await textsOf(page, 'amount_billed', 12)).includes('')).toBe(false);
    const amounts = await textsOf(page, 'amount_billed', 12);
    const sum = amounts.reduce((whole, text) => whole + toWhole(text), 0n);
    const said = totals(page).locator('dl').first().locator('dd').first();
    await expect.poll(async () => toWhole(await said.innerText())).toBe(sum);
    await cellAt(page, 0, 'amount_billed').click();
    for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press('Shift+ArrowDown');
    const selection = page.getByRole('region', { name: 'Selection' });
    await expect(selection).toContainText('4 selected');
    const four = amounts.slice(0, 4).reduce((whole, text) => whole + toWhole(text), 0n);
    await expect.poll(async () => toWhole(await selection.locator('dd').first().innerText())).toBe(four);
    await page.keyboard.press('Escape');
    await expect(selection).toHaveCount(0);
  });

  await test.step('back and forward go through the filters', async () => {
    await page.goBack();
    await expect(page.getByRole('button', { name: /^Billed at least/ })).toHaveCount(0);
    await page.goForward();
    await expect(count(page)).toHaveText('12 claims');
  });

  await test.step('a view is saved, goes out as a file that names nobody, and comes in again', async () => {
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByLabel('Name of the view').fill('Twelve large ones');
    await page.getByRole('button', { name: 'Save view' }).click();
    const views = page.getByRole('navigation', { name: 'Saved views' });
    await expect(views.getByRole('button', { name: 'Twelve large ones' })).toBeVisible();
    await page.getByRole('button', { name: 'View: Twelve large ones' }).click();
    await page.getByRole('menuitem', { name: 'Manage views…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    const path = join(app.downloadsDir, 'view.json');
    await app.chooseSavePath(path);
    await dialog.getByRole('button', { name: 'Export Twelve large ones…' }).click();
    await expect(dialog.getByText(/^Saved to .*It holds no record\.$/)).toBeVisible();
    const [name = ''] = await readdir(app.downloadsDir);
    const file = join(app.downloadsDir, name);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 'claimdesk.view', leftOut: 0 });
    await dialog.getByRole('button', { name: 'Remove Twelve large ones' }).click();
    await expect(dialog.getByText('No view is saved yet.')).toBeVisible();
    await dialog.locator('input[type=file]').setInputFiles(file);
    await expect(dialog.getByText('“Twelve large ones” is there.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(count(page)).toHaveText('8,000 claims');
    await views.getByRole('button', { name: 'Twelve large ones' }).click();
    await expect(count(page)).toHaveText('12 claims');
  });

  await test.step('the window comes back as it was left', async () => {
    await page.waitForTimeout(1_200);
    await page.reload();
    await expect(count(page)).toHaveText('12 claims');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(count(page)).toHaveText('8,000 claims');
  });

  await test.step('fifty claims by keyboard alone', async () => {
    await page.keyboard.press('/');
    for (let pressed = 0; pressed < 40; pressed += 1) {
      if ((await page.locator('.ag-cell-focus:focus').count()) > 0) break;
      await page.keyboard.press('Tab');
    }
    await expect(page.locator('.ag-cell-focus:focus')).toHaveCount(1);
    const seen = new Set<string>();
    for (let opened = 0; opened < 50; opened += 1) {
      await page.keyboard.press('Enter');
      await expect(title(page)).toHaveText(/^Claim \d+$/);
      seen.add(await title(page).innerText());
      await page.keyboard.press('Escape');
      await expect(title(page)).toHaveText('Claims');
      await expect(page.locator('.ag-cell-focus:focus')).toHaveCount(1);
      await page.keyboard.press('j');
    }
    expect(seen.size).toBe(50);
  });
});
