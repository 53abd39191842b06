import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { runCli } from '../support/cli-run.ts';
import { expect, test } from './app.ts';
import { goByName, pressOn, typeInto } from './keyboard.ts';
import { connectWorkspace, ownWorkspace, passphrase, pressKey } from './steps.ts';

test.use(ownWorkspace);

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function openClaim(page: Page, id: string): Promise<void> {
  await goByName(page, id);
  await expect(page.getByRole('heading', { level: 1, name: `Claim ${id}` })).toBeVisible();
}

test('a profile that is lost comes back from its backup with what was decided, and the records by a sync', {
  // The restore is a command of Node.
  tag: ['@long', '@node'],
}, async ({ app, page }) => {
  const service = await startSampleService({ members: 20, claims: 60, seed: 7 });
  const folder = join(dirname(app.downloadsDir), 'stick');
  const secret = 'open sesame door';
  const history = (shown: Page) => shown.getByRole('region', { name: 'Review history' });
  let id = '';
  try {
    await connectWorkspace(page, { ...service, register: (key) => service.register('Front desk', key) });
    await test.step('a folder and a passphrase for backups are set by keys', async () => {
      await mkdir(folder);
      await goByName(page, 'Settings: Data');
      await typeInto(page, field(page, 'Folder'), folder);
      await page.keyboard.press('Enter');
      await pressOn(page, button(page, 'Set backup passphrase'));
      await typeInto(page, field(page, 'Backup passphrase'), secret);
      await typeInto(page, field(page, 'Confirm passphrase'), secret);
      await page.keyboard.press('Enter');
      await expect(page.getByText('A separate passphrase')).toBeVisible();
      // While the dialog is open, keys are for it.
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
    await test.step('a claim is decided, and backed up now', async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('c');
      const first = page.locator('.ag-row[row-index="0"] .ag-cell[col-id="id"]');
      await expect(first).toContainText(/\d/);
      id = (await first.innerText()).trim();
      await openClaim(page, id);
      await expect(page.getByRole('region', { name: 'Review panel', exact: true })).toContainText(
        'Undecided',
      );
      await pressKey(page, '4');
      await expect(history(page)).toContainText('No action');
      await goByName(page, 'Settings: Data');
      await pressOn(page, button(page, 'Back up now'));
      await expect(page.getByText(/ new\)/)).toBeVisible();
    });
    const restored = await test.step('the profile is deleted, and restored by a command', () =>
      app.restart(async (profile) => {
        await rm(profile, { recursive: true });
        const env = { CLAIMDESK_VAULT_PASSPHRASE: passphrase };
        const done = await runCli(['restore', folder, '--code-fd', '3'], {
          profile,
          env,
          descriptors: [secret],
        });
        expect(done.code, done.stderr).toBe(0);
      }));
    await test.step('with another key the records come again, and the claim is decided', async () => {
      await pressOn(restored, restored.getByRole('main').getByRole('link', { name: 'Finish setup' }));
      await pressOn(restored, button(restored, 'Make key'));
      const publicKey = restored.getByText(/^ssh-ed25519 [A-Za-z0-9+/=]+/).first();
      await service.register('Restored', ((await publicKey.textContent()) ?? '').trim());
      await pressOn(restored, button(restored, 'Verify key'));
      await pressOn(restored, button(restored, 'Start first sync'));
      const complete = restored.getByRole('alert').filter({ hasText: 'Sync complete' });
      await expect(complete).toBeVisible({ timeout: 60_000 });
      await openClaim(restored, id);
      await expect(history(restored)).toContainText('No action');
    });
  } finally {
    await service.close();
  }
});
