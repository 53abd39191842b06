import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app.ts';
import {
  cellAt,
  countOf,
  exploreSample,
  goTo,
  openList,
  openSettings,
  pressKey,
  readCount,
  showMoreDecisions,
  sortBy,
} from './steps.ts';

test('lists are filtered by names and values, and sorted with their blanks', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);

  await test.step('an employer’s rejected claims above an amount, in five presses', async () => {
    await openList(page, 'Claims');
    const notices = page.locator('.mantine-Notifications-root[data-position="bottom-center"]');
    const totals = page.getByRole('region', { name: 'Totals' });
    const totalsPx = await totals.evaluate((region) => region.getBoundingClientRect().bottom);
    const noticesPx = await notices.evaluate((root) => root.getBoundingClientRect().top);
    expect(noticesPx, 'notices leave the totals free').toBeGreaterThanOrEqual(totalsPx);
    const all = await readCount(page);
    const presses: Locator[] = [];
    const press = async (control: Locator) => {
      presses.push(control);
      await control.click();
    };
    await press(page.getByRole('button', { name: 'Add filter' }));
    const picker = page.getByRole('dialog', { name: 'Filter' });
    await press(picker.getByRole('group', { name: 'Status' }).getByRole('button', { name: /^Denied/ }));
    await expect(countOf(page)).not.toHaveText(all);
    const rejected = await readCount(page);
    const employer = picker.getByRole('group', { name: 'Employer' }).getByRole('button').first();
    await press(employer);
    await expect(countOf(page)).not.toHaveText(rejected);
    const chosen = /^\d+/.exec(await readCount(page))?.[0];
    // The figure beside a value is the number of its rows within the other filters.
    await expect(employer).toHaveText(new RegExp(`\\D${chosen}$`));
    const above = picker.getByRole('group', { name: 'Billed more than' });
    await press(above.getByRole('button', { name: '$500', exact: true }));
    await press(page.getByRole('heading', { level: 1, name: 'Claims' }));
    expect(presses).toHaveLength(5);
    await expect(picker).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Status is Denied', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Employer is \p{L}/u })).toBeVisible();
    await expect(cellAt(page, 0, 'status')).toHaveText('Denied');
    const billed = cellAt(page, 0, 'amount_billed');
    await expect
      .poll(async () => Number((await billed.innerText()).replace(/[$,]/g, '')))
      .toBeGreaterThan(500);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(countOf(page)).toHaveText('400 claims');
  });

  await test.step('any column is found by its name, by keyboard alone', async () => {
    await page.keyboard.press('Shift+F');
    await page.keyboard.type('provider npi');
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'Filter by Provider NPI' });
    await expect(form).toBeVisible();
    await expect(form.getByLabel('Operator')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(form).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Add filter' })).toBeFocused();
  });

  await test.step('the palette finds employers and tenants by a part of their name', async () => {
    for (const [name, path] of [
      ['Employers', 'employers'],
      ['Tenants', 'tenants'],
    ] as const) {
      await goTo(page, name);
      const words = await page.getByRole('table', { name: path }).getByRole('link').first().innerText();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('textbox', { name: 'Search or jump to' }).fill(words.toLowerCase());
      const kind = name.slice(0, -1);
      const found = page
        .getByRole('dialog')
        .getByRole('button', { name: `${kind} · ` })
        .filter({ hasText: words });
      await found.first().click();
      await expect(page.getByRole('heading', { level: 1, name: words })).toBeVisible();
      expect(page.url()).toContain(`/${path}/`);
    }
  });

  await test.step('archived members have a badge; the order of rows without a value is chosen', async () => {
    await openList(page, 'Members');
    const before = await readCount(page);
    await page.getByLabel('Show archived').check();
    await expect(countOf(page)).not.toHaveText(before);
    const serviceStatus = page.locator('.ag-header-cell[col-id="$serviceStatus"]');
    await sortBy(page, 'Archived on');
    await expect(serviceStatus).toHaveText('Service status');
    await expect(cellAt(page, 0, '$serviceStatus')).toHaveText('Archived');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Include records no longer in the service').check();
    await page.keyboard.press('Escape');
    await page.getByLabel('Show archived').uncheck();
    await expect(countOf(page)).toHaveText(before);
    await page.getByRole('button', { name: 'Leave out records no longer in the service' }).click();
    await expect(serviceStatus).toHaveCount(0);

    await openList(page, 'Claims');
    await sortBy(page, 'Patient responsibility');
    await expect(cellAt(page, 0, 'patient_responsibility')).toContainText('$');
    await page.getByRole('button', { name: 'Sort', exact: true }).click();
    await page.getByLabel('Blanks in Patient responsibility').selectOption('Blanks first');
    await page.keyboard.press('Escape');
    await expect(cellAt(page, 0, 'patient_responsibility')).toHaveText('–');
    const owed = page.locator('.ag-header-cell[col-id="patient_responsibility"]');
    await owed.click({ position: { x: 16, y: 15 } });
    await expect(owed).toHaveAttribute('aria-sort', 'ascending');
    await expect(cellAt(page, 0, 'patient_responsibility')).toHaveText('–');
  });
});

