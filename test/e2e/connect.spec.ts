import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { expect, test } from './app.ts';
import { comeBack, goTo, nav, openList, openSettings, ownWorkspace, passphrase, startSync } from './steps.ts';

test.use(ownWorkspace);

test('a fresh workspace connects to a service: address, key, registration, first sync; lock and unlock', async ({
  page,
}) => {
  const service = await startSampleService({ members: 50, claims: 300, seed: 7 });
  try {
    await page.getByRole('link', { name: 'Connect to your service' }).click();
    await test.step('an address that is none is said so', async () => {
      await page.getByRole('textbox', { name: 'Service URL' }).fill('http://service.example');
      await page.getByRole('textbox', { name: 'Account email' }).fill(service.email);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText(/isn’t encrypted/).first()).toBeVisible();
    });
    await test.step('the address and the account', async () => {
      await page.getByRole('textbox', { name: 'Service URL' }).fill(service.baseUrl);
      await page.getByRole('button', { name: 'Continue' }).click();
    });
    const publicKey = await test.step('a key is made here and its public side is shown', async () => {
      await page.getByRole('button', { name: /^Make/ }).click();
      await expect(page.getByRole('region', { name: 'Registration' })).toBeVisible();
      const shown = page.getByText(/^ssh-ed25519 [A-Za-z0-9+/=]+/).first();
      return (await shown.textContent()) ?? '';
    });
    await test.step('coming back too early alarms nobody', async () => {
      await comeBack(page);
      await expect(page.getByText('The service doesn’t accept this key yet.')).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
    await test.step('the page is a link, and its address does not cost the copied key', async () => {
      await page.getByRole('button', { name: 'Copy key and open SSH keys page' }).click();
      await expect(page.getByText('The public key is on the clipboard.')).toBeVisible();
      const link = page.getByRole('link', { name: `${service.baseUrl}/settings/ssh` });
      await expect(link).toHaveAttribute('href', `${service.baseUrl}/settings/ssh`);
      const copyAddress = page.getByRole('button', { name: 'Copy address' });
      // Where the shell can open a browser, the address is not needed.
      if (!(await copyAddress.isVisible())) return;
      await copyAddress.click();
      await page.getByRole('button', { name: 'Copy key', exact: true }).click();
      await expect(page.getByText('The public key is on the clipboard.')).toBeVisible();
    });
    await test.step('without registration the service refuses', async () => {
      await page.getByRole('button', { name: 'Verify key' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'service.unauthorized' }).first()).toBeVisible({
        timeout: 30_000,
      });
    });
    await test.step('registered on its page, it is proven, and the first sync fetches everything', async () => {
      await service.register('Claimdesk', publicKey.trim());
      await page.getByRole('button', { name: 'Verify key' }).click();
      await expect(page.getByRole('region', { name: 'First sync' })).toBeVisible({ timeout: 30_000 });
      await page.getByRole('button', { name: 'Start first sync' }).click();
      await expect(page.getByRole('link', { name: 'Connect carriers (optional)' })).toBeVisible({
        timeout: 60_000,
      });
      await expect(page.getByRole('link', { name: 'Finish later' })).toHaveCount(0);
      await page.getByRole('link', { name: 'Go to Start' }).click();
      await expect(nav(page, 'Claims')).toContainText('300');
      const notice = await page.getByRole('alert').filter({ hasText: 'Sync complete' }).boundingBox();
      const search = await page.getByRole('button', { name: /^Search or jump to/ }).boundingBox();
      expect(notice?.y, 'the notice leaves search free').toBeGreaterThan(
        (search?.y ?? Infinity) + (search?.height ?? 0),
      );
    });
    await test.step('a member’s connections are told from claims, and that Connect is not set up', async () => {
      await (await openList(page, 'Members')).nth(3).dblclick();
      const connections = page.getByRole('region', { name: 'Carrier connections' });
      await expect(connections.getByText('State unknown').first()).toBeVisible();
      await expect(connections.getByText('Carrier unknown').first()).toBeVisible();
      await expect(connections.getByText(/^Last claim update \d{2}\/\d{2}\/\d{4}/).first()).toBeVisible();
      await expect(connections.getByText(/which isn’t set up in this workspace/)).toBeVisible();
      await expect(connections.getByRole('link', { name: 'Set up Connect' })).toBeVisible();
    });
    await openList(page, 'Claims');
    await test.step('a service that went away is back as soon as it answers anything', async () => {
      await service.stop();
      await startSync(page);
      await expect(page.getByText(/^Offline · last full sync today/)).toBeVisible({ timeout: 30_000 });
      await goTo(page, 'Sync');
      await expect(page.getByText('You can still read, search, and export')).toBeVisible();
      await expect(page.getByText(/offline/i)).toHaveCount(1);
      await service.start();
      await openSettings(page, 'Doctor');
      await page.getByRole('button', { name: 'Run check' }).click();
      await expect(page.getByText(/^Sync failed · last full sync today/)).toBeVisible();
      await expect(page.getByText(/^Offline/)).toHaveCount(0);
      await openList(page, 'Claims');
    });
    await test.step('a locked desk opens with the passphrase of its vault only', async () => {
      await page.getByRole('button', { name: 'Lock now' }).first().click();
      const field = page.getByRole('textbox', { name: 'Unlock passphrase' });
      await field.fill('wrong horse battery staple');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await expect(
        page.getByRole('alert').filter({ hasText: 'vault.wrongPassphrase' }).first(),
      ).toBeVisible();
      await field.fill(passphrase);
      await page.getByRole('button', { name: 'Unlock' }).click();
      await expect(nav(page, 'Claims')).toContainText('300', { timeout: 30_000 });
      await openList(page, 'Claims');
    });
  } finally {
    await service.close();
  }
});
