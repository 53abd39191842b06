import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { exploreSample, goTo, openList, setSampleService, startSync } from './steps.ts';

const review = (page: Page) => page.getByRole('region', { name: 'Review', exact: true });
const history = (page: Page) => page.getByRole('region', { name: 'Review history' });
const undoButton = (page: Page) => review(page).getByRole('button', { name: /^Undo: / });
const cellAt = (page: Page, row: number, column: string) =>
  page.locator(`.ag-row[row-index="${row}"] .ag-cell[col-id="${column}"]`);
const state = (page: Page, row: number) => cellAt(page, row, 'review.state');
const claimTitle = (page: Page) => page.getByRole('heading', { level: 1, name: /^Claim \d/ });

/** Opens the focused row of the list and waits for its review. */
async function openFocused(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await expect(review(page).getByRole('button', { name: 'Eligible', exact: true })).toBeEnabled();
}

/** Presses a key and returns how long it took until the next claim was painted with its review, in ms. */
const pressAndMeasure = (page: Page, key: string): Promise<number> =>
  page.evaluate(async (pressed) => {
    const title = () =>
      [...document.querySelectorAll('h1')]
        .map(({ textContent }) => textContent)
        .find((text) => /^Claim \d/.test(text));
    const isReady = () => document.querySelector('[aria-label="Review"] fieldset:enabled') !== null;
    const isWalkable = () => document.querySelector('[aria-label="Next in list"]:enabled') !== null;
    while (!isWalkable()) await new Promise((resolve) => requestAnimationFrame(resolve));
    const before = title();
    const beganMs = performance.now();
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }),
    );
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const tookMs = performance.now() - beganMs;
      if (title() !== before && isReady()) return tookMs;
      if (tookMs > 5000) throw new Error(`The next claim was not shown within 5 s of ${pressed}.`);
    }
  }, key);

/** Presses a key and returns the label of the field that has the focus before another key could follow. */
const focusAfterKey = (page: Page, key: string): Promise<string | undefined> =>
  page.evaluate(async (pressed) => {
    const event = new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    for (let microtask = 0; microtask < 5; microtask += 1) await Promise.resolve();
    const focused = document.activeElement;
    return focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : focused?.tagName;
  }, key);

test('a hundred claims are reviewed by keyboard alone, one key each', { tag: '@long' }, async ({ page }) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  await cellAt(page, 0, 'status').click();
  await openFocused(page);
  const tookMs: number[] = [];
  for (let claim = 0; claim < 100; claim += 1) {
    tookMs.push(await pressAndMeasure(page, String(1 + (claim % 6))));
  }
  const p95Ms = tookMs.toSorted((a, b) => a - b)[94] ?? Number.NaN;
  test.info().annotations.push({ type: 'key to next claim, p95 in ms', description: p95Ms.toFixed(1) });
  await expect(page.getByText('101 of 400')).toBeVisible();
  await expect(undoButton(page)).toHaveText(/^Undo: No action, claim \d+$/);

  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText(/^No action, claim \d+$/)).toBeVisible();
  await expect(undoButton(page)).toHaveText(/^Undo: Not eligible, claim \d+$/);
  await page.keyboard.press('Escape');
  await expect(state(page, 100)).toBeVisible();
  await expect(state(page, 99)).toHaveText('To do');
  await expect(state(page, 98)).toHaveText('Done');
});

