import type { Page } from '@playwright/test';
import { type Sandbox, startSandbox } from '../integration/sandbox/start-sandbox.ts';
import { registerKeyAt } from '../support/key-page.ts';
import { expect, test } from './app.ts';
import { chooseByTyping, goByName, pressOn, typeInto } from './keyboard.ts';
import { connectWorkspace, ownWorkspace } from './steps.ts';

test.use(ownWorkspace);

interface TrueMember {
  id: number;
  email: string | null;
  first_name: string;
  last_name: string;
  employer: { id: number; name: string } | null;
}

let sandbox: Sandbox;
test.beforeEach(async () => {
  sandbox = await startSandbox('--members', '30', '--claims', '60', '--seed', '7');
  await sandbox.control('PUT', '/connect/settings', { stepMs: 250 });
});
test.afterEach(() => sandbox.stop());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name });
const employerBox = (page: Page) => page.getByRole('combobox', { name: 'Employer' });
const summary = (page: Page) => page.getByRole('region', { name: 'Summary' });

async function syncWorkspace(page: Page): Promise<void> {
  await connectWorkspace(page, {
    baseUrl: sandbox.baseUrl,
    email: sandbox.account.email,
    register: (publicKey) => registerKeyAt(sandbox.baseUrl, publicKey),
  });
  await goByName(page, 'Settings: Connect');
  await typeInto(page, field(page, 'Public token'), sandbox.connect.publicToken);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved.')).toBeVisible();
}

test('a known member is connected under the employer they have; the service has no employer and no member more', {
  tag: '@long',
}, async ({ page }) => {
  const listEmployers = async () =>
    (
      await sandbox.control<{
        data: { employer_id: number; employer_key: string; vendor_tenant_label: string }[];
      }>('GET', '/truth/employers')
    ).data;
  const count = async () => ({
    employers: (await listEmployers()).length,
    members: (await sandbox.truth('members')).length,
  });
  const before = await count();
  const employer = (await listEmployers()).find((one) => one.vendor_tenant_label === 'northwind-benefits');
  const member = (await sandbox.truth<TrueMember>('members')).find(
    ({ employer: of, email }) => of?.id === employer?.employer_id && /^member\d+@/.test(email ?? ''),
  );
  if (employer === undefined || member?.employer == null) throw new Error('nobody is known');
  const name = member.employer.name;
  await syncWorkspace(page);

  await test.step('found in the records, the member comes with their employer; its ID is asked once', async () => {
    await goByName(page, 'Add member');
    await typeInto(page, field(page, 'Find a member on this computer'), member.email ?? '');
    await pressOn(page, page.getByRole('list', { name: 'Members found' }).getByRole('button').first());
    await expect(page.getByText('Filled in from the member’s record.')).toBeVisible();
    await expect(employerBox(page)).toHaveValue(name);
    await expect(field(page, 'Vendor')).toHaveValue('northwind-benefits');
    await expect(
      page.getByText('Ask whoever set up the integration. It is saved for this employer.'),
    ).toBeVisible();
  });
  await test.step('a mistyped ID, which would make a second employer, is refused before anything is sent', async () => {
    await typeInto(page, field(page, 'Employer ID in your benefits system'), 'MISTYPED');
    await pressOn(page, button(page, 'Continue'));
    await expect(
      page.getByRole('alert').filter({ hasText: 'connect.employerKeyUnknown' }).first(),
    ).toBeVisible();
  });
  await test.step('a second employer of the same name is refused, and the existing one is taken instead', async () => {
    await pressOn(page, button(page, 'Create a new employer'));
    await typeInto(page, field(page, 'New employer name'), `  ${name.toUpperCase()} `);
    await typeInto(page, field(page, 'Employer ID in your benefits system'), 'TWIN-1');
    await typeInto(page, field(page, 'Vendor'), 'northwind-benefits');
    await pressOn(page, button(page, 'Continue'));
    await expect(page.getByRole('alert').filter({ hasText: 'connect.employerExists' }).first()).toBeVisible();
    await expect(button(page, 'Create second employer')).toBeVisible();
    await pressOn(page, button(page, `Use ${name} (ID ${employer.employer_id})`));
    await expect(employerBox(page)).toHaveValue(name);
  });
  await test.step('what will happen is said first: the member is matched, and connected', async () => {
    await typeInto(page, field(page, 'Employer ID in your benefits system'), employer.employer_key);
    await pressOn(page, button(page, 'Continue'));
    await expect(summary(page)).toContainText('Existing member matched:');
    await expect(summary(page)).toContainText('Nothing new is created.');
    expect(await count()).toEqual(before);
    await pressOn(page, button(page, 'Use existing member'));
    await typeInto(page, field(page, 'Carrier'), 'test carrier');
    await page.keyboard.press('Enter');
    await pressOn(page, page.getByRole('checkbox', { name: 'The member accepts the terms of use' }), 'Space');
    await pressOn(page, page.getByRole('checkbox', { name: /receives their claims/ }), 'Space');
    await page.keyboard.press('Enter');
    await typeInto(page, field(page, 'Username'), 'known.fast');
    await typeInto(page, field(page, 'Password'), 'a password');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status', { name: /sign-in check/i })).toContainText('Connected', {
      timeout: 20_000,
    });
    expect(await count()).toEqual(before);
  });
  await test.step('the same email under another employer is refused; the ID of the first is known from now on', async () => {
    await goByName(page, 'Add member');
    await typeInto(page, field(page, 'Email'), (member.email ?? '').toUpperCase());
    await typeInto(page, field(page, 'First name'), 'Dana');
    await typeInto(page, field(page, 'Last name'), 'Reyes');
    const other = (await listEmployers()).find(
      (one) => one.vendor_tenant_label === 'northwind-benefits' && one.employer_id !== employer.employer_id,
    );
    const otherName = (await sandbox.truth<TrueMember>('members')).find(
      (one) => one.employer?.id === other?.employer_id,
    )?.employer?.name;
    await chooseByTyping(page, employerBox(page), otherName ?? '');
    await typeInto(page, field(page, 'Employer ID in your benefits system'), other?.employer_key ?? '');
    await pressOn(page, button(page, 'Continue'));
    await expect(
      page.getByRole('alert').filter({ hasText: 'connect.memberElsewhere' }).first(),
    ).toBeVisible();
    await pressOn(page, button(page, `Use ${name} (ID ${employer.employer_id})`));
    await expect(
      page.getByText(`Employer ID in your benefits system: ${employer.employer_key}`),
    ).toBeVisible();
    await pressOn(page, button(page, 'Continue'));
    await expect(summary(page)).toContainText('Existing member matched:');
    expect(await count()).toEqual(before);
  });
});
