import type { Page } from '@playwright/test';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import {
  cellAt,
  claimTitle,
  exploreReviewed,
  exploreSample,
  openList,
  openSettings,
  showMoreDecisions,
} from './steps.ts';
import { button, line, makeTeam, test } from './team-steps.ts';

const newest = (page: Page) =>
  page.getByRole('region', { name: 'Review history' }).getByRole('listitem').first();

const documents = (page: Page) => page.getByRole('region', { name: /^Documents \(/ });

async function attach(page: Page, name: string, text: string): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await documents(page).getByRole('button', { name: 'Attach file…' }).click();
  await (await chosen).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await button(page, 'Attach').click();
  await expect(documents(page).getByRole('button', { name, exact: true })).toBeVisible();
}

test('two computers make a team; what one decides, the other sees, also what was done offline', {
  tag: '@long',
}, async ({ app, page, server }) => {
  const other = await app.openAnother();
  await Promise.all([exploreSample(page), exploreSample(other)]);
  await makeTeam(page, other, server, judge);

  const rows = await openList(page, 'Claims');
  await rows.nth(3).dblclick();
  const title = (await claimTitle(page).textContent()) ?? '';
  const address = await page.evaluate(() => window.location.hash);
  await showMoreDecisions(page);
  await page.getByRole('button', { name: /^In review/ }).click();
  await other.evaluate((hash) => {
    window.location.hash = hash;
  }, address);
  await expect(claimTitle(other)).toHaveText(title);
  await expect(newest(other)).toContainText(/^In review.*, signed with SHA256:/);

  await attach(page, 'receipt.txt', 'Paid in cash, $12.00');
  // Its bytes arrive after it is listed.
  await documents(other).getByRole('button', { name: 'receipt.txt', exact: true }).click({ timeout: 60_000 });
  await expect(other.getByRole('dialog', { name: 'receipt.txt' })).toContainText('Paid in cash, $12.00', {
    timeout: 60_000,
  });
  await judge(other, 'team-document');
  await other.keyboard.press('Escape');

  await server.end();
  await expect(line(page, 'Team: offline')).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: /^Undecided/ }).click();
  await expect(line(page, 'Team: offline, 1 to send')).toBeVisible();
  await server.startAgain();
  await expect(newest(other)).toContainText('Undecided', { timeout: 90_000 });
  await expect(line(page, 'Team: live')).toBeVisible({ timeout: 90_000 });

  await openSettings(page, 'Team');
  await button(page, /^Remove computer .*…$/).click();
  await button(page, 'Remove from team').click();
  await expect(line(other, /^Team: This computer isn’t in the team/)).toBeVisible({ timeout: 90_000 });
});

test('with sample data a team is tried in one step, and a colleague decides claims beside one', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await openSettings(page, 'Team');
  await button(page, 'Try it as a team').click();
  await expect(line(page, 'Team: live')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('colleague@example.com');
  await judge(page, 'team-tried');
  const rows = await openList(page, 'Claims');
  await expect(rows.first()).toBeVisible();
  await expect(line(page, 'Team: live')).toBeVisible();
});

test('two minutes after a team is tried, a claim is decided twice and settled, and one is paid twice, whatever you do', {
  tag: '@long',
}, async ({ page }) => {
  await exploreReviewed(page);
  await openSettings(page, 'Team');
  const begun = Date.now();
  await button(page, 'Try it as a team').click();
  const next = page.getByRole('alert').filter({ hasText: 'Next: work beside your colleague' });
  await expect(next).toBeVisible({ timeout: 60_000 });
  await judge(page, 'team-next');
  await next.getByRole('link', { name: 'Decided twice (1)' }).click({ timeout: 90_000 });
  // A row is drawn before its record is there, and does nothing until then.
  await expect(cellAt(page, 0, 'id')).toContainText(/\d/);
  await cellAt(page, 0, 'id').click();
  await page.getByRole('button', { name: 'Confirm Not eligible by you' }).click();
  await expect(page.getByRole('region', { name: 'Decided twice' })).toHaveCount(0);
  expect((Date.now() - begun) / 1_000, 'seconds from Try it as a team to a settled claim').toBeLessThan(120);
  await openSettings(page, 'Team');
  await expect(next.getByRole('link', { name: 'Paid twice (1)' })).toBeVisible({ timeout: 60_000 });
  await expect(next).toContainText(/has decided [1-9]\d* of 20 claims/);
  expect((Date.now() - begun) / 1_000, 'seconds to a claim that is paid twice').toBeLessThan(120);
});
