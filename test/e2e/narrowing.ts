import { expect, type Locator, type Page } from '@playwright/test';
import { cellAt, countOf } from './steps.ts';

/** Returns a column's texts by row, as the document has the rows in the order of their arrival. */
export const textsOf = (page: Page, column: string, rows: number): Promise<string[]> =>
  page.evaluate(
    ([id, count]) =>
      Array.from(
        { length: count },
        (_none, row) =>
          document.querySelector(`.ag-row[row-index="${row}"] .ag-cell[col-id="${id}"]`)?.textContent ?? '',
      ),
    [column, rows] as const,
  );
const totals = (page: Page) => page.getByRole('region', { name: 'Totals' });

/** "$1,234.5678" as whole ten-thousandths. */
export function toWhole(text: string): bigint {
  const [dollars = '0', fraction = ''] = text.replace(/[$,]/g, '').replace('−', '-').split('.');
  const whole = BigInt(dollars.replace('-', '') + fraction.padEnd(4, '0'));
  return text.startsWith('−') ? -whole : whole;
}

/** Chooses a value in the form of a filter, or enters it there. */
export async function fillFilter(form: Locator, value: string): Promise<void> {
  await form.getByRole('button', { name: 'Apply' }).waitFor();
  const box = form.getByRole('checkbox', { name: new RegExp(`^${value}( |$)`) });
  const field = form.getByLabel('Value', { exact: true });
  await box.or(field).first().waitFor();
  if (await box.isVisible()) await box.check();
  else await field.fill(value);
}

async function applyFilter(form: Locator, value: string): Promise<void> {
  await fillFilter(form, value);
  await form.getByRole('button', { name: 'Apply' }).click();
  await expect(form).toHaveCount(0);
}

/**
 * Narrows the list of claims to twelve by three filters, as a user does: a group, a column's values, a value
 * in a row. Checks that the sums of the result and of a selection are those of the rows on screen.
 */
export async function narrowToTwelve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Groups' }).click();
  await page.getByLabel('Group by').selectOption({ label: 'By Status' });
  const groups = page.getByRole('complementary', { name: 'Groups' });
  const values = groups.locator('[data-group]');
  const total = await groups.getByRole('row', { name: /^Total/ }).innerText();
  const names = await values.allInnerTexts();
  expect(names.length).toBeGreaterThan(2);
  await values.first().click();
  for (const name of names) {
    // The groups stay while their rows are shown one after the other.
    const status = `Status is ${name === '(Blank)' ? 'blank' : name}`;
    await expect(page.getByRole('button', { name: status, exact: true })).toBeVisible();
    await expect(groups.locator('[data-group][aria-pressed="true"]')).toHaveText(name);
    const rows = await groups.locator('tr[data-chosen] td').nth(1).innerText();
    await expect(countOf(page)).toHaveText(`${rows} claims`);
    expect(await values.allInnerTexts()).toEqual(names);
    await page.keyboard.press('ArrowDown');
  }
  await expect(groups.getByRole('row', { name: /^Total/ })).toHaveText(total, { useInnerText: true });
  await groups.getByRole('button', { name: 'Processed' }).click();
  await expect(page.getByRole('button', { name: 'Status is Processed', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Close groups' }).click();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('textbox', { name: 'Search filters' }).fill('Network');
  await page.getByRole('option', { name: 'Network', exact: true }).click();
  await applyFilter(page.getByRole('form', { name: 'Filter by Network' }), 'Out-of-network');
  const billed = page.locator('.ag-header-cell[col-id="amount_billed"]');
  await billed.click({ position: { x: 16, y: 15 } });
  await expect(billed).toHaveAttribute('aria-sort', 'descending');
  await expect
    .poll(async () => {
      const texts = await textsOf(page, 'amount_billed', 12);
      const amounts = texts.map((text) => (text === '' || text === '–' ? 0n : toWhole(text)));
      return amounts.every((amount, index) => amount > 0n && amount <= (amounts[index - 1] ?? amount));
    })
    .toBe(true);
  const smallest = (await cellAt(page, 11, 'amount_billed').innerText()).replace(/[$,]/g, '');
  await billed.hover();
  await page.getByRole('button', { name: 'Filter Billed' }).click();
  await applyFilter(page.getByRole('form', { name: 'Filter by Billed' }), smallest);
  await expect(countOf(page)).toHaveText('12 claims');
  await expect.poll(async () => (await textsOf(page, 'amount_billed', 12)).includes('')).toBe(false);
  const amounts = await textsOf(page, 'amount_billed', 12);
  const sum = amounts.reduce((whole, text) => whole + toWhole(text), 0n);
  const billedSum = totals(page)
    .locator('dl')
    .first()
    .locator('div', { hasText: /^Billed/ })
    .locator('dd');
  await expect.poll(async () => toWhole(await billedSum.innerText())).toBe(sum);
  await cellAt(page, 0, 'amount_billed').click();
  for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press('Shift+ArrowDown');
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection).toContainText('4 selected');
  const patients = await textsOf(page, 'patient_responsibility', 4);
  const four = patients.reduce((whole, text) => whole + (text === '–' ? 0n : toWhole(text)), 0n);
  await expect.poll(async () => toWhole(await selection.locator('dd').last().innerText())).toBe(four);
  await page.keyboard.press('Escape');
  await expect(selection).toHaveCount(0);
}
