import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { cellAt, claimTitle, countOf, exploreReviewed, goTo, openWorklist, pressKey } from './steps.ts';

const review = (page: Page) => page.getByRole('region', { name: 'Review', exact: true });
const money = (page: Page) => page.getByRole('region', { name: 'Reimbursement', exact: true });
const form = (page: Page, name: string) => page.getByRole('form', { name, exact: true });

/** "$1,234.50" in cents. */
const centsOf = (text: string): number =>
  Math.round(Number(text.replace(/[$,]/g, '').replace('−', '-')) * 100);
const dollarsOf = (cents: number): string =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

/** The amount beside a name in the box of amounts. */
const amountOf = (page: Page, name: string | RegExp): Locator =>
  money(page).locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');

const declinedButtons = (page: Page) =>
  page.getByRole('table', { name: 'Reimbursed against eligible' }).locator('button[title$=": Declined"]');

/** Returns the declined amount that the report shows, in cents. */
async function readDeclined(page: Page): Promise<number> {
  await goTo(page, 'Reports');
  await expect(declinedButtons(page).first()).toBeVisible();
  const amounts = await declinedButtons(page).allInnerTexts();
  return amounts.reduce((sum, text) => sum + centsOf(text), 0);
}

async function openRow(page: Page, row: number): Promise<void> {
  await cellAt(page, row, 'id').click();
  await expect(review(page).getByRole('button', { name: /^Eligible/ })).toBeEnabled();
  await expect(money(page)).toBeVisible();
}

