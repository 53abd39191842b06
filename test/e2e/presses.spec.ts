import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { cellAt, claimTitle, countOf, exploreSample, openList } from './steps.ts';

/** Counts keys, a chord as one, and clicks, of everything that is done; `end` says how many there were. */
async function countPresses(page: Page): Promise<{ end: () => Promise<number> }> {
  await page.evaluate(() => {
    const counted = window as unknown as { presses: number };
    counted.presses = 0;
    const isModifier = (event: Event): boolean =>
      event instanceof KeyboardEvent && ['Control', 'Meta', 'Shift', 'Alt'].includes(event.key);
    for (const type of ['keydown', 'pointerdown'])
      window.addEventListener(type, (event) => (counted.presses += isModifier(event) ? 0 : 1), true);
  });
  return { end: () => page.evaluate(() => (window as unknown as { presses: number }).presses) };
}

async function isWithin(task: string, most: number, presses: { end: () => Promise<number> }): Promise<void> {
  const used = await presses.end();
  test.info().annotations.push({ type: `presses: ${task}`, description: `${used} of ${most}` });
  expect(used, task).toBeLessThanOrEqual(most);
}

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });

test('a member on the phone: by date of birth in the palette, by a name with a wrong letter in the list', async ({
  page,
}) => {
  await exploreSample(page);
  await openList(page, 'Members');
  await cellAt(page, 2, 'id').click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).not.toHaveText(/^Member/);
  const name = await heading.innerText();
  const born = /\d\d\/\d\d\/\d{4}/.exec(await page.getByRole('main').innerText())?.[0] ?? '';

  await test.step('a date of birth says why it matched', async () => {
    const presses = await countPresses(page);
    await page.keyboard.press('ControlOrMeta+k');
    // What was opened last is there before anything is typed.
    await expect(palette(page).locator('[data-action]').first()).toContainText(name);
    await page.keyboard.type(born);
    await expect(palette(page).locator('[data-selected]')).toContainText(`Born ${born}`);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(born);
    await isWithin('member by date of birth', 13, presses);
  });

  await test.step('a wrong letter in the list, and the first row by Enter', async () => {
    await openList(page, 'Members');
    const last = (await cellAt(page, 2, 'last_name').innerText()).trim();
    const wrong = `${last.slice(0, 3)}q${last.slice(4)}`.toLowerCase();
    await page.keyboard.press('/');
    await page.keyboard.type(wrong);
    await page.keyboard.press('Enter');
    await expect(cellAt(page, 0, 'last_name')).toHaveText(last);
    await expect(page.locator('.ag-cell:focus')).toHaveCount(1);
    // The search is still there.
    await expect(page.getByRole('textbox', { name: 'Search members' })).toHaveValue(wrong);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(last);
  });
});

test('a claim by its amount', async ({ page }) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  const amount = (await cellAt(page, 4, 'amount_billed').innerText()).replace('$', '');
  const claim = await cellAt(page, 4, 'id').innerText();
  const presses = await countPresses(page);
  await page.keyboard.press('/');
  await page.keyboard.type(amount);
  await page.keyboard.press('ArrowDown');
  await expect(cellAt(page, 0, 'id')).toHaveText(claim);
  await expect(page.locator('.ag-cell:focus')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(claimTitle(page)).toContainText(claim);
  await isWithin('claim by amount', 12, presses);

  await test.step('the palette finds it too, and says by which amount', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type(`$${amount}`);
    await expect(palette(page).locator('[data-selected]')).toContainText(`Billed $${amount}`);
    await page.keyboard.press('Escape');
  });
});

test('rejected above $1,000 of one employer; a value by its name; all that the palette found', async ({
  page,
}) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  const presses = await countPresses(page);
  await page.getByRole('button', { name: 'Add filter' }).click();
  const group = (name: string) => page.getByRole('group', { name });
  await group('Status')
    .getByRole('button', { name: /^Rejected/ })
    .click();
  await group('Billed more than').getByRole('button', { name: '$1,000' }).click();
  await group('Employer').getByRole('button').first().click();
  await page.keyboard.press('Escape');
  await expect(cellAt(page, 0, 'status')).toHaveText('Rejected');
  await isWithin('rejected above $1,000 of one employer', 5, presses);
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await test.step('the search of filters finds values', async () => {
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.keyboard.type('rejec');
    await expect(page.getByRole('option', { name: /^Status: Rejected/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Status is Rejected', exact: true })).toBeVisible();
    await expect(cellAt(page, 0, 'status')).toHaveText('Rejected');
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  await test.step('from the palette to the list with the same search', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('pharmacy');
    await palette(page).getByRole('button', { name: 'Show all claims with “pharmacy”' }).click();
    await expect(page.getByRole('textbox', { name: 'Search claims' })).toHaveValue('pharmacy');
    await expect(countOf(page)).toHaveText(/^\d+ claims/);
    await expect(cellAt(page, 0, 'service_provider')).toContainText('Pharmacy');
  });
});

test('twenty claims', async ({ page }) => {
  await exploreSample(page);
  await page
    .getByRole('navigation', { name: 'Worklists' })
    .getByRole('link', { name: /^Ready to review/ })
    .click();
  await expect(countOf(page)).toHaveText(/^\d+ claims/);
  const presses = await countPresses(page);
  await page.keyboard.press('j');
  await expect(page.locator('.ag-cell:focus')).toHaveCount(1);
  await page.keyboard.press('Enter');
  for (let done = 0; done < 20; done += 1) {
    await expect(claimTitle(page)).toBeVisible();
    const before = await claimTitle(page).innerText();
    await expect(page.getByRole('button', { name: /^Eligible/ }).first()).toBeEnabled();
    await page.keyboard.press('1');
    await expect(claimTitle(page)).not.toHaveText(before);
  }
  await isWithin('twenty claims', 22, presses);
});

test('a changed claim is understood and accepted', async ({ page }) => {
  await exploreSample(page);
  await page
    .getByRole('navigation', { name: 'Worklists' })
    .getByRole('link', { name: /^Review again [1-9]/ })
    .click();
  await expect(countOf(page)).toHaveText(/^\d+ claims/);
  const presses = await countPresses(page);
  await cellAt(page, 0, 'id').click();
  const changes = page.getByRole('region', { name: 'Changed since reviewed' });
  await expect(changes).toContainText(/Patient responsibility \$[\d,.]+ → \$[\d,.]+, [+−]\$[\d,.]+/);
  await expect(page.getByRole('table', { name: 'Before and after' })).toBeVisible();
  const before = await claimTitle(page).innerText();
  await page.keyboard.press('a');
  await expect(claimTitle(page)).not.toHaveText(before);
  await isWithin('a changed claim', 2, presses);
});