/** Returns the values that the browser computed for these properties, with the system's colors forced. */
const computed = (one: Locator, ...names: string[]): Promise<string> =>
  one.evaluate((element, wanted) => {
    const style = getComputedStyle(element);
    return wanted.map((name) => style.getPropertyValue(name)).join(' ');
  }, names);

/** Chosen is what has the system's color for it as its ground. */
async function expectChosen(page: Page, one: Locator, other: Locator): Promise<void> {
  const highlight = await page.evaluate(() => {
    const probe = document.createElement('div');
    document.body.append(probe);
    probe.style.setProperty('forced-color-adjust', 'none');
    probe.style.setProperty('background-color', 'Highlight');
    const color = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return color;
  });
  await expect.poll(() => computed(one, 'background-color')).toBe(highlight);
  expect(await computed(other, 'background-color')).not.toBe(highlight);
}

async function expectFocusSeen(page: Page): Promise<void> {
  const focused = page.locator(':focus');
  await expect(focused).toHaveCount(1);
  expect(await computed(focused, 'outline-style')).toBe('solid');
  expect(Number.parseFloat(await computed(focused, 'outline-width'))).toBeGreaterThanOrEqual(2);
  expect(await computed(focused, 'outline-color')).not.toBe(await computed(focused, 'background-color'));
}

test('in forced colors what is chosen, on or in focus is told by the colors of the system', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await test.step('rows, cells, boxes of a list', async () => {
    await openList(page, 'Claims');
    await cellAt(page, 1, 'status').click();
    await page.keyboard.press('x');
    const row = (at: number) => page.locator(`.ag-row[row-index="${at}"]`).last();
    await expectChosen(page, row(1), row(0));
    await expectFocusSeen(page);
    await pressKey(page, 'j');
    await expectFocusSeen(page);
    const box = (at: number) => page.locator(`.ag-row[row-index="${at}"] .ag-checkbox-input-wrapper`);
    await expectChosen(page, box(1), box(0));
    const arrow = page.locator('.ag-header-cell[aria-sort="descending"] .ag-sort-descending-icon .ag-icon');
    await expect(arrow).toBeVisible();
    expect(await arrow.evaluate((icon) => getComputedStyle(icon, '::before').backgroundColor)).not.toBe(
      await computed(row(0), 'background-color'),
    );
  });
  await test.step('toggles, choices, the palette', async () => {
    const groups = page.getByRole('button', { name: 'Groups', exact: true });
    await groups.press('Enter');
    await expectChosen(page, groups, page.getByRole('button', { name: 'Columns' }));
    await groups.press('Enter');
    await page.getByRole('button', { name: 'Columns' }).click();
    const boxes = page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox');
    await expectChosen(page, boxes.first(), boxes.last());
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    const actions = page.getByRole('dialog').locator('[data-action]');
    const chosen = page.getByRole('dialog').locator('[data-selected]');
    await expectChosen(page, chosen, actions.last());
    await page.keyboard.press('Escape');
    await openSettings(page, 'Appearance');
    const label = (name: string) => page.locator('.mantine-SegmentedControl-label', { hasText: name });
    await expectChosen(page, label('Compact'), label('Comfortable'));
    await goTo(page, 'Sync');
    const toggle = page.getByRole('switch', { name: /sample service/i });
    const track = page.locator('.mantine-Switch-track');
    await expect(toggle).toBeChecked();
    const on = await computed(track, 'background-color');
    await toggle.press('Space');
    await expect(toggle).not.toBeChecked();
    await expect.poll(() => computed(track, 'background-color')).not.toBe(on);
  });
  await test.step('the color of a workspace, and the key on a chosen state', async () => {
    const dot = page.locator('[data-color]').first();
    expect(await computed(dot, 'background-color')).not.toBe(
      await computed(page.locator('body'), 'background-color'),
    );
    await (await openList(page, 'Claims')).first().dblclick();
    await showMoreDecisions(page);
    const chosen = page.getByRole('button', { name: 'Undecided', pressed: true });
    const cap = chosen.getByText('0', { exact: true });
    await expect(cap).toBeVisible();
    expect(await computed(cap, 'color')).toBe(await computed(chosen, 'color'));
  });
  await test.step('the focus, wherever Tab takes it', async () => {
    for (const name of ['Members', 'Employers', 'Insights', 'Sync', 'Settings'] as const) {
      await goTo(page, name);
      await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      // Before its data is here, this page has nothing after its heading, and Tab leaves the document.
      if (name === 'Employers') await expect(page.getByPlaceholder('Search employers')).toBeVisible();
      for (let pressed = 0; pressed < 4; pressed += 1) {
        await page.keyboard.press('Tab');
        await expectFocusSeen(page);
      }
    }
  });
});
