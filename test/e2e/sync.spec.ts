import { startSandbox } from '../integration/sandbox/start-sandbox.ts';
import { expect, test } from './app.ts';
import { exploreSample, goTo, nav, openList, startSync } from './steps.ts';

test('the sync page tells what a proof covers, and offers only what makes sense', async ({ page }) => {
  await exploreSample(page);
  await test.step('the receipt', async () => {
    await goTo(page, 'Sync');
    const receipt = page.getByRole('region', { name: 'Last sync' });
    await expect(receipt).toContainText('Verified complete');
    await expect(receipt).toContainText(/Two full reads of \d+ members and \d+ claims matched each other/);
    await expect(receipt).toContainText('Later changes arrive with the next sync');
  });
  await test.step('a quick refresh is greyed, with its reason, and does nothing', async () => {
    const quick = page.getByRole('button', { name: 'Quick refresh' });
    await expect(quick).toHaveAttribute('aria-disabled', 'true');
    await expect(quick).toHaveAccessibleDescription(/isn’t available for this service/);
    await quick.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('In progress')).toHaveCount(0);
  });
  await test.step('a member is refreshed', async () => {
    const members = await openList(page, 'Members');
    await members.nth(2).dblclick();
    await page.getByRole('button', { name: 'Refresh member' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: /^(Up to date\. No changes|Refreshed \d+ records?)/ }),
    ).toBeVisible();
  });
  await test.step('the automatic refresh is off until it is switched on', async () => {
    await goTo(page, 'Settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Sync' }).click();
    const choice = page.getByRole('combobox', { name: 'Refresh automatically' });
    await expect(choice).toHaveValue('Never');
    await choice.click();
    await page.getByRole('option', { name: 'Every hour' }).click();
    await expect(choice).toHaveValue('Every hour');
  });
});

test.describe('the first sync', () => {
  test.use({ options: { members: 100, claims: 12_000, environment: {} } });

  test('a list that nobody works in follows it by itself: under "Up to date" stand the totals of all', async ({
    page,
  }) => {
    await page.getByRole('button', { name: 'Explore sample data' }).click();
    const rows = await openList(page, 'Claims');
    const totals = page.getByRole('region', { name: 'Totals' });
    const count = totals.getByRole('status').first();
    // A mouse that rests over the rows is no work in them.
    await rows.first().hover();
    await expect(count).not.toHaveText('12,000 claims');
    await expect(page.getByText(/^Up to date · synced today/)).toBeVisible({ timeout: 60_000 });
    await expect(count).toHaveText('12,000 claims');
    await expect(totals.getByText('New data available.')).toHaveCount(0);
    await expect(nav(page, 'Claims')).toContainText('12,000');
    const billed = await totals.getByText(/^\$/).first().innerText();
    await goTo(page, 'Insights');
    const byStatus = page.getByRole('table', { name: 'Top providers' });
    await expect(byStatus).toBeVisible();
    await openList(page, 'Claims');
    await expect(totals.getByText(/^\$/).first()).toHaveText(billed);
  });
});

test.describe('before a complete sync', () => {
  test.use({
    options: {
      members: 1,
      claims: 1,
      environment: { CLAIMDESK_VAULT_PASSPHRASE: 'correct horse battery staple' },
    },
  });

  test('a workspace that never synced says so, also when the service is gone, and what a broken sync left is read', {
    tag: '@long',
  }, async ({ page }) => {
    const sandbox = await startSandbox('--members', '20', '--claims', '1200', '--seed', '7');
    const setService = (faults: readonly object[]) => sandbox.control('PUT', '/faults', faults);
    const main = page.getByRole('main');
    try {
      await test.step('a workspace whose key is verified, and no sync', async () => {
        await page.getByRole('link', { name: 'Connect to your service' }).click();
        await page.getByRole('textbox', { name: 'Service URL' }).fill(sandbox.baseUrl);
        await page.getByRole('textbox', { name: 'Account email' }).fill(sandbox.account.email);
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByRole('button', { name: 'Make key' }).click();
        const publicKey = await page
          .getByText(/^ssh-ed25519 /)
          .first()
          .innerText();
        await sandbox.control('POST', '/keys', { name: 'sync', publicKey: publicKey.trim() });
        await page.getByRole('button', { name: 'Verify key' }).click();
        await expect(page.getByRole('region', { name: 'First sync' })).toBeVisible();
        await page.getByRole('link', { name: 'Finish later' }).click();
      });
      await test.step('every screen says that nothing was synced, and offers it', async () => {
        await expect(page.getByText('Not synced yet')).toBeVisible();
        for (const [name, many] of [
          ['Claims', 'claims'],
          ['Members', 'members'],
          ['Dependents', 'dependents'],
          ['Claim lines', 'claim lines'],
        ] as const) {
          await goTo(page, name);
          await expect(main.getByText(`No ${many} on this computer yet`)).toBeVisible();
          await expect(main.getByText('Sync once; after that everything works offline.')).toBeVisible();
          await expect(main.getByRole('button', { name: 'Sync now' })).toBeVisible();
        }
      });
      await test.step('the service is gone before anything came', async () => {
        await setService([{ kind: 'reset' }]);
        await goTo(page, 'Claims');
        await main.getByRole('button', { name: 'Sync now' }).click();
        await expect(page.getByText('Offline · no full sync yet')).toBeVisible({ timeout: 60_000 });
        await expect(main.getByText('No claims on this computer yet')).toBeVisible();
        await expect(
          main.getByText(/^Can’t reach the claims service, and nothing has been synced/),
        ).toBeVisible();
        await main.getByRole('link', { name: 'Go to Sync' }).click();
        await expect(main.getByRole('alert')).toContainText('The last sync did not finish');
        await expect(main.getByRole('region', { name: 'Last sync' })).toContainText('Failed');
        // There is nothing to read.
        await expect(main.getByText(/You can still read/)).toHaveCount(0);
      });
      await test.step('a sync that breaks off says so, and what came is there with a warning', async () => {
        await setService([{ kind: 'status', status: 403, route: 'claims', page: 2 }]);
        await startSync(page);
        await expect(page.getByText('Sync failed · no full sync yet')).toBeVisible({ timeout: 60_000 });
        await expect((await openList(page, 'Claims')).first()).toBeVisible();
        await expect(page.getByText('No full sync yet. Records may be missing.')).toBeVisible();
      });
      await test.step('so does the service being gone: the rows stay, and so does the warning', async () => {
        await setService([{ kind: 'reset' }]);
        await startSync(page);
        await expect(page.getByText('Offline · no full sync yet')).toBeVisible({ timeout: 60_000 });
        await expect(page.getByText('No full sync yet. Records may be missing.')).toBeVisible();
        await expect((await openList(page, 'Members')).first()).toBeVisible();
        await goTo(page, 'Sync');
        await expect(main.getByText(/You can still read/)).toBeVisible();
      });
      await test.step('once it answers, the sync goes on and the warnings end', async () => {
        await setService([]);
        await startSync(page);
        await expect(page.getByText(/^Up to date · synced today/)).toBeVisible({ timeout: 60_000 });
        await openList(page, 'Claims');
        await expect(page.getByRole('region', { name: 'Totals' }).getByRole('status').first()).toHaveText(
          '1,200 claims',
        );
        await expect(page.getByText('No full sync yet. Records may be missing.')).toHaveCount(0);
      });
    } finally {
      await sandbox.stop();
    }
  });
});
