import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { exploreSample, goTo } from './steps.ts';

const worklists = (page: Page) => page.getByRole('navigation', { name: 'Worklists' });
const rowsOf = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

async function openWorklist(page: Page, name: string) {
  await worklists(page)
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  await expect(rowsOf(page).first()).toContainText(/\d/);
}

/** The ID in the heading of a claim's page. */
async function shownClaim(page: Page): Promise<string> {
  const heading = await page.getByRole('heading', { level: 1, name: /^Claim \d+/ }).innerText();
  return /\d+/.exec(heading)?.[0] ?? '';
}

test('a day by worklists: duplicates judged by key, a reminder due, payments imported, reports that agree', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await exploreSample(page);
  await expect(worklists(page).getByRole('link', { name: /^New \d/ })).toBeVisible();

  await test.step('two claims are no duplicates: both leave the worklist', async () => {
    await openWorklist(page, 'Duplicates');
    await rowsOf(page).first().dblclick();
    await expect(page.getByRole('table', { name: /^Claims \d+ and \d+/ })).toContainText('Differs');
    await page.keyboard.press('u');
    await expect(worklists(page).getByRole('link', { name: 'Duplicates 0' })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(worklists(page).getByRole('link', { name: 'Duplicates 2' })).toBeVisible();
  });

  let claimId = '';
  await test.step('a claim waits until today, so its reminder is due and it is back', async () => {
    await openWorklist(page, 'Ready');
    await rowsOf(page).first().dblclick();
    claimId = await shownClaim(page);
    await expect(page.getByRole('button', { name: /^Waiting…/ })).toBeEnabled();
    await page.keyboard.press('w');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Waiting on').fill('Carrier');
    await dialog.getByLabel('Reason').fill('EOB requested');
    const today = await page.evaluate(() => {
      const now = new Date();
      return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
        .map((part) => String(part).padStart(2, '0'))
        .join('-');
    });
    await dialog.getByLabel('Reminder').fill(today);
    await dialog.getByRole('button', { name: 'Mark as waiting' }).click();
    await expect(dialog).toBeHidden();
    await goTo(page, 'Start');
    await expect(page.getByRole('region', { name: 'Reminders due' })).toContainText(claimId);
    await expect(page.getByRole('region', { name: 'Continue where you were' })).toContainText(/Claim \d+/);
  });

  await test.step('payments come from a file; what does not match is listed', async () => {
    await goTo(page, 'Settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Reviews' }).click();
    await page.getByRole('button', { name: 'Import payments…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import payments' });
    const csv = `claim,amount,date\n${claimId},12.50,2026-11-02\nunknown-1,3,2026-11-02\n`;
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByLabel('CSV file').click();
    await (await chooser).setFiles({ name: 'payments.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await dialog.getByRole('button', { name: 'Match payments' }).click();
    await expect(dialog.getByRole('table', { name: 'Rows left out' })).toContainText('unknown-1');
    await dialog.getByRole('button', { name: 'Record 1 payment' }).click();
    await expect(dialog.getByRole('status')).toContainText('Payments recorded for 1 claim');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await goTo(page, 'Reports');
    await expect(page.getByRole('table', { name: 'Reimbursed against eligible' })).toContainText('2026');
  });

  await test.step('the claim file has the payment and the history', async () => {
    await goTo(page, 'Start');
    await page
      .getByRole('region', { name: 'Reminders due' })
      .getByRole('link', { name: `Claim ${claimId}` })
      .click();
    await page.getByRole('link', { name: 'Claim file…' }).click();
    await expect(page.getByRole('table', { name: 'Payments' })).toContainText('$12.50');
    await expect(page.getByRole('table', { name: 'Review history' })).toContainText('Waiting');
  });
});
