import { type Browser, test as base, chromium, expect, type Page } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { findViolations, themes } from './axe.ts';
import { pressOn, tabTo, typeInto } from './keyboard.ts';

// The sample's page for SSH keys, which people use as they would that of a real service.
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJWwm5kJpxxFXMlSP0jWVnZ7NQ1VyaQFzY4dGBnXh0k1 a-laptop';

const test = base.extend<{ keyPage: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern
  keyPage: async ({}, use) => {
    const service = await startSampleService({ members: 1, claims: 1 });
    const browser: Browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${service.baseUrl}/settings/ssh`);
    await use(page);
    await browser.close();
    await service.close();
  },
});

async function judge(page: Page, state: string): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    expect.soft(await findViolations(page), `axe on the ${state} page, ${colorScheme}`).toEqual([]);
  }
}

test('keys are registered and deleted on the sample’s page by keyboard, and axe finds nothing', {
  tag: '@long',
}, async ({ keyPage: page }) => {
  await judge(page, 'empty');
  const field = page.getByRole('textbox', { name: 'Public key' });
  await typeInto(page, field, 'not a key');
  await pressOn(page, page.getByRole('button', { name: 'Register key' }));
  await expect(page.getByRole('alert')).toBeVisible();
  await judge(page, 'refusing');

  await typeInto(page, page.getByRole('textbox', { name: 'Name' }), 'A laptop');
  await typeInto(page, field, publicKey);
  await pressOn(page, page.getByRole('button', { name: 'Register key' }));
  await expect(page.getByRole('row', { name: /A laptop/ })).toBeVisible();
  await judge(page, 'filled');

  await tabTo(page, page.getByRole('button', { name: 'Delete key A laptop' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('No key is registered yet.')).toBeVisible();
});
