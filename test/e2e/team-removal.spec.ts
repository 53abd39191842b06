import type { Page } from '@playwright/test';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import { claimTitle, countOf, exploreSample, openList, openSettings, showMoreDecisions } from './steps.ts';
import { button, makeTeam, test } from './team-steps.ts';

const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    window.location.hash = to;
  }, hash);
const removals = (page: Page) => page.getByRole('region', { name: 'Removals' });
const count = async (page: Page): Promise<number> => {
  await expect(countOf(page)).toContainText(/\d/);
  return Number(/[\d,]+/.exec((await countOf(page).textContent()) ?? '')?.[0].replaceAll(',', ''));
};
const newest = (page: Page) =>
  page.getByRole('region', { name: 'Review history' }).getByRole('listitem').first();

test('what is removed for the team in one window is gone in the other one, which says so', {
  tag: '@long',
}, async ({ app, page, server }) => {
  const other = await app.openAnother();
  await Promise.all([exploreSample(page), exploreSample(other)]);
  await makeTeam(page, other, server);
  await openSettings(page, 'Team');
  await expect(removals(page)).toContainText('Nothing was removed for the team.');

  const members = await openList(page, 'Members');
  await members.first().dblclick();
  await expect(page.getByRole('region', { name: /^Claims/ }).first()).toBeVisible();
  const address = (await page.evaluate(() => window.location.hash)).split('?')[0] ?? '';
  const [memberId = ''] = /\d+$/.exec(address) ?? [];
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await openList(other, 'Claims');
  const before = await count(other);
  const warning = page.getByRole('alert').filter({ hasText: /^(Member|Claims) with/ });
  let removed = 0;

  await test.step('a member is found by typing, and what is of others too is kept', async () => {
    await openSettings(page, 'Team');
    await button(page, 'Remove for the team…').click();
    await page.getByRole('combobox', { name: 'Member' }).fill(name);
    await page.getByRole('option', { name: new RegExp(`Record no\\. ${memberId}\\b`) }).click();
    await page.getByLabel('Reason').fill('The years to keep are over.');
    await button(page, 'Preview removal').click();
    await expect(warning).toContainText(`Member with record no. ${memberId}: 1 member, `);
  });

  await test.step('old claims are counted, exported, and removed once the day is typed', async () => {
    await page.getByLabel('What to remove').selectOption('Old claims');
    await page.getByLabel('Claims with service ending before').fill('2026-03-01');
    await button(page, 'Preview removal').click();
    await expect(warning).toContainText(/Claims with service through 02\/28\/2026: [1-9]\d* claims, /);
    removed = Number(/: (\d+) claims/.exec((await warning.textContent()) ?? '')?.[1]);
    await judge(page, 'remove-for-team');
    await button(page, `Export ${removed} claims…`).click();
    const dialog = page.getByRole('dialog', { name: `Export ${removed} claims` });
    await dialog.getByText('Reimbursement').click();
    await dialog.getByRole('button', { name: /^Save file…?$/ }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(warning).toContainText(new RegExp(`Exported ${removed} rows to .*\\.xlsx`));
    await page.getByLabel('Type 2026-03-01 to confirm').fill('2026-03-01');
    await button(page, 'Remove for the team').click();
  });

  await test.step('gone and acknowledged', async () => {
    await expect(removals(page)).toContainText('Removed on all 2 computers of the team', { timeout: 60_000 });
    await expect(removals(page)).toContainText('Reason: The years to keep are over.');
    await judge(page, 'removals');
    await openList(other, 'Claims');
    expect(await count(other)).toBe(before - removed);
    await openSettings(other, 'Team');
    await expect(removals(other)).toContainText('Removed on all 2 computers of the team');
    await expect(removals(other)).toContainText('Claims with service through 02/28/2026');
  });

  await test.step('the team works on', async () => {
    const rows = await openList(page, 'Claims');
    await rows.first().dblclick();
    await expect(claimTitle(page)).toBeVisible();
    const claim = await page.evaluate(() => window.location.hash);
    await showMoreDecisions(page);
    await page.getByRole('button', { name: /^In review/ }).click();
    await goTo(other, claim);
    await expect(newest(other)).toContainText('In review', { timeout: 60_000 });
  });
});
