import type { Locator, Page } from '@playwright/test';
import { type ErrorCode, errorTable } from '../../src/contract/error-codes.ts';
import type { ProcedureName } from '../../src/contract/procedures.ts';
import { expect, test } from './app.ts';
import { exploreSample, goTo, hiddenColumns, openList, setSampleService } from './steps.ts';

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
  // A call may be on its way: an answer to it after the route has ended would fail the test.
  return () => page.unrouteAll({ behavior: 'wait' });
}

const cellAt = (page: Page, row: number, column: string) =>
  page.locator(`.ag-row[row-index="${row}"] .ag-cell[col-id="${column}"]`);

/** By this column alone, whether it is shown or not. */
async function sortBy(page: Page, column: string): Promise<void> {
  await page.getByRole('button', { name: 'Sort', exact: true }).click();
  const sort = page.getByRole('dialog', { name: 'Sort' });
  const remove = sort.getByRole('button', { name: /^Remove sort by/ });
  await expect(remove).toHaveCount(1);
  await remove.click();
  await sort.getByLabel('Sort by', { exact: true }).selectOption({ label: column });
  await expect(sort.getByLabel(`Blanks in ${column}`)).toBeVisible();
  await page.keyboard.press('Escape');
}

async function addFilter(page: Page, column: string, value: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('textbox', { name: 'Search filters' }).fill(column);
  await page.getByRole('option', { name: column, exact: true }).click();
  const form = page.getByRole('form', { name: `Filter by ${column}` });
  await form.getByRole('checkbox', { name: value }).check();
  await form.getByRole('button', { name: 'Apply' }).click();
  await expect(form).toHaveCount(0);
}

test('lists on their bad days: the service is gone, nothing fits, the engine answers errors', {
  tag: '@long',
}, async ({ app, page }) => {
  await exploreSample(page);

  await test.step('without the service every list is there, and the window says so', async () => {
    await setSampleService(page, false);
    await expect(page.getByText(/^Offline · last full sync today/)).toBeVisible();
    for (const name of lists) {
      await openList(page, name);
      await expect(count(page)).toHaveText(/^[1-9]/);
      expect(await hiddenColumns(page), `columns of ${name} that are cut off`).toEqual([]);
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
    await expect(page.getByRole('table', { name: 'Top providers' })).toBeVisible();
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
    await expect(page.getByRole('table', { name: 'Top providers' })).toBeVisible();
  });

  await test.step('an employer’s rejected claims above an amount, in five presses', async () => {
    await openList(page, 'Claims');
    const presses: Locator[] = [];
    const press = async (control: Locator) => {
      presses.push(control);
      await control.click();
    };
    await press(page.getByRole('button', { name: 'Add filter' }));
    const picker = page.getByRole('dialog', { name: 'Filter' });
    await press(picker.getByRole('group', { name: 'Status' }).getByRole('button', { name: /^Rejected/ }));
    const rejected = await count(page).innerText();
    const employer = picker.getByRole('group', { name: 'Employer' }).getByRole('button').first();
    await press(employer);
    await expect(count(page)).not.toHaveText(rejected);
    // The figure beside a value is the number of its rows within the other filters.
    const figure = /\d+$/.exec(await employer.innerText())?.[0];
    await expect(count(page)).toHaveText(new RegExp(`^${figure} claims?$`));
    const above = picker.getByRole('group', { name: 'Billed more than' });
    await press(above.getByRole('button', { name: '$500', exact: true }));
    await press(page.getByRole('heading', { level: 1, name: 'Claims' }));
    expect(presses).toHaveLength(5);
    await expect(picker).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Status is Rejected', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Employer is \p{L}/u })).toBeVisible();
    await expect(cellAt(page, 0, 'status')).toHaveText('Rejected');
    const billed = await cellAt(page, 0, 'amount_billed').innerText();
    expect(Number(billed.replace(/[$,]/g, ''))).toBeGreaterThan(500);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(count(page)).toHaveText('400 claims');
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
    const before = await count(page).innerText();
    await page.getByLabel('Show archived').check();
    await expect(count(page)).not.toHaveText(before);
    const serviceStatus = page.locator('.ag-header-cell[col-id="$serviceStatus"]');
    await expect(serviceStatus).toHaveText('Service status');
    await sortBy(page, 'Archived on');
    await expect(cellAt(page, 0, '$serviceStatus')).toHaveText('Archived');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Include records no longer in the service').check();
    await page.keyboard.press('Escape');
    await page.getByLabel('Show archived').uncheck();
    await expect(serviceStatus).toBeVisible();
    await expect(count(page)).toHaveText(before);
    await page.getByRole('button', { name: 'Leave out records no longer in the service' }).click();
    await expect(serviceStatus).toHaveCount(0);

    await openList(page, 'Claims');
    await sortBy(page, 'Plan paid');
    await expect(cellAt(page, 0, 'amount_paid')).toContainText('$');
    await page.getByRole('button', { name: 'Sort', exact: true }).click();
    await page.getByLabel('Blanks in Plan paid').selectOption('Blanks first');
    await page.keyboard.press('Escape');
    await expect(cellAt(page, 0, 'amount_paid')).toHaveText('—');
    const paid = page.locator('.ag-header-cell[col-id="amount_paid"]');
    await paid.click({ position: { x: 16, y: 15 } });
    await expect(paid).toHaveAttribute('aria-sort', 'ascending');
    await expect(cellAt(page, 0, 'amount_paid')).toHaveText('—');
  });

  // In Electron nothing stands between the window and the engine.
  if (app.isElectron) return;

  await test.step('a list that cannot be made says why; the rest goes on; trying again works', async () => {
    for (const name of lists) {
      const mend = await failCalls(page, 'records:begin', 'store.busy');
      await reopenScreen(page, name);
      const alert = alertOf(page, `Couldn’t load the ${name.toLowerCase()}`);
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
    const alert = alertOf(page, 'Couldn’t load some rows');
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
      ['Employers', 'records:listEmployers', 'Couldn’t load employers'],
      ['Tenants', 'records:listTenants', 'Couldn’t load tenants'],
      ['Insights', 'records:group', 'Couldn’t load this chart'],
    ] as const) {
      const mend = await failCalls(page, procedure, 'store.busy');
      await reopenScreen(page, name);
      const alert = alertOf(page, what).first();
      await expect(alert).toContainText('store.busy');
      await mend();
      await alert.getByRole('button', { name: 'Try again' }).click();
      const main = page.getByRole('main');
      await expect(main.getByRole('table').or(main.getByRole('img')).first()).toBeVisible();
    }
  });
});

/** A window that has just been opened remembers no list. */
async function reopenScreen(page: Page, name: string): Promise<void> {
  await goTo(page, name);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}

/** What the browser computed of these, after the colors of the system are forced. */
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
    await page.keyboard.press('j');
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
    await goTo(page, 'Settings');
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
    const chosen = page.getByRole('button', { name: 'To do', pressed: true });
    const cap = chosen.locator('.mantine-Kbd-root');
    await expect(cap).toBeVisible();
    for (const property of ['background-color', 'color'])
      expect(await computed(cap, property)).toBe(await computed(chosen, property));
  });
  await test.step('the focus, wherever Tab takes it', async () => {
    for (const name of ['Members', 'Employers', 'Insights', 'Sync', 'Settings'] as const) {
      await goTo(page, name);
      await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      for (let pressed = 0; pressed < 4; pressed += 1) {
        await page.keyboard.press('Tab');
        await expectFocusSeen(page);
      }
    }
  });
});