test('partly eligible by keys: an amount, or one for each line; the page, the worklist and the report agree', {
  tag: '@long',
}, async ({ page }) => {
  await exploreReviewed(page);
  const declinedBefore = await readDeclined(page);
  await openWorklist(page, 'To decide');
  await openRow(page, 0);
  const first = await claimTitle(page).innerText();
  const byRules = await amountOf(page, 'Eligible by the rules').innerText();

  await test.step('the form begins with what the rules give, and Escape leaves the claim as it was', async () => {
    await pressKey(page, '2');
    const amount = form(page, 'Partly eligible').getByLabel('Eligible amount');
    await expect(amount).toBeFocused();
    expect(dollarsOf(centsOf(await amount.inputValue()))).toBe(byRules);
    await page.keyboard.type('1');
    await expect(amount).toHaveValue('1');
    await page.keyboard.press('Escape');
    await expect(form(page, 'Partly eligible')).toHaveCount(0);
    await expect(review(page).getByText('Undecided', { exact: true }).first()).toBeVisible();
    await expect(claimTitle(page)).toHaveText(first);
  });

  await test.step('more than the rules give is refused', async () => {
    await pressKey(page, '2');
    await page.keyboard.type('99999999');
    await page.keyboard.press('Enter');
    await expect(form(page, 'Partly eligible').getByRole('alert')).toHaveText(
      `Enter an amount from $0.00 to ${byRules}.`,
    );
  });

  await test.step('an amount and a cause, saved by Enter; the next claim follows', async () => {
    const amount = form(page, 'Partly eligible').getByLabel('Eligible amount');
    await amount.fill('40');
    await expect(form(page, 'Partly eligible').getByRole('status')).toContainText(
      `${dollarsOf(centsOf(byRules) - 4000)} declined`,
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Copay not covered');
    await page.keyboard.press('Enter');
    await expect(claimTitle(page)).not.toHaveText(first);
    await pressKey(page, 'k');
    await expect(claimTitle(page)).toHaveText(first);
    await expect(review(page).locator('[data-tone="caution"]')).toHaveText('Partly eligible');
    await expect(amountOf(page, 'Eligible as decided')).toHaveText(
      new RegExp(`${byRules.replace('$', '\\$')}.*\\$40\\.00`),
    );
    await expect(amountOf(page, 'Eligible as decided').locator('s')).toContainText(byRules);
    await expect(amountOf(page, /^Declined/)).toHaveText(dollarsOf(centsOf(byRules) - 4000));
    await expect(amountOf(page, 'Open')).toHaveText('$40.00');
    await expect(page.getByRole('region', { name: 'Review history' })).toContainText(
      `Partly eligible: $40.00 of ${byRules}, copay not covered`,
    );
    await expect(
      review(page).getByRole('button', { name: /^Undo “Partly eligible: \$40\.00/ }),
    ).toBeVisible();
  });

  let declined = centsOf(byRules) - 4000;
  let ofLines = 0;
  await test.step('by line, the sum as it is typed', async () => {
    await pressKey(page, 'j');
    await expect(claimTitle(page)).not.toHaveText(first);
    const second = await claimTitle(page).innerText();
    const rules = centsOf(await amountOf(page, 'Eligible by the rules').innerText());
    await pressKey(page, '2');
    await form(page, 'Partly eligible').getByRole('button', { name: 'By line' }).click();
    const lines = form(page, 'Partly eligible')
      .getByRole('table', { name: 'Eligible by line' })
      .getByRole('textbox');
    await expect(lines.first()).toBeFocused();
    for (const line of await lines.all()) {
      await line.fill('1.50');
      ofLines += 150;
    }
    await expect(form(page, 'Partly eligible').getByRole('status')).toContainText(
      `${dollarsOf(ofLines)} eligible${dollarsOf(rules - ofLines)} declined`,
    );
    await page.keyboard.press('Enter');
    await expect(claimTitle(page)).not.toHaveText(second);
    await pressKey(page, 'k');
    await expect(claimTitle(page)).toHaveText(second);
    await expect(amountOf(page, 'Open')).toHaveText(dollarsOf(ofLines));
    declined += rules - ofLines;
  });

  await test.step('not eligible: one key, a reason by another one, and no success is shown', async () => {
    await pressKey(page, 'j');
    const third = await claimTitle(page).innerText();
    declined += centsOf(await amountOf(page, 'Eligible by the rules').innerText());
    await pressKey(page, '3');
    await expect(claimTitle(page)).not.toHaveText(third);
    await pressKey(page, 'k');
    await expect(claimTitle(page)).toHaveText(third);
    await expect(review(page).locator('[data-tone="bad"]')).toHaveText('Not eligible');
    await pressKey(page, 'c');
    await expect(form(page, 'Not eligible').getByLabel('Reason (optional)')).toBeFocused();
    await page.keyboard.type('Missing receipt');
    await page.keyboard.press('Enter');
    await expect(claimTitle(page)).not.toHaveText(third);
    await pressKey(page, 'k');
    await expect(claimTitle(page)).toHaveText(third);
    await expect(money(page).locator('dt', { hasText: 'Declined' })).toContainText('Missing receipt');
    await expect(review(page).locator('[data-tone="bad"]')).toHaveText('Not eligible');
    await expect(amountOf(page, 'Eligible as decided')).toContainText('$0.00');
    await expect(amountOf(page, 'Open')).toHaveText('$0.00');
  });

  await test.step('the worklist To pay has these amounts, and its sum is that of its rows', async () => {
    await openWorklist(page, 'To pay');
    const row = page.locator('.ag-row', {
      has: page.locator('.ag-cell[col-id="id"]', { hasText: first.replace('Claim ', '') }),
    });
    await expect(row.locator('.ag-cell[col-id="facts.open"]')).toHaveText('$40.00');
    await expect(
      page.locator('.ag-cell[col-id="facts.open"]', { hasText: dollarsOf(ofLines) }).first(),
    ).toBeVisible();
    const open = await page.locator('.ag-cell[col-id="facts.open"]').allInnerTexts();
    const sum = open.reduce((cents, text) => cents + centsOf(text), 0);
    await expect(countOf(page)).toHaveText(`${open.length} claims`);
    await expect(page.getByRole('region', { name: 'Totals' })).toContainText(`Open${dollarsOf(sum)}`);
  });

  await test.step('the report adds up to what was declined, and opens its claims', async () => {
    // The report of before is shown until the new one is there.
    await expect
      .poll(async () => dollarsOf((await readDeclined(page)) - declinedBefore))
      .toBe(dollarsOf(declined));
    const opens = declinedButtons(page);
    const [, claims] = /^Show (\d+) claim/.exec((await opens.first().getAttribute('title')) ?? '') ?? [];
    await opens.first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Claims' })).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Totals', exact: true }).getByRole('status').first(),
    ).toHaveText(new RegExp(`^${claims} claim`));
  });
});

