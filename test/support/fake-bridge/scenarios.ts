import type { Page } from '@playwright/test';
import { connectScenarios } from './connect-scenarios.ts';
import type { FakeStart } from './fake-desk.ts';
import { keyScenarios } from './key-scenarios.ts';
import { listScenarios } from './list-scenarios.ts';
import { reviewScenarios } from './review-scenarios.ts';

/** A screen to look at: where it is, and what is done there first. */
export interface Scenario {
  readonly name: string;
  readonly scene: FakeStart['scene'];
  readonly route: string;
  readonly claims?: number;
  /** Rules of axe that do not fit what is shown (an open menu lies outside of every landmark). */
  readonly ignores?: readonly string[];
  readonly arrange?: (page: Page) => Promise<unknown>;
}

const firstCell = (page: Page) => page.locator('.ag-row[row-index="0"] .ag-cell[col-id="id"]').first();
const rows = (page: Page) => firstCell(page).filter({ hasText: /\d/ }).waitFor();

export const scenarios: readonly Scenario[] = [
  ...keyScenarios,
  ...connectScenarios,
  ...listScenarios,
  ...reviewScenarios,
  { name: 'welcome', scene: 'first-run', route: '/' },
  { name: 'connect-address', scene: 'first-run', route: '/welcome/connect' },
  {
    name: 'connect-unlock',
    scene: 'first-run',
    route: '/welcome/connect',
    arrange: async (page) => {
      await page.getByLabel('Service URL').fill('https://claims.example.com');
      await page.getByLabel('Account email').fill('admin@example.com');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Unlock passphrase').fill('a passphrase of twelve');
      await page.getByLabel('Confirm passphrase').fill('a passphrase of twelve');
      await page.getByRole('button', { name: 'Set passphrase' }).click();
      await page.getByRole('button', { name: 'Print' }).waitFor();
    },
  },
  {
    name: 'connect-key',
    scene: 'first-run',
    route: '/welcome/connect',
    arrange: async (page) => {
      await page.getByLabel('Service URL').fill('https://claims.example.com');
      await page.getByLabel('Account email').fill('admin@example.com');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Continue without a passphrase' }).click();
      await page.getByRole('button', { name: 'Make key' }).waitFor();
    },
  },
  {
    name: 'connect-register-refused',
    scene: 'connecting',
    route: '/welcome/connect',
    arrange: async (page) => {
      await page.getByRole('button', { name: 'Copy key and open SSH keys page' }).click();
      await page.getByText('/settings/ssh').waitFor();
      await page.getByRole('button', { name: 'Verify key' }).click();
      await page.getByText('The service didn’t accept the key').waitFor();
    },
  },
  {
    name: 'connect-first-sync',
    scene: 'connecting',
    route: '/welcome/connect',
    arrange: async (page) => {
      await page.getByRole('button', { name: 'Verify key' }).click();
      await page.getByText('The service didn’t accept the key').waitFor();
      await page.getByRole('button', { name: 'Verify key' }).click();
      await page.getByRole('button', { name: 'Start first sync' }).click();
      await page.getByText('Reading claims').waitFor();
    },
  },
  { name: 'claims', scene: 'working', route: '/claims', arrange: rows },
  {
    name: 'claims-no-match',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByLabel('Search claims').fill('zzzz');
      await page.getByText('No claims match').waitFor();
    },
  },
  {
    name: 'claims-empty',
    scene: 'empty',
    route: '/claims',
    arrange: (page) => page.getByText('No claims on this computer yet').waitFor(),
  },
  {
    name: 'claims-syncing',
    scene: 'empty',
    route: '/claims',
    arrange: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Sync now' }).click();
      await rows(page);
    },
  },
  {
    name: 'claim',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await firstCell(page).click();
      await page.getByRole('heading', { name: /^Claim \d/ }).waitFor();
    },
  },
  {
    name: 'claim-all-fields',
    scene: 'working',
    route: '/claims/20007',
    arrange: async (page) => {
      await page.getByText('Raw data').click();
      await page.getByText('accumulator_hint').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'claim-missing',
    scene: 'working',
    route: '/claims/999',
    arrange: (page) => page.getByText('cannot be shown').waitFor(),
  },
  {
    name: 'changes',
    scene: 'working',
    route: '/changes',
    arrange: (page) => page.getByRole('table', { name: 'Changes' }).waitFor(),
  },
  {
    name: 'settings-reviews',
    scene: 'working',
    route: '/settings/reviews',
    arrange: (page) => page.getByRole('table', { name: 'What reopens a review' }).waitFor(),
  },
  {
    name: 'start',
    scene: 'working',
    route: '/start',
    arrange: (page) => page.getByRole('table', { name: 'Worklists' }).waitFor(),
  },
  {
    name: 'start-empty',
    scene: 'empty',
    route: '/start',
    arrange: (page) => page.getByText('No claims on this computer yet').waitFor(),
  },
  { name: 'worklist', scene: 'working', route: '/worklists/denied', arrange: rows },
  {
    name: 'duplicates',
    scene: 'working',
    route: '/claims/20007/duplicates',
    arrange: (page) => page.getByRole('table', { name: /^Claims/ }).waitFor(),
  },
  {
    name: 'reports',
    scene: 'working',
    route: '/reports',
    arrange: (page) => page.getByRole('table', { name: 'Done by day and outcome' }).waitFor(),
  },
  {
    name: 'claim-file',
    scene: 'working',
    route: '/claims/20003/file',
    arrange: (page) => page.getByRole('table', { name: 'Review history' }).waitFor(),
  },
  { name: 'members', scene: 'working', route: '/members', arrange: rows },
  {
    name: 'member',
    scene: 'working',
    route: '/members/1004',
    arrange: async (page) => {
      await page.getByText('Identity').waitFor();
      await rows(page);
    },
  },
  { name: 'dependents', scene: 'working', route: '/dependents', arrange: rows },
  {
    name: 'dependent',
    scene: 'working',
    route: '/dependents',
    arrange: async (page) => {
      await rows(page);
      await firstCell(page).click();
      await page.getByText('Matched by name').last().waitFor();
    },
  },
  {
    name: 'member-ssn',
    scene: 'working',
    route: '/members/1004',
    arrange: async (page) => {
      await page
        .getByRole('button', { name: /^Show the SSN/ })
        .first()
        .click();
      await page.getByRole('button', { name: /^Hide the SSN/ }).waitFor();
    },
  },
  {
    name: 'member-desk',
    scene: 'working',
    route: '/members/1004',
    arrange: async (page) => {
      await page.getByRole('button', { name: 'Privacy mode' }).click();
      await page.getByText('••••').first().waitFor();
      await page.mouse.move(640, 20);
    },
  },
  {
    name: 'employers',
    scene: 'working',
    route: '/employers',
    arrange: (page) => page.getByRole('table', { name: 'employers' }).waitFor(),
  },
  {
    name: 'employer',
    scene: 'working',
    route: '/employers/2',
    arrange: async (page) => {
      await page.getByRole('heading', { name: 'Carriers' }).waitFor();
      await rows(page);
    },
  },
  {
    name: 'employer-missing',
    scene: 'working',
    route: '/employers/999',
    arrange: (page) => page.getByText('Couldn’t load this employer').waitFor(),
  },
  {
    name: 'tenants',
    scene: 'working',
    route: '/tenants',
    arrange: (page) => page.getByRole('table', { name: 'tenants' }).waitFor(),
  },
  {
    name: 'tenant',
    scene: 'working',
    route: '/tenants/9',
    arrange: async (page) => {
      await page.getByRole('heading', { name: 'Vendor tenants' }).waitFor();
      await rows(page);
    },
  },
  {
    name: 'insights',
    scene: 'working',
    route: '/insights',
    arrange: (page) => page.getByRole('table', { name: 'Top providers' }).waitFor(),
  },
  {
    name: 'insights-empty',
    scene: 'empty',
    route: '/insights',
    arrange: (page) => page.getByText('No claims on this computer yet').waitFor(),
  },
  {
    name: 'employers-empty',
    scene: 'empty',
    route: '/employers',
    arrange: (page) => page.getByText('No employers on this computer').waitFor(),
  },
  { name: 'lines', scene: 'working', route: '/lines', arrange: rows },
  {
    name: 'sync',
    scene: 'working',
    route: '/sync',
    arrange: (page) => page.getByText('Verified complete').waitFor(),
  },
  {
    name: 'sync-loss',
    scene: 'working',
    route: '/sync',
    arrange: async (page) => {
      await page.evaluate(() => sessionStorage.setItem('fake-loss', 'yes'));
      await page.getByRole('button', { name: 'Sync now' }).first().click();
      await page.getByRole('button', { name: 'Pause sync' }).click();
      await page.getByText('The service returns far fewer records').waitFor();
    },
  },
  {
    name: 'sync-running',
    scene: 'empty',
    route: '/sync',
    arrange: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Sync now' }).click();
      await page.getByText('Reading claims').waitFor();
    },
  },
  {
    name: 'sync-offline',
    scene: 'working',
    route: '/sync',
    arrange: async (page) => {
      await page.getByLabel('Sample service on').click({ force: true });
      await page.evaluate(() => sessionStorage.setItem('fake-offline', 'yes'));
      await page.getByRole('main').getByRole('button', { name: 'Sync now' }).click();
      await page.getByText('The last sync did not finish').waitFor();
    },
  },
  ...['appearance', 'sync', 'privacy', 'keys', 'workspaces', 'doctor', 'about'].map((section) => ({
    name: `settings-${section}`,
    scene: 'working' as const,
    route: `/settings/${section}`,
    arrange: (page: Page) => page.getByRole('heading', { name: 'Settings' }).waitFor(),
  })),
  ...['privacy', 'about'].map((section) => ({
    name: `settings-${section}-ruled`,
    scene: 'working' as const,
    route: `/settings/${section}`,
    arrange: async (page: Page) => {
      await page.evaluate(() => sessionStorage.setItem('fake-policy', 'yes'));
      await page.reload();
      await page
        .getByText(/set by your organization/i)
        .first()
        .waitFor();
    },
  })),
  {
    name: 'settings-data',
    scene: 'working',
    route: '/settings/data',
    arrange: async (page) => {
      await page.getByLabel('Claims with service ending before').fill('2024-01-01');
      await page.getByRole('button', { name: 'Preview claims' }).click();
      await page.getByLabel('Type 2024-01-01 to confirm').fill('2024-01-01');
      await page.getByLabel(/^Type “remove everything”/).fill('remove everything');
    },
  },
  {
    name: 'settings-data-damaged',
    scene: 'damaged',
    route: '/settings/data',
    arrange: async (page) => {
      await page.getByRole('button', { name: 'Repair', exact: true }).click();
      await page.getByRole('button', { name: 'Repair and discard these' }).waitFor();
    },
  },
  {
    name: 'claims-updating',
    scene: 'updating',
    route: '/claims',
    arrange: (page) => page.getByRole('region', { name: 'Update in progress' }).waitFor(),
  },
  {
    name: 'claims-damaged',
    scene: 'damaged',
    route: '/claims',
    arrange: (page) => page.getByRole('link', { name: 'Repair records' }).waitFor(),
  },
  {
    name: 'export',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Export…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'export-sensitive',
    scene: 'working',
    route: '/members',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Export…' }).click();
      await page.getByRole('button', { name: 'Choose columns' }).click();
      await page.getByRole('checkbox', { name: /SSN/ }).check();
      await page.getByText(/Social Security numbers/).waitFor();
    },
  },
  {
    name: 'export-running',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Export…' }).click();
      await page.getByRole('button', { name: 'Save as…' }).click();
      await page.getByText(/rows of/).waitFor();
    },
  },
  {
    name: 'export-done',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Export…' }).click();
      await page.getByRole('button', { name: 'Save as…' }).click();
      await page.getByText(/Saved as/).waitFor();
    },
  },
  {
    name: 'columns',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'Carrier remarks / reason' }).check();
    },
  },
  {
    name: 'palette',
    scene: 'working',
    route: '/claims',
    arrange: async (page) => {
      await rows(page);
      await page.keyboard.press('Control+k');
      await page
        .getByRole('searchbox', { name: 'Search or jump to' })
        .or(page.getByPlaceholder(/Find a member/))
        .fill('hugo');
      await page.waitForTimeout(400);
    },
  },
  {
    name: 'shortcuts',
    scene: 'working',
    route: '/sync',
    arrange: async (page) => {
      await page.getByText('Verified complete').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'menu',
    ignores: ['region'],
    scene: 'working',
    route: '/sync',
    arrange: async (page) => {
      await page.getByText('Verified complete').waitFor();
      const burger = page.getByRole('button', { name: 'Open menu' });
      if (await burger.isVisible()) await burger.click();
      else await page.getByRole('button', { name: /^Workspace:/ }).click();
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'unknown-address',
    scene: 'working',
    route: '/nowhere',
    arrange: (page) => page.getByText('There is no such page').waitFor(),
  },
  {
    name: 'locked',
    scene: 'locked',
    route: '/claims',
    arrange: (page) => page.getByRole('button', { name: 'Unlock' }).waitFor(),
  },
  {
    name: 'locked-recovery',
    scene: 'locked',
    route: '/claims',
    arrange: async (page) => {
      await page.getByRole('button', { name: 'Use recovery code' }).click();
      await page.getByLabel('Recovery code').waitFor();
    },
  },
];
