import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import { cellAt, claimTitle, drop, openWorklist, ownWorkspace, pressButton, pressKey } from './steps.ts';
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
    await test.step('the receipt for a claim is dropped, and it is declined with a reason', async () => {
      await drop(page, 'receipt.txt', 'A receipt');
      await dialog(page).getByRole('button', { name: 'Attach' }).click();
      await expect(page.getByRole('region', { name: 'Documents (1)' })).toContainText('Itemized receipt');
      await pressKey(page, 'c');
      await page.keyboard.type('Not a medical expense');
      await page.keyboard.press('Enter');
      await expect(claimTitle(page)).not.toHaveText(title);
      await goTo(page, address);
      await expect(claimTitle(page)).toHaveText(title);
    });

    await test.step('its letter is made by what the team says, and the claim has it', async () => {
      await pressButton(page, 'Letter…');
      const letter = dialog(page);
      await expect(letter).toContainText('for everyone in your team');
      await letter.getByLabel(/^What the plan says/).fill('Section 4.2 covers medical care only.');
      await letter.getByLabel('What would change the decision').fill('A letter of medical necessity.');
      await letter.getByLabel('Contact for questions').fill('Call Ana Ruiz at 555-0100.');
      await letter.getByLabel('Return address').fill('Acme Benefits\n1 Main Street');
      await judge(page, 'letter-of-team');
      await app.chooseSavePath(join(app.downloadsDir, 'letter.pdf'));
      await letter.getByRole('button', { name: 'Save letter…' }).click();
      const file = page.getByRole('dialog', { name: 'Save letter' });
      await file.getByText('Audit', { exact: true }).click();
      await file.getByRole('button', { name: /^Save file…?$/ }).click();
      await expect(file.getByRole('status').filter({ hasText: /^Exported/ })).toContainText('1 letter');
      await page.keyboard.press('Escape');
      await expect(file).toHaveCount(0);
      await expect(page.getByText(/^Letter: not eligible, \d/)).toBeVisible();
    });

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
        await expect(one.getByText('No longer true', { exact: true })).toBeVisible();
        await expect(one.getByRole('region', { name: 'Review', exact: true })).toContainText('Undecided');
      }
      await judge(page, 'appeal-answered');
    });
  } finally {
    await team.close();
  }
});
