import type { Page } from '@playwright/test';
import type { Scenario } from './scenarios.ts';

const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
/** The page's own query comes behind the last of these, which is there for that. */
const wizard = (payerId: number | null) =>
  `/connections/new?broughtIn="2026-03-02T08:15:00Z"${payerId === null ? '' : `&payerId=${payerId}`}&last=0`;

async function consent(page: Page): Promise<void> {
  await page.getByLabel('The member accepts the terms of use').check();
  await page.getByLabel(/receives their claims/).check();
  await click(page, 'Go on');
}

async function submitLogin(page: Page, username: string): Promise<void> {
  await consent(page);
  await page.getByLabel('Subscriber number').fill('A12345678');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill('a password');
  await click(page, 'Submit the login');
}

async function reachCode(page: Page): Promise<void> {
  await submitLogin(page, 'dana');
  await page.getByLabel('Text to (***) ***-1234').check();
  await click(page, 'Send the code this way');
  await page.getByLabel('Code from the carrier').waitFor();
}

const sendCode = async (page: Page, code: string): Promise<void> => {
  await page.getByLabel('Code from the carrier').fill(code);
  await click(page, 'Send the code');
};

const fillMember = async (page: Page): Promise<void> => {
  await page.getByLabel('Email').fill('sam@example.com');
  await page.getByLabel('First name').fill('Sam');
  await page.getByLabel('Last name').fill('Okafor');
};

/** Connect's desk in each of its states. */
export const connectScenarios: readonly Scenario[] = [
  { name: 'connections-not-set-up', scene: 'empty', route: '/connections' },
  {
    name: 'connections',
    scene: 'working',
    route: '/connections',
    arrange: (page) => page.getByText('All connections').waitFor(),
  },
  {
    name: 'settings-integration',
    scene: 'working',
    route: '/settings/integration',
    arrange: async (page) => {
      await click(page, 'Names of headers…');
      await click(page, 'Test token and key');
      await page.getByText('The service accepts').waitFor();
    },
  },
  {
    name: 'connect-demo',
    scene: 'working',
    route: '/settings/integration',
    arrange: async (page) => {
      await page.getByRole('switch', { name: 'Demo data' }).click({ force: true });
      await click(page, 'Save integration');
      await page.getByRole('region', { name: 'Demo data' }).waitFor();
    },
  },
  {
    name: 'bring-in-member',
    scene: 'working',
    route: '/connections/new',
    arrange: async (page) => {
      await page.getByLabel('Find a member on this computer').fill('hugo');
      await page.waitForTimeout(400);
      await click(page, 'Continue');
    },
  },
  {
    name: 'bring-in-from-store',
    scene: 'working',
    route: '/connections/new?memberId=1004&last=0',
    arrange: (page) => page.getByText('Filled in from the member’s record.').waitFor(),
  },
  {
    name: 'bring-in-same-employer',
    scene: 'working',
    route: '/connections/new',
    arrange: async (page) => {
      await fillMember(page);
      await click(page, 'Create a new employer');
      await page.getByLabel('New employer name').fill('Northwind Bakery');
      await page.getByLabel('Employer ID in your benefits system').fill('NWB-2');
      await page.getByLabel('Vendor').fill('hrx');
      await click(page, 'Continue');
      await page.getByText('connect.employerExists').waitFor();
    },
  },
  {
    name: 'bring-in-summary',
    scene: 'working',
    route: '/connections/new',
    arrange: async (page) => {
      await fillMember(page);
      await page.getByRole('combobox', { name: 'Employer' }).click();
      await page.getByRole('option', { name: 'Northwind Bakery' }).click();
      await click(page, 'Continue');
      await page.getByRole('region', { name: 'Summary' }).waitFor();
    },
  },
  {
    name: 'bring-in-carrier',
    scene: 'working',
    route: wizard(null),
    arrange: (page) => page.getByRole('list', { name: 'Carriers' }).waitFor(),
  },
  {
    name: 'bring-in-terms',
    scene: 'working',
    route: wizard(13),
    arrange: async (page) => {
      await page.getByLabel('The member accepts the terms of use').check();
    },
  },
  {
    name: 'bring-in-login',
    scene: 'working',
    route: wizard(13),
    arrange: async (page) => {
      await consent(page);
      await click(page, 'Submit the login');
      await page.getByText('Fill this in.').first().waitFor();
      await click(page, 'Find your member portal');
    },
  },
  {
    name: 'bring-in-refused',
    scene: 'working',
    route: wizard(13),
    arrange: async (page) => {
      await submitLogin(page, 'taken');
      await page.getByText('is not one of ours').waitFor();
    },
  },
  {
    name: 'validation-method',
    scene: 'working',
    route: wizard(13),
    arrange: async (page) => {
      await submitLogin(page, 'dana');
      await page.getByLabel('Text to (***) ***-1234').check();
    },
  },
  { name: 'validation-code', scene: 'working', route: wizard(13), arrange: reachCode },
  {
    name: 'validation-refused-code',
    scene: 'working',
    route: wizard(13),
    arrange: async (page) => {
      await reachCode(page);
      await sendCode(page, '000000');
      await page.getByText('The code you entered is not correct').waitFor();
    },
  },
  {
    name: 'validation-connected',
    scene: 'working',
    route: wizard(13),
    arrange: async (page) => {
      await reachCode(page);
      await sendCode(page, '123456');
      await page.getByText('The carrier accepted the login.').waitFor();
    },
  },
  {
    name: 'carrier-page',
    scene: 'working',
    route: wizard(17),
    arrange: async (page) => {
      await consent(page);
      await click(page, 'Ask for the carrier’s page');
      await click(page, 'Open patient-access.carrier.example');
      await page.getByText('Open the page yourself').waitFor();
    },
  },
  {
    name: 'connection-broken',
    scene: 'working',
    route: '/connections/401',
    arrange: (page) => page.getByText('How the connection stands').waitFor(),
  },
  {
    name: 'connect-calls',
    scene: 'working',
    route: '/connections/calls',
    arrange: (page) => page.getByRole('table').waitFor(),
  },
];
