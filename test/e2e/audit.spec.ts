import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { expect, test } from './app.ts';
import { judge } from './axe.ts';
import { connectWorkspace, openList, openSettings, ownWorkspace } from './steps.ts';

test.use(ownWorkspace);

test('a person reads in the audit log who opened what, narrows it, verifies it and saves it', {
  tag: '@long',
}, async ({ app, page }) => {
  const service = await startSampleService({ members: 20, claims: 60, seed: 7 });
  try {
    await connectWorkspace(page, {
      baseUrl: service.baseUrl,
      email: service.email,
      register: (publicKey) => service.register('Front desk', publicKey),
    });
    await (await openList(page, 'Members')).nth(1).dblclick();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^Member/);
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await openSettings(page, 'Security');
    await page.getByRole('link', { name: 'Open audit log' }).click();
    const entries = page.getByRole('region', { name: 'Entries' });
    const opened = entries.getByRole('row').filter({ hasText: 'Opened a member' });
    await expect(opened.getByRole('link')).toHaveText(name);
    await expect(entries.getByRole('row').filter({ hasText: 'Made an SSH key' })).toHaveCount(1);

    await page.getByLabel('Kind').selectOption({ label: 'Viewed and searched' });
    await expect(entries.getByRole('row').filter({ hasText: 'Made an SSH key' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Intact:' })).toBeVisible();
    await judge(page, 'audit log');

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
