import type { Page } from '@playwright/test';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import { claimTitle, exploreSample, openList, openSettings, showMoreDecisions } from './steps.ts';
import { button, line, makeTeam, test } from './team-steps.ts';

const newest = (page: Page) =>
  page.getByRole('region', { name: 'Review history' }).getByRole('listitem').first();

test('two computers make a team; what one decides, the other sees, also what was done offline', {
  tag: '@long',
}, async ({ app, page, server }) => {
  test.setTimeout(240_000);
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

  await server.end();
  await expect(line(page, 'Team: offline')).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: /^To do/ }).click();
  await expect(line(page, 'Team: offline, 1 to send')).toBeVisible();
  await server.startAgain();
  await expect(newest(other)).toContainText('To do', { timeout: 90_000 });
  await expect(line(page, 'Team: live')).toBeVisible({ timeout: 90_000 });

  await openSettings(page, 'Team');
  await button(page, /^Remove computer .*…$/).click();
  await button(page, 'Remove from team').click();
  await expect(line(other, /^Team: This computer isn’t a member/)).toBeVisible({ timeout: 90_000 });
});

test('with sample data a team is tried in one step, and a colleague decides claims beside one', {
  tag: '@long',
}, async ({ page }) => {
  test.setTimeout(120_000);
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