test('reviews of a day: many at once and undone, payments and notes, without the service, changed by the next sync', async ({
  page,
}) => {
  await exploreSample(page);
  await openList(page, 'Claims');

  await test.step('selected claims are counted with their dollars, reviewed by one event and undone by one key', async () => {
    await cellAt(page, 0, 'status').click();
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', '4']) await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name: 'Review claims: No action' });
    await expect(dialog.getByText(/^3 claims, patient responsibility \$/)).toBeVisible();
    await dialog.getByLabel('Reason (optional)').fill('Below the threshold');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    for (const row of [0, 1, 2]) await expect(state(page, row)).toHaveText('Done');
    await expect(state(page, 3)).toHaveText('To do');
    await page.keyboard.press('ControlOrMeta+z');
    await expect(page.getByText('No action, 3 claims')).toBeVisible();
    for (const row of [0, 1, 2]) await expect(state(page, row)).toHaveText('To do');
  });

  await test.step('a key in the focused row decides and moves on; what it needs is asked', async () => {
    await cellAt(page, 0, 'status').click();
    await page.keyboard.press('1');
    await expect(state(page, 0)).toHaveText('Done');
    expect(await focusAfterKey(page, 'w')).toBe('Waiting on');
    await page.keyboard.type('Carrier');
    await page.keyboard.press('Tab');
    await page.keyboard.type('No split of patient responsibility');
    await page.keyboard.press('Enter');
    await expect(state(page, 1)).toHaveText('Waiting');
  });

  await test.step('with the service stopped: a payment, a note and its earlier text', async () => {
    await setSampleService(page, false);
    await openList(page, 'Claims');
    await cellAt(page, 0, 'status').click();
    await openFocused(page);
    await page.keyboard.press('p');
    const form = page.getByRole('form', { name: 'Add payment' });
    await form.getByLabel('Amount').fill('12.50');
    await form.getByLabel('Account or reference').fill('HRA 2026');
    await page.keyboard.press('Enter');
    await expect(form).toHaveCount(0);
    await expect(page.getByRole('list', { name: 'Payments' })).toContainText('HRA 2026');
    await page.getByRole('heading', { name: 'Reimbursement' }).click();
    await page.keyboard.press('n');
    await page.keyboard.type('1 receipt came by mail');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(history(page)).toContainText('1 receipt came by mail');
    await page.getByRole('button', { name: 'Edit note' }).click();
    await page.getByRole('textbox', { name: 'Edit note' }).fill('2 receipts came by mail');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(history(page)).toContainText('2 receipts came by mail');
    await expect(history(page)).toContainText('1 receipt came by mail');
    await expect(history(page)).toContainText('Reimbursed $12.50');
    await expect(history(page)).toContainText('(not verified)');
    await setSampleService(page, true);
  });

  await test.step('the next sync reopens what changed, with before and after, until it is accepted', async () => {
    await openList(page, 'Claims');
    await page.getByRole('button', { name: 'Review all…' }).click();
    await page.getByRole('menuitem', { name: 'Eligible', exact: true }).click();
    await page.getByRole('button', { name: 'Review 400 claims' }).click();
    await expect(page.getByText('400 claims saved')).toBeVisible();
    await goTo(page, 'Sync');
    await page.getByRole('button', { name: 'Next day' }).click();
    await expect(page.getByText('A day has passed at the sample service')).toBeVisible();
    await startSync(page);
    const worklist = page
      .getByRole('navigation', { name: 'Worklists' })
      .getByRole('link', { name: /^Changed \d/ });
    await expect(worklist).toBeVisible({ timeout: 30_000 });
    await worklist.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Changed' })).toBeVisible();
    await expect(cellAt(page, 0, 'id')).toContainText(/\d/);
    await cellAt(page, 0, 'id').click();
    await expect(claimTitle(page)).toBeVisible();
    const changes = page.getByRole('region', { name: 'Changed since reviewed' });
    await expect(
      changes.getByRole('table', { name: 'Before and after' }).getByRole('row').nth(1),
    ).toBeVisible();
    const changed = await claimTitle(page).innerText();
    await page.keyboard.press('a');
    await expect(claimTitle(page)).not.toHaveText(changed);
    await page.keyboard.press('k');
    await expect(claimTitle(page)).toHaveText(changed);
    await expect(changes).toHaveCount(0);
    await expect(review(page).getByText('Eligible', { exact: true }).first()).toBeVisible();
    await expect(history(page)).toContainText('Accepted changes');
  });
});
