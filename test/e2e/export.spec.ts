import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './app.ts';
import { findViolations } from './axe.ts';
import { claimTitle, exploreSample, openList } from './steps.ts';

test('a first export takes three presses of keys; selected rows are exported alone, signed', async ({
  app,
  page,
}) => {
  await exploreSample(page);
  const rows = await openList(page, 'Claims');
  const open = page.getByRole('button', { name: 'Export…' });
  const dialog = page.getByRole('dialog', { name: /^Export/ });
  const saved = dialog.getByRole('status').filter({ hasText: /^Exported/ });
  await test.step('by keys alone', async () => {
    await app.chooseSavePath(join(app.downloadsDir, 'claims.xlsx'));
    await expect(open).toBeEnabled();
    await open.focus();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('radio', { name: 'Reimbursement' })).toBeFocused();
    await expect(dialog.getByText(/identifiers of \d+ people/)).toBeVisible();
    expect(await findViolations(page, '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(saved).toContainText('400 rows');
    expect((await readdir(app.downloadsDir)).filter((name) => name.endsWith('.xlsx'))).toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
  await test.step('selected rows', async () => {
    await rows.nth(0).getByRole('checkbox').check();
    await rows.nth(1).getByRole('checkbox').check();
    await open.click();
    await expect(dialog.getByText('Selected (2)')).toBeVisible();
    await dialog.getByText('Audit', { exact: true }).click();
    await dialog.getByRole('checkbox', { name: 'Sign the file' }).check();
    await dialog.getByRole('button', { name: /^Save file…?$/ }).click();
    await expect(saved).toContainText('2 rows');
    await expect(saved).toContainText('.sig');
  });
  await test.step('anyone verifies the signature; the next export is signed too unless that is unchecked', async () => {
    const names = await readdir(app.downloadsDir);
    const signature = names.find((name) => name.endsWith('.sig')) ?? '';
    const verify = (content: Buffer) =>
      spawnSync(
        'ssh-keygen',
        ['-Y', 'check-novalidate', '-n', 'file', '-s', join(app.downloadsDir, signature)],
        { input: content },
      );
    const content = await readFile(join(app.downloadsDir, signature.replace(/\.sig$/, '')));
    expect(String(verify(content).stdout)).toMatch(/^Good "file" signature with ED25519 key SHA256:/);
    expect(verify(Buffer.concat([content, Buffer.from(' ')])).status).not.toBe(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await open.click();
    await expect(dialog.getByRole('checkbox', { name: 'Sign the file' })).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
  await test.step('printed: every row of the list is on paper, and nothing else', async () => {
    await page.evaluate(() => {
      window.print = () => undefined;
    });
    await open.click();
    await dialog.getByText('All (400)').click();
    await dialog.getByText('Audit', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Print…' }).click();
    const sheet = page.locator('[data-print-sheet]');
    // The last row adds them up.
    await expect(sheet.locator('tbody tr')).toHaveCount(401);
    await expect(sheet.locator('tbody tr').last()).toContainText('Total');
    await expect(sheet).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(sheet).toBeVisible();
    await expect(dialog).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(sheet).toHaveCount(0);
  });

  await test.step('a statement of a claim, as a PDF', async () => {
    await page.keyboard.press('Escape');
    await (await openList(page, 'Claims')).nth(3).dblclick();
    const title = await claimTitle(page).innerText();
    await app.chooseSavePath(join(app.downloadsDir, 'statement.pdf'));
    await page.getByRole('button', { name: 'Statement…' }).click();
    const statement = page.getByRole('dialog', { name: 'Save substantiation statement' });
    await expect(statement.getByText(/A PDF to save or print/)).toBeVisible();
    expect(await findViolations(page, '[role="dialog"]')).toEqual([]);
    await statement.getByText('Audit', { exact: true }).click();
    await statement.getByRole('button', { name: /^Save file…?$/ }).click();
    await expect(statement.getByRole('status').filter({ hasText: /^Exported/ })).toContainText('1 statement');
    const [name = ''] = (await readdir(app.downloadsDir)).filter((one) => one.endsWith('.pdf'));
    const text = execFileSync('pdftotext', ['-layout', join(app.downloadsDir, name), '-'], {
      encoding: 'utf8',
    });
    expect(text).toMatch(/Substantiation statement +Claim \d+/);
    expect(text).toContain(/Claim \d+/.exec(title)?.[0]);
  });

  await test.step('a claim on paper: every amount of its lines is within the sheet, and no button', async () => {
    await page.keyboard.press('Escape');
    await (await openList(page, 'Claims')).nth(3).dblclick();
    await page.getByRole('link', { name: 'Claim file…' }).click();
    const lines = page.getByRole('table', { name: 'Claim lines' });
    await expect(lines).toBeVisible();
    // A sheet of letter paper without its margins, in pixels.
    const sheetPx = 720;
    await page.setViewportSize({ width: sheetPx, height: 960 });
    await page.emulateMedia({ media: 'print' });
    const rightPx = await lines.evaluate((table) => table.getBoundingClientRect().right);
    expect(rightPx).toBeLessThanOrEqual(sheetPx);
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    await page.emulateMedia({ media: 'screen' });
  });
});
