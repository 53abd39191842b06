import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import { comeBack, openSettings, ownWorkspace } from './steps.ts';
import { button, line, makeInvitation, startServices, startTeam, test } from './team-steps.ts';

test.use(ownWorkspace);

/** Registers a key on the service's page for SSH keys, in a browser, as a user does. */
async function registerKey(browser: Browser, baseUrl: string, publicKey: string): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${baseUrl}/settings/ssh`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Front desk');
  await page.getByRole('textbox', { name: 'Public key' }).fill(publicKey);
  await button(page, 'Register key').click();
  await expect(page.getByRole('row', { name: /Front desk/ })).toBeVisible();
}

/** The eight characters that both people see. */
const codeOn = (page: Page): Promise<string | null> =>
  page
    .locator('code')
    .filter({ hasText: /^[0-9A-Z]{4}-[0-9A-Z]{4}$/ })
    .textContent({ timeout: 60_000 });

test(
  'who has no workspace joins a team from the invitation to live in six steps and three minutes, and takes the team over',
  {
    tag: '@long',
  },
  async ({ app, page, server }, info) => {
    test.setTimeout(420_000);
    const services = await startServices();
    const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
    try {
      await services.connect(page);
      await startTeam(page, server);
      await services.takeOver('ben');
      const { baseUrl, email } = services.current();
      const invitation = await makeInvitation(page, email);
      const ben = await app.openAnother();
      let steps = 0;
      const step = (what: string, run: () => Promise<void>): Promise<void> => {
        steps += 1;
        return test.step(what, run);
      };
      const startedMs = performance.now();

      await step('pastes the invitation, which has the addresses', async () => {
        await ben.getByRole('link', { name: 'Join a team' }).click();
        await ben.getByRole('textbox', { name: 'Invitation' }).fill(invitation);
        await expect(ben.getByText(server.origin)).toBeVisible();
        await ben.getByRole('textbox', { name: 'Account email' }).fill(email);
        await button(ben, 'Continue').click();
      });
      await step('makes a key', async () => button(ben, 'Make key').click());
      await step('asks to join, and tells the code', async () => {
        await button(ben, 'Ask to join').click();
        await expect(ben.getByText('Waiting for approval')).toBeVisible();
      });
      await step('the admin compares the code, and approves', async () => {
        const asked = page.getByRole('list', { name: 'Asked to join' });
        await expect(asked).toContainText(email);
        const told = await codeOn(ben);
        expect(await codeOn(page)).toBe(told);
        await button(page, `Approve ${email}`).click();
        await expect(ben.getByText('Waiting for approval')).toHaveCount(0, { timeout: 90_000 });
      });
      await step('registers the key on the page of the service, and comes back', async () => {
        const publicKey = ben.getByText(/^ssh-ed25519 [A-Za-z0-9+/=]+/).first();
        await registerKey(browser, baseUrl, ((await publicKey.textContent()) ?? '').trim());
        await comeBack(ben);
        await expect(button(ben, 'Start first sync')).toBeVisible();
      });
      await step('starts the first sync', async () => {
        await button(ben, 'Start first sync').click();
        await expect(ben.getByRole('alert').filter({ hasText: 'Sync complete' })).toBeVisible({
          timeout: 90_000,
        });
        await ben.getByRole('link', { name: 'Go to Start' }).click();
      });
      await expect(line(ben, 'Team: live')).toBeVisible();
      await openSettings(page, 'Team');
      await expect(page.getByRole('list', { name: 'Members' })).toContainText(email);
      await expect(page.getByText(/counts can differ/)).toHaveCount(0);
      expect(steps, 'of both people').toBeLessThanOrEqual(6);
      const elapsedMs = performance.now() - startedMs;
      info.annotations.push({ type: 'time of the machine, ms', description: String(Math.round(elapsedMs)) });
      expect(elapsedMs, 'of the machine alone').toBeLessThan(180_000);

      await test.step('the only admin leaves once somebody else is one', async () => {
        const leave = async () => {
          await button(page, 'Leave team…').click();
          await button(page, 'Leave team').click();
        };
        await openSettings(page, 'Team');
        await leave();
        await expect(page.getByRole('dialog')).toContainText('Couldn’t leave the team');
        await judge(page, 'team-last-admin', { within: '[role=dialog]' });
        await button(page, 'Cancel').click();
        await page.getByRole('combobox', { name: `Role of ${email}` }).click();
        await page.getByRole('option', { name: 'Admin' }).click();
        await openSettings(ben, 'Team');
        await expect(button(ben, 'Invite…')).toBeVisible({ timeout: 60_000 });
        await leave();
        await expect(line(page, /^Team:/)).toHaveCount(0);
        const members = ben.getByRole('list', { name: 'Members' });
        await expect(members).not.toContainText('admin@sandbox.example', { timeout: 60_000 });
        await expect(line(ben, 'Team: live')).toBeVisible();
      });
    } finally {
      await browser.close();
      await services.close();
    }
  },
);
