import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './app.ts';
import { exploreSample, openList } from './steps.ts';

test('a first export takes three presses of keys; selected rows are exported alone, with a receipt', async ({
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
    await open.focus();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('radio', { name: 'Reimbursement' })).toBeFocused();
    await expect(dialog.getByText(/identifiers of \d+ people/)).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).include('[role="dialog"]').analyze();
    expect(violations).toEqual([]);
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
    await dialog.getByRole('checkbox', { name: 'Save a receipt beside the file' }).check();
    await dialog.getByRole('button', { name: 'Save as…' }).click();
    await expect(saved).toContainText('2 rows');
    expect((await readdir(app.downloadsDir)).filter((name) => name.endsWith('.receipt.json'))).toHaveLength(
      1,
    );
  });
  await test.step('dropped on the window with its receipt, a file is verified', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    const names = await readdir(app.downloadsDir);
    const receipt = names.find((name) => name.endsWith('.receipt.json')) ?? '';
    const verified = page.getByRole('dialog', { name: 'Verify export' });
    for (const isChanged of [false, true]) {
      const files = await Promise.all(
        [receipt, receipt.replace('.receipt.json', '')].map(async (name, index) => {
          const bytes = [...(await readFile(join(app.downloadsDir, name)))];
          if (isChanged && index === 1) bytes.push(0);
          return { name, bytes };
        }),
      );
      await page.evaluate((dropped) => {
        const dataTransfer = new DataTransfer();
        for (const { name, bytes } of dropped)
          dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, files);
      await expect(verified.getByRole('status')).toContainText(
        isChanged ? 'isn’t as it was written' : 'is as it was written',
      );
      if (!isChanged) await expect(verified).toContainText('would be the same today');
      await page.keyboard.press('Escape');
      await expect(verified).toHaveCount(0);
    }
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
    await expect(sheet.locator('tbody tr')).toHaveCount(400);
    await expect(sheet).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(sheet).toBeVisible();
    await expect(dialog).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(sheet).toHaveCount(0);
  });
});
