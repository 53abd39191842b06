import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './app.ts';
import { findViolations, judge } from './axe.ts';
import {
  cellAt,
  claimTitle,
  exploreReviewed,
  openSettings,
  openWorklist,
  pressButton,
  pressKey,
} from './steps.ts';

test('a declined claim gets its letter, which is no longer true after another decision', async ({
  app,
  page,
}) => {
  await exploreReviewed(page);
  const review = page.getByRole('region', { name: 'Review', exact: true });
  await openWorklist(page, 'To decide');
  await cellAt(page, 0, 'id').click();
  await expect(review.getByRole('button', { name: /^Eligible/ })).toBeEnabled();
  const title = await claimTitle(page).innerText();
  const [id = ''] = /\d+/.exec(title) ?? [];
  const dialog = page.getByRole('dialog', { name: `Letter about claim ${id}` });
  const save = dialog.getByRole('button', { name: 'Save letter…' });

  await test.step('an undecided claim has none, and the dialog says why', async () => {
    await pressButton(page, 'Letter…');
    await expect(dialog.getByRole('status')).toContainText('The claim is not decided as Not eligible.');
    await expect(save).toBeDisabled();
    expect(await findViolations(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('what is missing is named, until it is there', async () => {
    await pressKey(page, 'c');
    await page.keyboard.type('Not a medical expense');
    await page.keyboard.press('Enter');
    await expect(claimTitle(page)).not.toHaveText(title);
    await pressKey(page, 'k');
    await expect(claimTitle(page)).toHaveText(title);
    await pressButton(page, 'Letter…');
    const missing = dialog.getByRole('status');
    await expect(missing).toContainText('What would change the decision is blank.');
    await expect(missing).toContainText('The contact for questions is blank.');
    await dialog.getByLabel(/^What the plan says/).fill('Section 4.2 covers medical care only.');
    await dialog.getByLabel('What would change the decision').fill('A letter of medical necessity.');
    await dialog.getByLabel('Contact for questions').fill('Call Ana Ruiz at 555-0100.');
    await expect(save).toBeDisabled();
    await dialog.getByLabel('Return address').fill('Acme Benefits\n1 Main Street\nAlbany, NY 12207');
    await expect(missing).toHaveCount(0);
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Why: Not a medical expense');
  });

  await test.step('its PDF is an export, read by another program', async () => {
    await app.chooseSavePath(join(app.downloadsDir, 'letter.pdf'));
    await save.click();
    const file = page.getByRole('dialog', { name: 'Save letter' });
    await file.getByText('Audit', { exact: true }).click();
    expect(await findViolations(page, '[role="dialog"]')).toEqual([]);
    await file.getByRole('button', { name: /^Save file…?$/ }).click();
    await expect(file.getByRole('status').filter({ hasText: /^Exported/ })).toContainText('1 letter');
    const [name = ''] = (await readdir(app.downloadsDir)).filter((one) => one.endsWith('.pdf'));
    const text = execFileSync('pdftotext', ['-layout', join(app.downloadsDir, name), '-'], {
      encoding: 'utf8',
    });
    for (const part of [
      'Why: Not a medical expense',
      'Section 4.2',
      'Eligible: $0.00',
      '180 days',
      'Ana Ruiz',
    ])
      expect(text).toContain(part);
    await page.keyboard.press('Escape');
    await expect(file).toHaveCount(0);
  });

  await test.step('the claim shows it, and marks it after another decision', async () => {
    await expect(review.getByText(/^Letter: not eligible, \d\d\/\d\d\/\d{4}$/)).toBeVisible();
    await pressKey(page, '1');
    await expect(claimTitle(page)).not.toHaveText(title);
    await pressKey(page, 'k');
    await expect(claimTitle(page)).toHaveText(title);
    await expect(review.getByText('No longer true')).toBeVisible();
  });

  await test.step('what was asked once is remembered', async () => {
    await pressButton(page, 'Letter…');
    await expect(dialog.getByLabel('Contact for questions')).toHaveValue('Call Ana Ruiz at 555-0100.');
  });

  await test.step('the log has it, and so has the list of letters that are no longer true', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('Log of letters');
    await page.keyboard.press('Enter');
    const log = page.getByRole('table', { name: 'Letters' });
    await expect(log.getByRole('row').nth(1)).toContainText(/not eligible.*No longer true/);
    await judge(page, 'letters-log');
    await page.getByRole('link', { name: 'Letter no longer true (1)' }).click();
    await expect(cellAt(page, 0, 'id')).toHaveText(id);
  });

  await test.step('its text is changed in Settings, with fields from a list and a preview on a claim', async () => {
    await openSettings(page, 'Reviews');
    await page.getByRole('link', { name: 'Letters', exact: true }).click();
    const text = page.getByLabel('Text of “Not eligible”');
    const usual = await text.inputValue();
    await text.fill('Dear :');
    await expect(page.getByText(/^Not eligible: The letter must have \{date\}, \{member\}/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save letters' })).toBeDisabled();
    await text.fill(`${usual} of `);
    await text.blur();
    await page.getByLabel('Insert field').selectOption('employer');
    await page.getByLabel('Preview on claim').fill(id);
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText(/(.+) of \1$/);
    await judge(page, 'letters-settings');
    await page.getByRole('button', { name: 'Save letters' }).click();
    await expect(page.getByRole('option', { name: 'Not eligible (changed)' })).toHaveCount(1);
  });
});