test('many at once take a rule, never one amount; a row of a list takes an amount', { tag: '@long' }, async ({
  page,
}) => {
  await exploreReviewed(page);
  await openWorklist(page, 'To decide');
  const dialog = (name: string) => page.getByRole('dialog', { name });

  await test.step('all but copay, with what it comes to before it is saved', async () => {
    // The eligible amount of the second claim is not known.
    await cellAt(page, 2, 'patient_name').click();
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', '2']) await page.keyboard.press(key);
    const bulk = dialog('Mark claims Partly eligible');
    await expect(bulk.getByRole('radio', { name: 'All but some parts' })).toBeFocused();
    await expect(bulk.getByLabel('Eligible amount')).toHaveCount(0);
    await expect(bulk.getByText(/^\$[\d,.]+ eligible of \$[\d,.]+ by the rules\./)).toBeVisible();
    await bulk.getByRole('checkbox', { name: 'Coinsurance' }).check();
    await bulk.getByLabel('Reason for the rest (optional)').fill('Only the deductible is covered');
    await expect(bulk.getByRole('button', { name: /^Mark [\d,]+ claims Partly eligible$/ })).toBeEnabled();
    await page.keyboard.press('Enter');
    await expect(bulk).toHaveCount(0);
    await expect(
      page.getByText('Partly eligible: all but coinsurance and copay, only the deductible is covered'),
    ).toBeVisible();
    await pressKey(page, 'ControlOrMeta+z');
    await expect(
      page.getByText(/^Partly eligible: all but coinsurance and copay.*, 3 claims in To decide$/),
    ).toBeVisible();
  });

  await test.step('a share; claims for which it can’t be known are counted and left out', async () => {
    await goTo(page, 'Claims');
    await page.getByRole('button', { name: 'Review all…' }).click();
    await page.getByRole('menuitem', { name: /^Partly eligible/ }).click();
    const bulk = dialog('Mark claims Partly eligible');
    const boxes = bulk.getByRole('group', { name: /^Which of the/ }).getByRole('checkbox');
    await expect(boxes.first()).toBeVisible();
    for (const box of await boxes.all()) await box.check();
    await bulk.getByRole('radio', { name: 'A share' }).check();
    const save = bulk.getByRole('button', { name: /^Mark [\d,]+ claims Partly eligible$/ });
    await expect(save).toBeDisabled();
    await bulk.getByRole('textbox', { name: 'Share of the amount by the rules' }).fill('50');
    await expect(bulk.getByText(/\d+ claims for which it can’t be known are left out\.$/)).toBeVisible();
    // The button says how many are saved, without those that are left out.
    const label = await save.innerText();
    await save.click();
    await expect(bulk.getByText(`${/[\d,]+ claims/.exec(label)?.[0]} saved.`)).toBeVisible();
    await expect(
      bulk.getByText(/claims left out, because the eligible amount can’t be known:$/),
    ).toBeVisible();
    await bulk.getByRole('button', { name: 'Close' }).last().click();
    await pressKey(page, 'ControlOrMeta+z');
    await expect(page.getByText(/^Partly eligible: 50%, \d+ claims/)).toBeVisible();
  });

  await test.step('a row of a list: the same form, over the list', async () => {
    await openWorklist(page, 'To decide');
    await cellAt(page, 0, 'patient_name').click();
    await pressKey(page, '2');
    const asked = dialog('Partly eligible: claim');
    await expect(asked.getByLabel('Eligible amount')).toBeFocused();
    await page.keyboard.type('12.50');
    await page.keyboard.press('Enter');
    await expect(asked).toHaveCount(0);
    await expect(
      cellAt(page, 0, 'review.state')
        .or(cellAt(page, 0, 'id'))
        .first(),
    ).toBeVisible();
    await openWorklist(page, 'To pay');
    await expect(page.locator('.ag-cell[col-id="facts.open"]', { hasText: '$12.50' })).toBeVisible();
  });
});
