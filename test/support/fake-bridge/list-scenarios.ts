import type { Page } from '@playwright/test';
import type { Scenario } from './scenarios.ts';

const cell = (page: Page, row: number) => page.locator(`.ag-row[row-index="${row}"] .ag-cell`).nth(2);
const rows = (page: Page) =>
  page.locator('.ag-row[row-index="0"]').filter({ hasText: /\d/ }).first().waitFor();

/** Filters a column by the key that a person without a mouse would press in it. */
async function filterBy(page: Page, column: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('textbox', { name: 'Search filters' }).fill(column);
  await page.getByRole('option', { name: column, exact: true }).click();
  const form = page.getByRole('form', { name: `Filter by ${column}` });
  const box = form.getByRole('checkbox', { name: new RegExp(`^${value}`) });
  if (/^\d/.test(value)) await form.getByLabel('Value').fill(value);
  else await box.check();
  await form.getByRole('button', { name: 'Apply' }).click();
}

async function saveView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByLabel('View name').fill(name);
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** What can be done with a list, each state of it. */
export const listScenarios: readonly Scenario[] = [
  {
    name: 'list-filtered',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await filterBy(page, 'Status', 'Rejected');
      await filterBy(page, 'Billed', '500');
      await cell(page, 0).click();
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      await page.getByText('3 selected').waitFor();
    },
  },
  {
    name: 'list-filter-picker',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('button', { name: /^Rejected/ }).click();
      await page.getByRole('button', { name: '$500', exact: true }).click();
    },
  },
  {
    name: 'list-filter-search',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('textbox', { name: 'Search filters' }).fill('pro');
    },
  },
  {
    name: 'list-filter-open',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await cell(page, 3).click();
      await page.keyboard.press('f');
      await page.getByRole('form').waitFor();
    },
  },
  {
    name: 'list-values-open',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.locator('.ag-header-cell[col-id="status"]').hover();
      await page.getByRole('button', { name: 'Filter Status' }).click();
      await page.getByRole('checkbox', { name: /^Processed/ }).check();
    },
  },
  {
    name: 'list-columns',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Freeze Patient', exact: true }).click();
      await page.getByRole('button', { name: 'Move Network up' }).click();
    },
  },
  {
    name: 'list-sort',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Sort', exact: true }).click();
      await page.getByLabel('Then by').selectOption({ label: 'Patient responsibility' });
      await page.getByLabel('Blanks in Patient responsibility').selectOption('Blanks first');
    },
  },
  {
    name: 'list-left-out',
    scene: 'working',
    route: '/members',
    arrange: async (page) => {
      await rows(page);
      await page.getByLabel('Show archived').check();
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByLabel('Include records no longer in the service').check();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Sort', exact: true }).click();
      await page.getByRole('button', { name: 'Remove sort by Last name' }).click();
      await page.getByLabel('Sort by', { exact: true }).selectOption({ label: 'Archived' });
      await page.getByLabel('Order of Archived').selectOption('Yes first');
      await page.keyboard.press('Escape');
      await page.locator('.ag-header-cell[col-id="$serviceStatus"]').waitFor();
    },
  },
  {
    name: 'list-no-match',
    scene: 'working',
    route: '/members',
    arrange: async (page) => {
      await rows(page);
      await filterBy(page, 'Last name', 'Abbott');
      await page.getByLabel('Search members').fill('zzzz');
      await page.getByText('No members match').waitFor();
    },
  },
  {
    name: 'list-groups',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Groups' }).click();
      await page.getByLabel('Group by').selectOption({ label: 'By Provider' });
      await page.getByRole('button', { name: 'Riverside Imaging' }).click();
      await page.getByRole('button', { name: 'Next group' }).click();
    },
  },
  {
    name: 'list-split',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await cell(page, 2).click();
      await page.keyboard.press('v');
      // Enlarged there is no space: a notice says so.
      await page
        .getByRole('heading', { level: 2, name: /^Claim \d/ })
        .or(page.getByText('Not enough space for split view'))
        .waitFor();
      await page.keyboard.press('j');
    },
  },
  {
    name: 'list-members-split',
    scene: 'working',
    route: '/members',
    arrange: async (page) => {
      await rows(page);
      await cell(page, 2).click();
      await page.keyboard.press('v');
      await page
        .getByRole('heading', { level: 2, name: /[a-z] [A-Z]/ })
        .or(page.getByText('Not enough space for split view'))
        .first()
        .waitFor();
    },
  },
  {
    name: 'list-views',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await filterBy(page, 'Network', 'Out-of-network');
      await saveView(page, 'Out of network');
      await page.getByRole('button', { name: 'View: Out of network' }).click();
      await page.getByRole('menuitem', { name: 'Manage views…' }).click();
      await page.getByRole('button', { name: 'Import a view…' }).waitFor();
    },
  },
  {
    name: 'list-saved',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await filterBy(page, 'Network', 'Out-of-network');
      await saveView(page, 'Out of network');
      await page.getByRole('button', { name: 'View: Out of network' }).waitFor();
    },
  },
];
