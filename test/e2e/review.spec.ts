import type { Page } from '@playwright/test';
import type { ReviewEntry } from '../../src/main/engine/store/user-data/write-event.ts';
import type { ReviewedValues } from '../../src/rules/review/reviewed-values.ts';
import { filePassphrase, sealEntries } from '../support/review-files.ts';
import { expect, test } from './app.ts';
import { textsOf, toWhole } from './narrowing.ts';
import {
  cellAt,
  claimTitle,
  exploreReviewed,
  exploreSample,
  goTo,
  openList,
  openSettings,
  openWorklist,
  pressKey,
  setSampleService,
  startSync,
  worklists,
} from './steps.ts';

const review = (page: Page) => page.getByRole('region', { name: 'Review', exact: true });
const history = (page: Page) => page.getByRole('region', { name: 'Review history' });
const undoButton = (page: Page) => review(page).getByRole('button', { name: /^Undo “/ });
const state = (page: Page, row: number) => cellAt(page, row, 'review.state');

/** Opens the focused row of the list and waits for its review. */
async function openFocused(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await expect(review(page).getByRole('button', { name: /^Eligible/ })).toBeEnabled();
}

/** Presses a key and returns how long it took until the next claim was painted with its review, in ms. */
const pressAndMeasure = (page: Page, key: string): Promise<number> =>
  page.evaluate(async (pressed) => {
    const title = () =>
      [...document.querySelectorAll('h1')]
        .map(({ textContent }) => textContent)
        .find((text) => /^Claim \d/.test(text));
    const isReady = () =>
      document.querySelector('[aria-label="Review"] fieldset') !== null &&
      document.querySelector('[aria-label="Review"] fieldset:disabled') === null &&
      document.querySelector('[aria-label="Review panel"][aria-busy="false"]') !== null;
    const isWalkable = () => document.querySelector('[aria-label="Next in list"]:enabled') !== null;
    // A press so soon after the last act would not act.
    const isResting = () => document.querySelector('[data-resting]') !== null;
    // A press acts on a claim that was painted: three frames in a row nothing is loading.
    for (let frames = 0; frames < 3; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      frames = isWalkable() && isReady() && !isResting() ? frames + 1 : 0;
    }
    const before = title();
    const beganMs = performance.now();
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }),
    );
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const tookMs = performance.now() - beganMs;
      if (title() !== before && isReady()) return tookMs;
      if (tookMs > 5000) throw new Error(`The next claim was not shown within 5 s of ${pressed}: ${before}.`);
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

const beginReviewAll = async (page: Page, outcome: string): Promise<void> => {
  await page.getByRole('button', { name: 'Review all…' }).click();
  await page.getByRole('menuitem', { name: outcome, exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('status').first()).toHaveText(/^\d+ claims?[.,]/);
};
/** Reviews every claim of a list, whatever was done with it before. */
async function reviewAll(page: Page, outcome: string): Promise<void> {
  await beginReviewAll(page, outcome);
  for (const box of await page.getByRole('dialog').getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: /^Mark \d+ claims / }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
async function passDay(page: Page): Promise<void> {
  await goTo(page, 'Sync');
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page.getByText('A day has passed at the sample service')).toBeVisible();
  await startSync(page);
}

test('a hundred claims are reviewed by keyboard alone, one key each', { tag: '@long' }, async ({ page }) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  await cellAt(page, 0, 'status').click();
  await openFocused(page);
  const tookMs: number[] = [];
  // The outcomes that ask nothing; what the others ask is in partly-eligible.spec.ts.
  const keys = ['1', '4', '5', '6'] as const;
  for (let claim = 0; claim < 100; claim += 1) {
    tookMs.push(await pressAndMeasure(page, keys[claim % keys.length] ?? '1'));
  }
  const p95Ms = tookMs.toSorted((a, b) => a - b)[94] ?? Number.NaN;
  test.info().annotations.push({ type: 'key to next claim, p95 in ms', description: p95Ms.toFixed(1) });
  await expect(page.getByText('101 of 400')).toBeVisible();
  await expect(undoButton(page)).toHaveCount(0);

  // The claim that was decided last is shown again, without its decision.
  await pressKey(page, 'ControlOrMeta+z');
  await expect(page.getByText('100 of 400')).toBeVisible();
  const undone = (await claimTitle(page).innerText()).toLowerCase();
  await expect(page.getByText(`Disputed, ${undone}`, { exact: true })).toBeVisible();
  await expect(undoButton(page)).toHaveCount(0);
  await pressKey(page, 'k');
  await expect(undoButton(page)).toHaveText(/^Undo “Duplicate”$/);
  await pressKey(page, 'j');
  await page.keyboard.press('Escape');
  await expect(state(page, 100)).toBeVisible();
  await expect(state(page, 99)).toHaveText('Undecided');
  await expect(state(page, 98)).toHaveText('Done');
});

