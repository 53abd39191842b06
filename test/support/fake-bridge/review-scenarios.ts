import type { Page } from '@playwright/test';
import type { Scenario } from './scenarios.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Review', exact: true });
const firstCell = (page: Page) => page.locator('.ag-row[row-index="0"] .ag-cell[col-id="id"]').first();
const secondCell = (page: Page) => page.locator('.ag-row[row-index="0"] .ag-cell[col-id="status"]').first();
const open = async (page: Page) => {
  await panel(page).getByRole('button', { name: 'Eligible', exact: true }).waitFor();
};

/** The review of a claim, each state of it. */
export const reviewScenarios: readonly Scenario[] = [
  { name: 'review-to-do', scene: 'working', route: '/claims/20002', arrange: open },
  {
    name: 'review-done',
    scene: 'working',
    route: '/claims/20002',
    arrange: async (page) => {
      await open(page);
      await page.keyboard.press('2');
      await page.keyboard.press('m');
      await page.getByLabel('New note').fill('Receipt matches the EOB.');
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByText('Receipt matches the EOB.').first().waitFor();
      await page.getByRole('combobox', { name: 'Tags' }).fill('HRA');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Undo: Added tag/ }).waitFor();
    },
  },
  {
    name: 'review-changed',
    scene: 'working',
    route: '/claims/20003',
    arrange: (page) => page.getByRole('button', { name: 'Accept' }).waitFor(),
  },
  {
    name: 'review-waiting',
    scene: 'working',
    route: '/claims/20002',
    arrange: async (page) => {
      await open(page);
      await page.keyboard.press('w');
      await page.getByRole('dialog', { name: /^Waiting/ }).waitFor();
    },
  },
  {
    name: 'review-payment',
    scene: 'working',
    route: '/claims/20002',
    arrange: async (page) => {
      await open(page);
      await page.keyboard.press('p');
      const form = page.getByRole('form', { name: 'Add payment' });
      await form.getByLabel('Amount').fill('12.50');
      await form.getByRole('button', { name: 'Save payment' }).click();
      await page.getByRole('list', { name: 'Payments' }).waitFor();
      await page.keyboard.press('p');
      await form.waitFor();
    },
  },
  {
    name: 'review-list',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await firstCell(page).filter({ hasText: /\d/ }).waitFor();
      await secondCell(page).click();
      for (const key of ['1', '3', 'i', 'j', '6']) await page.keyboard.press(key);
      await page.keyboard.press('Space');
      await page.getByText('1 selected').waitFor();
    },
  },
  {
    name: 'review-bulk',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await firstCell(page).filter({ hasText: /\d/ }).waitFor();
      await secondCell(page).click();
      for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', '4']) await page.keyboard.press(key);
      await page.getByRole('button', { name: 'Review 3 claims' }).waitFor();
    },
  },
  {
    name: 'review-bulk-left-out',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await firstCell(page).filter({ hasText: /\d/ }).waitFor();
      await secondCell(page).click();
      for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', '4']) await page.keyboard.press(key);
      await page.getByRole('button', { name: 'Review 3 claims' }).click();
      await page.getByText('left out').waitFor();
    },
  },
  {
    name: 'review-menu',
    scene: 'working',
    route: '/claims',
    ignores: ['region'],
    arrange: async (page) => {
      await firstCell(page).filter({ hasText: /\d/ }).waitFor();
      await page.getByRole('button', { name: 'Review all…' }).click();
      await page.getByRole('menuitem', { name: /^Accept changes with/ }).waitFor();
    },
  },
];
