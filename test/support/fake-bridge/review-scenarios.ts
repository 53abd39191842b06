import type { Page } from '@playwright/test';
import type { Scenario } from './scenarios.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Review', exact: true });
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
];