test('reviews of a day: many at once and undone, payments and notes, without the service, changed by the next sync', async ({
  page,
}) => {
  await exploreSample(page);
  await test.step('what is open of selected claims is the sum of their rows, also in the dialog', async () => {
    await openWorklist(page, 'To decide');
    await cellAt(page, 0, 'patient_name').click();
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
    const rows = await textsOf(page, 'facts.open', 3);
    const open = rows.reduce((sum, text) => sum + toWhole(text), 0n);
    const selection = page.getByRole('region', { name: 'Selection' });
    await expect.poll(async () => toWhole(await selection.locator('dd').first().innerText())).toBe(open);
    await page.keyboard.press('1');
    const dialog = page.getByRole('dialog', { name: 'Mark claims Eligible' });
    await expect
      .poll(async () => toWhole(/open (\$\S+),/.exec(await dialog.innerText())?.[1] ?? '0'))
      .toBe(open);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });
  await openList(page, 'Claims');

  await test.step('selected claims are counted with their dollars, reviewed by one event and undone by one key', async () => {
    await cellAt(page, 0, 'status').click();
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', '4']) await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name: 'Mark claims No action' });
    await expect(dialog.getByText(/^3 claims, open \$/)).toBeVisible();
    await dialog.getByLabel('Reason (optional)').fill('Below the threshold');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    for (const row of [0, 1, 2]) await expect(state(page, row)).toHaveText('Done');
    await expect(state(page, 3)).toHaveText('Undecided');
    await pressKey(page, 'ControlOrMeta+z');
    await expect(page.getByText('No action, 3 claims', { exact: true })).toBeVisible();
    for (const row of [0, 1, 2]) await expect(state(page, row)).toHaveText('Undecided');
  });

  await test.step('a key in the focused row decides and moves on; what it needs is asked', async () => {
    await cellAt(page, 0, 'status').click();
    await pressKey(page, '1');
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
    await pressKey(page, 'p');
    const form = page.getByRole('form', { name: 'Add payment' });
    await form.getByLabel('Amount').fill('12.50');
    await form.getByLabel('Account or reference').fill('HRA 2026');
    await page.keyboard.press('Enter');
    await expect(form).toHaveCount(0);
    await expect(page.getByRole('list', { name: 'Payments' })).toContainText('HRA 2026');
    await page.getByRole('heading', { name: 'Reimbursement' }).click();
    await pressKey(page, 'n');
    await page.keyboard.type('1 receipt came by mail');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(history(page)).toContainText('1 receipt came by mail');
    await page.getByRole('button', { name: 'Edit note' }).click();
    await page.getByRole('textbox', { name: 'Edit note' }).fill('2 receipts came by mail');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(history(page)).toContainText('2 receipts came by mail');
    await expect(history(page)).toContainText('1 receipt came by mail');
    await expect(history(page)).toContainText('Reimbursed $12.50');
    await expect(history(page)).not.toContainText('verified');
    await setSampleService(page, true);
  });

  await test.step('the next sync reopens what changed, with before and after, until its decision is kept by one key', async () => {
    await openList(page, 'Claims');
    await beginReviewAll(page, 'Eligible');
    const boxes = page.getByRole('group', { name: 'Which of the 400 claims' }).getByRole('checkbox');
    const counts = await boxes.evaluateAll((all) =>
      all.map((box) => Number.parseInt((box as HTMLInputElement).labels?.[0]?.textContent ?? '', 10)),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(400);
    // Claims reviewed, rejected or waiting for their carrier are left out unless chosen, here by keys alone.
    await expect(boxes.first()).toBeFocused();
    const [open = 0, reviewed = 0] = counts;
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1);
    await expect(page.getByRole('button', { name: `Mark ${open} claims Eligible` })).toBeEnabled();
    await expect(
      page.getByText(`${400 - open} claims are left out, as are any that change before you confirm.`),
    ).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(page.getByRole('button', { name: `Mark ${open + reviewed} claims Eligible` })).toBeEnabled();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(page.getByText(`✓ Eligible, ${open} claims`)).toBeVisible();
    await reviewAll(page, 'Eligible');
    const done = page.getByText(/^Eligible: \d+ claims saved\. \d+ claims already had this\.$/);
    const [saved = 0, unchanged = 0] = (await done.innerText()).match(/\d+/g)?.map(Number) ?? [];
    expect(saved + unchanged).toBe(400);
    await expect(page.getByText(`✓ Eligible, ${saved} claims`)).toBeVisible();
    await passDay(page);
    await expect(worklists(page).getByRole('link', { name: /^Changed [1-9]/ })).toBeVisible({
      timeout: 30_000,
    });
    await openWorklist(page, 'Changed');
    await cellAt(page, 0, 'id').click();
    await expect(claimTitle(page)).toBeVisible();
    const changes = page.getByRole('region', { name: 'Changed since reviewed' });
    await expect(changes).toContainText('→');
    await expect(changes.getByRole('button', { name: /^Keep Eligible, \$[\d,.]+/ })).toBeVisible();
    const differences = page.getByRole('table', { name: 'Before and after' });
    await expect(differences.getByRole('row').nth(1)).toBeVisible();
    const changed = await claimTitle(page).innerText();
    await pressKey(page, 'a');
    await expect(claimTitle(page)).not.toHaveText(changed);
    await pressKey(page, 'k');
    await expect(claimTitle(page)).toHaveText(changed);
    await expect(changes).toHaveCount(0);
    await expect(review(page).getByText('Eligible', { exact: true }).first()).toBeVisible();
    await expect(history(page)).toContainText('Kept decision after a change');
  });
});

