import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { narrowToTwelve } from './narrowing.ts';
import { cellAt, closeNotice, countOf, exploreAndHold, openList, pressKey } from './steps.ts';

test.use({ options: { members: 800, claims: 16_000, environment: {} } });

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('a session of browsing: a sync underneath, filters with sums, views out and in, fifty claims by keyboard', {
  tag: '@long',
}, async ({ app, page }) => {
  await test.step('what is read stays in its place while the first sync goes on', async () => {
    const goOn = await exploreAndHold(app);
    const rows = await openList(page, 'Claims');
    await expect(rows.first()).toContainText(/\d/, { timeout: 60_000 });
    await cellAt(page, 0, 'id').click({ position: { x: 60, y: 8 }, modifiers: ['ControlOrMeta'] });
    const focused = page.locator('.ag-cell-focus');
    await expect(focused).toHaveText(/\d/);
    const first = await focused.innerText();
    await page.keyboard.press('PageDown');
    await expect(focused).not.toHaveText(first);
    await expect(focused).toHaveText(/\d/);
    const [before, top] = [await focused.innerText(), await focused.boundingBox()];
    goOn();
    await expect(page.getByText(/^Up to date · synced today/)).toBeVisible({ timeout: 90_000 });
    expect(await focused.innerText()).toBe(before);
    expect((await focused.boundingBox())?.y).toBe(top?.y);
    await expect(page.getByText('1 selected')).toBeVisible();
    const totals = page.getByRole('region', { name: 'Totals' });
    await expect(totals.getByText('This list has changed.')).toBeVisible();
    await expect(countOf(page)).not.toHaveText('16,000 claims');
    await totals.getByRole('button', { name: 'Refresh' }).click();
    await expect(countOf(page)).toHaveText('16,000 claims');
    // The record that was selected is in the list that was made again, and stays selected.
    await expect(page.getByText('1 selected')).toBeVisible();
    await expect(totals.getByText('This list has changed.')).toHaveCount(0);
  });

  await test.step('three filters leave twelve, and the sums are those of the rows', () =>
    narrowToTwelve(page));

  await test.step('a view is saved, goes out as a file that names nobody, and comes in again', async () => {
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save view…' }).click();
    await page.getByLabel('View name').fill('Twelve large ones');
    await page.getByRole('button', { name: 'Save view' }).click();
    const views = page.getByRole('navigation', { name: 'Saved views' });
    await expect(views.getByRole('button', { name: 'Twelve large ones' })).toBeVisible();
    await page.getByRole('button', { name: 'View: Twelve large ones' }).click();
    await page.getByRole('menuitem', { name: 'Manage views…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    const path = join(app.downloadsDir, 'view.json');
    await app.chooseSavePath(path);
    await dialog.getByRole('button', { name: 'Export Twelve large ones…' }).click();
    await expect(dialog.getByText(/^Saved as .*It contains no records\.$/)).toBeVisible();
    const [name = ''] = await readdir(app.downloadsDir);
    const file = join(app.downloadsDir, name);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 'claimdesk.view', leftOut: 0 });
    await dialog.getByRole('button', { name: 'Remove Twelve large ones' }).click();
    await expect(dialog.getByText(/^No saved views yet\./)).toBeVisible();
    await dialog.locator('input[type=file]').setInputFiles(file);
    await expect(dialog.getByText('Imported “Twelve large ones”.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(countOf(page)).toHaveText('16,000 claims');
    const isKept = app.isElectron
      ? page.waitForTimeout(3_000)
      : page.waitForResponse(
          (reply) =>
            reply.url().endsWith('/call/views:save') && /session.*OUT/.test(reply.request().postData() ?? ''),
        );
    await views.getByRole('button', { name: 'Twelve large ones' }).click();
    await expect(countOf(page)).toHaveText('12 claims');
    await isKept;
  });

  await test.step('the window comes back as it was left', async () => {
    await page.reload();
    await expect(countOf(page)).toHaveText('12 claims');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(countOf(page)).toHaveText('16,000 claims');
  });

  await test.step('fifty claims by keyboard alone', async () => {
    await page.keyboard.press('/');
    for (let pressed = 0; pressed < 40; pressed += 1) {
      if ((await page.locator('.ag-cell-focus:focus').count()) > 0) break;
      await page.keyboard.press('Tab');
    }
    await expect(page.locator('.ag-cell-focus:focus')).toHaveCount(1);
    const seen = new Set<string>();
    for (let opened = 0; opened < 50; opened += 1) {
      await page.keyboard.press('Enter');
      await expect(title(page)).toHaveText(/^Claim \d+$/);
      seen.add(await title(page).innerText());
      await page.keyboard.press('Escape');
      await expect(title(page)).toHaveText('Claims');
      await expect(page.locator('.ag-cell-focus:focus')).toHaveCount(1);
      await pressKey(page, 'j');
    }
    expect(seen.size).toBe(50);
  });

  await test.step('fifty claims beside their list by keyboard: the record follows the focused row', async () => {
    const record = page.getByRole('region', { name: 'Focused claim' });
    const heading = record.getByRole('heading', { level: 2, name: /^Claim \d+$/ });
    const focusedId = () =>
      page.locator('.ag-row-focus .ag-cell[col-id="id"]').evaluate((cell) => `Claim ${cell.textContent}`);
    await page.keyboard.press('v');
    const seen = new Set<string>();
    for (let read = 0; read < 50; read += 1) {
      await page.keyboard.press(read % 2 === 0 ? 'j' : 'ArrowDown');
      await expect(heading).toHaveText(await focusedId());
      seen.add(await heading.innerText());
    }
    expect(seen.size).toBe(50);
    // A key that is held: the record is that of the row where it was released.
    for (let pressed = 0; pressed < 25; pressed += 1) await pressKey(page, 'k');
    await expect(heading).toHaveText(await focusedId());
    await page.keyboard.press('Enter');
    await expect(record).toBeFocused();
    const before = await focusedId();
    await pressKey(page, 'j');
    await expect(heading).not.toHaveText(before);
    await expect(heading).toHaveText(await focusedId());
    await expect(record).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.locator('.ag-cell-focus:focus')).toHaveCount(1);
    await expect(title(page)).toHaveText('Claims');
    await page.reload();
    await expect(heading).toBeVisible();
    const split = page.getByRole('button', { name: 'Split view' });
    await expect(split).toHaveAttribute('aria-pressed', 'true');
    await page.setViewportSize({ width: 1279, height: 800 });
    await expect(record).toHaveCount(0);
    await split.click();
    await expect(page.getByText('Not enough space for split view')).toBeVisible();
    await closeNotice(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(heading).toBeVisible();
    await page.keyboard.press('v');
    await expect(record).toHaveCount(0);
  });

  await test.step('the way back from a record is to the pixel, and the list is out of reach meanwhile', async () => {
    const rows = page.locator('.ag-grid-viewport');
    await rows.evaluate((element) => {
      element.scrollTop = 1_234;
    });
    const scrollTop = () => rows.evaluate((element) => element.scrollTop);
    const claim = page.locator('.ag-row[row-index="52"] .ag-cell[col-id="id"]');
    const id = await claim.innerText();
    await claim.scrollIntoViewIfNeeded();
    const before = await scrollTop();
    expect(before).toBeGreaterThan(1_000);
    await claim.click();
    await expect(title(page)).toHaveText(`Claim ${id}`);
    await expect(page.getByRole('grid', { name: 'claims' })).toHaveCount(0);
    await expect(page).toHaveTitle('Claim · Claimdesk');
    await page.keyboard.press('Escape');
    await expect(title(page)).toHaveText('Claims');
    await expect(page).toHaveTitle('Claims · Claimdesk');
    await expect(page.locator('.ag-cell-focus:focus')).toHaveText(id);
    expect(await scrollTop()).toBe(before);
  });
});
