import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { expect, test } from './app.ts';
import { goTo, openList } from './steps.ts';

test.use({
  options: {
    members: 1,
    claims: 1,
    environment: { CLAIMDESK_VAULT_PASSPHRASE: 'correct horse battery staple' },
  },
});

async function connect(page: Page, service: Awaited<ReturnType<typeof startSampleService>>): Promise<void> {
  await page.getByRole('link', { name: 'Connect to your service' }).click();
  await page.getByRole('textbox', { name: 'Service URL' }).fill(service.baseUrl);
  await page.getByRole('textbox', { name: 'Account email' }).fill(service.email);
  await page.getByRole('textbox', { name: 'Workspace name' }).fill('Front desk');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Make key' }).click();
  const publicKey = page.getByText(/^ssh-[a-z0-9-]+ [A-Za-z0-9+/=]+/).first();
  await service.register('Front desk', ((await publicKey.textContent()) ?? '').trim());
  await page.getByRole('button', { name: 'Verify key' }).click();
  await page.getByRole('button', { name: 'Start first sync' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Sync complete' })).toBeVisible();
}

async function findViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

test('a person reads in the audit log who opened what, narrows it, verifies it and saves it', {
  tag: '@long',
}, async ({ app, page }) => {
  const service = await startSampleService({ members: 20, claims: 60, seed: 7 });
  try {
    await connect(page, service);
    await (await openList(page, 'Members')).nth(1).dblclick();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^Member/);
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await goTo(page, 'Settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Privacy' }).click();
    await page.getByRole('link', { name: 'Open audit log' }).click();
    const entries = page.getByRole('region', { name: 'Entries' });
    const opened = entries.getByRole('row').filter({ hasText: 'Opened a member' });
    await expect(opened.getByRole('link')).toHaveText(name);
    await expect(entries.getByRole('row').filter({ hasText: 'Made an SSH key' })).toHaveCount(1);

    await page.getByLabel('Kind').selectOption({ label: 'Viewed and searched' });
    await expect(entries.getByRole('row').filter({ hasText: 'Made an SSH key' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Intact:' })).toBeVisible();
    for (const scheme of ['light', 'dark'] as const)
      expect.soft(await findViolations(page, scheme)).toEqual([]);

    if (app.isElectron) return;
    await page.getByRole('button', { name: 'Export…' }).click();
    await expect(page.getByText(/entries saved as/)).toBeVisible();
    const text = await readFile(join(app.downloadsDir, 'claimdesk-audit-log.jsonl'), 'utf8');
    expect(text).toContain('"action":"record.opened"');
    expect(text).not.toContain(name);
  } finally {
    await service.close();
  }
});