test('every claim opens at its top; its amounts and its review stay on screen while it scrolls', async ({
  page,
}) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  await cellAt(page, 0, 'status').click();
  await openFocused(page);
  await page.getByText('Raw data').click();
  const first = await claimTitle(page).innerText();
  const main = page.getByRole('main');
  const top = () => main.evaluate((scrolls) => scrolls.scrollTop);
  // The raw data opens a moment after its press.
  await expect
    .poll(async () => {
      await main.evaluate((scrolls) => scrolls.scrollTo(0, scrolls.scrollHeight));
      return top();
    })
    .toBeGreaterThan(300);
  const eligible = review(page).getByRole('button', { name: /^Eligible/ });
  for (const shown of [
    claimTitle(page),
    eligible,
    page.getByLabel('Amounts of the claim').getByText('Open', { exact: true }),
  ])
    await expect(shown).toBeInViewport();
  await pressKey(page, 'j');
  await expect(claimTitle(page)).not.toHaveText(first);
  await expect.poll(top).toBe(0);
  await expect(eligible).toBeInViewport();
});

for (const [width, height, isBeside, tag] of [
  [1024, 640, true, []],
  [1280, 480, true, ['@long']],
  // 1280 x 800 at a zoom of 200 %.
  [640, 400, false, ['@long']],
] as const)
  test(`in a window of ${width} x ${height} a claim opens with its decision in sight, and its amounts stay`, {
    tag: [...tag],
  }, async ({ page }) => {
    await exploreSample(page);
    await openList(page, 'Claims');
    await cellAt(page, 0, 'status').click();
    await openFocused(page);
    await page.getByText('Raw data').click();
    const first = await claimTitle(page).innerText();
    await page.setViewportSize({ width, height });
    const eligible = review(page).getByRole('button', { name: /^Eligible/ });
    await page.evaluate(() => {
      for (const one of [document.documentElement, document.querySelector('main')])
        one?.scrollTo(0, one.scrollHeight);
    });
    const amounts = page.getByLabel('Amounts of the claim').locator('dd');
    for (const amount of await amounts.all()) await expect(amount).toBeInViewport();
    if (isBeside) await expect(eligible).toBeInViewport();
    else await expect(eligible).not.toBeInViewport();
    await pressKey(page, 'j');
    await expect(claimTitle(page)).not.toHaveText(first);
    for (const shown of [claimTitle(page), eligible]) await expect(shown).toBeInViewport();
  });

test('three acts are undone from elsewhere: each opens its claim and is named', { tag: '@long' }, async ({
  page,
}) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  const claims: string[] = [];
  for (const row of [0, 1, 2]) claims.push(await cellAt(page, row, 'id').innerText());
  await cellAt(page, 0, 'status').click();
  for (const key of ['1', '4', '6']) await pressKey(page, key);
  await expect(state(page, 2)).toHaveText('Done');
  await goTo(page, 'Start');
  for (const [row, outcome] of [
    [2, 'Disputed'],
    [1, 'No action'],
    [0, 'Eligible'],
  ] as const) {
    await pressKey(page, 'ControlOrMeta+z');
    await expect(page.getByText(`${outcome}, claim ${claims[row]}`, { exact: true })).toBeVisible();
    await expect(claimTitle(page)).toHaveText(`Claim ${claims[row]}`);
    await expect(review(page).getByText('Undecided', { exact: true }).first()).toBeVisible();
    await expect(undoButton(page)).toHaveCount(0);
  }
});

