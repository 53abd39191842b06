import type { Page } from '@playwright/test';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import { cellAt, claimTitle, openWorklist, ownWorkspace, pressButton, pressKey } from './steps.ts';
import { openTeamOf, test } from './team-steps.ts';

test.use(ownWorkspace);

const appeals = (page: Page) => page.getByRole('region', { name: /^Appeals?/ });
const dialog = (page: Page) => page.getByRole('dialog');

async function openFirst(page: Page, worklist: string): Promise<void> {
  await openWorklist(page, worklist);
  await cellAt(page, 0, 'id').click();
  await expect(page.getByRole('button', { name: /^Eligible/ })).toBeEnabled();
}

async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, address);
}

test('an appeal to the carrier is dated on its claim; one that the plan received is answered by a second person', {
  tag: '@long',
}, async ({ app, page, server }) => {
  test.setTimeout(240_000);
  const team = await openTeamOf({ app, page, server }, ['ben']);
  const [ben] = team.others as [Page];
  try {
    await test.step('a denial is appealed at the carrier, and the claim says when the answer is due', async () => {
      await openFirst(page, 'Denied');
      await pressButton(page, 'Add appeal…');
      await dialog(page).getByLabel('Reason (optional)').fill('The referral was sent.');
      await judge(page, 'appeal');
      await dialog(page).getByRole('button', { name: 'Add appeal' }).click();
      await expect(appeals(page).getByRole('listitem')).toContainText('The referral was sent.');
      await expect(page.getByText(/, appeal sent \d\d\/\d\d\/\d{4}, answer due in 60 days/)).toBeVisible();
    });

    await openFirst(page, 'To decide');
    const title = (await claimTitle(page).textContent()) ?? '';
    const [address = ''] = (await page.evaluate(() => window.location.hash)).split('?');
    await pressKey(page, '3');
    await expect(claimTitle(page)).not.toHaveText(title);
    await goTo(page, address);
    await expect(claimTitle(page)).toHaveText(title);

    await test.step('who decided the claim adds the member’s appeal, and can’t answer it', async () => {
      await pressButton(page, 'Add appeal…');
      await expect(dialog(page).getByLabel('Received on')).not.toHaveValue('');
      await dialog(page).getByRole('button', { name: 'Add appeal' }).click();
      await expect(appeals(page)).toContainText('a colleague has to answer the appeal');
      await expect(appeals(page).getByRole('button', { name: 'Answer…' })).toHaveCount(0);
      await expect(page.getByText(/^Answer by \d\d/)).toBeVisible();
    });

    await test.step('the colleague overturns it, and the claim is to decide again for both', async () => {
      await goTo(ben, address);
      await expect(appeals(ben).getByRole('button', { name: 'Answer…' })).toBeVisible({ timeout: 60_000 });
      await pressButton(ben, 'Answer…');
      await dialog(ben).getByLabel('Answer', { exact: true }).selectOption('Overturned');
      await dialog(ben).getByLabel('Reason').fill('It was preventive.');
      await judge(ben, 'appeal-answer');
      await dialog(ben).getByRole('button', { name: 'Save answer' }).click();
      for (const one of [ben, page]) {
        await expect(appeals(one)).toContainText('Overturned on', { timeout: 60_000 });
        await expect(one.getByRole('region', { name: 'Review', exact: true })).toContainText('Undecided');
      }
      await judge(page, 'appeal-answered');
    });
  } finally {
    await team.close();
  }
});