test('an act on a worklist, undone after a sync, leaves each claim where its record puts it', {
  tag: '@long',
}, async ({ page }) => {
  await exploreReviewed(page);
  const worklist = (name: string) => worklists(page).getByRole('link', { name: new RegExp(`^${name} \\d`) });
  const countOf = async (name: string): Promise<number> =>
    Number((await worklist(name).innerText()).replace(/\D/g, ''));
  const changedBefore = await countOf('Changed');
  await openWorklist(page, 'To decide');
  await reviewAll(page, 'Eligible');
  await expect.poll(() => countOf('To decide')).toBe(0);
  await passDay(page);
  await expect.poll(() => countOf('Changed'), { timeout: 30_000 }).toBeGreaterThan(changedBefore);
  await worklist('Changed').click();
  await cellAt(page, 0, 'id').filter({ hasText: /\d/ }).click();
  // A decision of a colleague can't be undone here.
  for (;;) {
    await expect(page.getByRole('button', { name: /^Keep / }).first()).toBeEnabled();
    if ((await undoButton(page).count()) > 0) break;
    const title = await claimTitle(page).innerText();
    await pressKey(page, 'j');
    await expect(claimTitle(page)).not.toHaveText(title);
  }
  await expect(undoButton(page)).toHaveText(/^Undo “Eligible” on \d+ claims in To decide$/);
  const claim = (await claimTitle(page).innerText()).replace(/\D/g, '');

  await pressKey(page, 'ControlOrMeta+z');
  await expect(page.getByText(/^Eligible, \d+ claims in To decide$/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'To decide', exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Search claims' }).fill(claim);
  await expect(cellAt(page, 0, 'id')).toHaveText(claim);
  await cellAt(page, 0, 'id').click();
  const why = page.getByRole('region', { name: 'Why it is here' });
  await expect(why.getByRole('link', { name: 'To decide', exact: true })).toBeVisible();
  await expect(why.getByRole('link', { name: 'Changed', exact: true })).toHaveCount(0);
  await expect(undoButton(page)).toHaveCount(0);
});

test('a review of a newer record says so on the claim, and refreshing the claim compares it again', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  await cellAt(page, 0, 'status').click();
  await openFocused(page);
  const claimId = Number((await claimTitle(page).innerText()).replace(/\D+/g, ''));
  const fact = { kind: 'decision', state: 'done', outcome: 'eligible' } as const;
  const nobody = { onWhom: null, reason: null, reminder: null };
  const kept: ReviewedValues = {
    fields: { status: 'Processed', amount_paid: 0.07 },
    members: [],
    provider: { npi: null, tin: null, name: null },
    lines: [],
    record: { modified: null, readAt: new Date().toISOString() },
  };
  const entry: ReviewEntry = {
    ...{
      id: 'of-a-colleague',
      workspace_id: '',
      at: new Date().toISOString(),
      author: 'colleague@example.com',
    },
    ...{ kind: fact.kind, fact: JSON.stringify({ ...fact, ...nobody }), filter: null, undoes: null },
    ...{ receipt: null, is_imported: 0, folds_at: null, more: null, proof: null },
    claims: [[claimId, JSON.stringify(kept), '0', null]],
  };

  await openSettings(page, 'Reviews');
  await page.getByRole('button', { name: 'Import reviews…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import reviews' });
  const file = {
    name: 'x.claimdesk-reviews',
    mimeType: 'application/octet-stream',
    buffer: await sealEntries([entry]),
  };
  await dialog.locator('input[type="file"]').setInputFiles(file);
  await dialog.getByLabel('File passphrase').fill(filePassphrase);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  const report = dialog.getByRole('status');
  await expect(report).toContainText(`colleague@example.com1 decision; on 1 claim (${claimId}); not signed`);
  await expect(report).toContainText(
    'The file’s author chose the names of unsigned entries. Check them with the sender.',
  );
  await dialog.getByRole('button', { name: 'Done' }).click();

  await openList(page, 'Claims');
  await expect(state(page, 0)).toHaveText('Done');
  await cellAt(page, 0, 'status').click();
  await openFocused(page);
  await expect(review(page)).toContainText(/Reviewed on a newer record \(.+\) than yours \(.+\)/);
  await expect(review(page)).not.toContainText('Changed since reviewed');
  await review(page).getByRole('button', { name: 'Refresh claim' }).click();
  await expect(review(page)).toContainText('Changed since reviewed');
  await expect(review(page)).not.toContainText('Reviewed on a newer record');
});
