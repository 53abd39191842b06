import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { findViolations, judge } from './axe.ts';
import {
  cellAt,
  claimTitle,
  exploreReviewed,
  exploreRules,
  openList,
  openRules,
  openWorklist,
  pressKey,
  ruleRow,
  startSync,
  withPast,
} from './steps.ts';

/** The claims that are taken by proposals, and by decisions. */
const taken = 20;

/** Decides claims of To decide one after another; each press is for the claim on screen. Returns how many presses it took. */
async function work(page: Page, decide: () => Promise<number>): Promise<number> {
  await pressKey(page, 'j');
  await expect(page.locator('.ag-cell:focus')).toHaveCount(1);
  await page.keyboard.press('Enter');
  let presses = 2;
  for (let done = 0; done < taken; done += 1) {
    const before = await claimTitle(page).innerText();
    await expect(page.getByRole('button', { name: /^Waiting…/ })).toBeEnabled();
    presses += await decide();
    await expect(claimTitle(page)).not.toHaveText(before);
  }
  return presses;
}

/** Filters the list on screen by a value that is typed, and begins a rule of it. */
async function makeRuleOf(page: Page, typed: string, option: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.keyboard.type(typed);
  await expect(page.getByRole('option', { name: option })).toHaveAttribute('data-combobox-selected', 'true');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Make rule…' }).click();
  await expect(page.getByRole('heading', { name: 'New rule' })).toBeVisible();
}

test('a rule from a filter is tried, proposes, and its proposals are taken by key and as one act', {
  tag: '@long',
}, async ({ page }) => {
  await exploreReviewed(page);
  await openList(page, 'Claims');
  await makeRuleOf(page, 'in-network', /^Network: In-network/);
  await expect(page.getByRole('button', { name: 'Network is In-network', exact: true })).toBeVisible();

  await test.step('an act with a reason, tried before and after it is saved', async () => {
    await page.getByLabel('Name').fill('In network, not covered');
    await page.getByLabel('What it does').selectOption('Not eligible');
    await page.getByRole('combobox', { name: 'Reason' }).fill('Not covered by the plan');
    await page.getByLabel('Open at most').fill('100000');
    await page.getByRole('button', { name: 'Try rule' }).click();
    await expect(page.getByText(/^Would decide [1-9]\d* open claims, \$[\d,.]+\.$/)).toBeVisible();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'In network, not covered' })).toBeVisible();
  });
  const states = page.getByRole('group', { name: 'State' });
  await expect(states.getByRole('button', { name: 'Watch' })).toHaveAttribute('aria-pressed', 'true');
  await expect(states.getByRole('button', { name: 'Decide' })).toBeDisabled();
  await expect(page.getByText(/^Decide is off: /)).toBeVisible();
  await judge(page, 'rule');
  await states.getByRole('button', { name: 'Propose' }).click();
  await expect(states.getByRole('button', { name: 'Propose' })).toHaveAttribute('aria-pressed', 'true');

  await openRules(page);
  const row = ruleRow(page, 'In network');
  await expect(row).toContainText(/Propose[1-9]/);
  const proposed = Number(/Propose(\d+) · /.exec((await row.textContent()) ?? '')?.[1]);
  await judge(page, 'rules');

  await openWorklist(page, 'To decide');
  await page.getByRole('button', { name: /^Proposed [1-9]/ }).click();
  await expect(page.getByRole('button', { name: 'Proposed is not blank', exact: true })).toBeVisible();
  await expect(cellAt(page, 0, 'facts.proposal')).toHaveText('Not eligible: Not covered by the plan');
  const byProposal = await work(page, async () => {
    await expect(page.getByRole('button', { name: /^Proposed: Not eligible/ })).toBeVisible();
    await pressKey(page, '.');
    return 1;
  });
  await page.getByText('Why', { exact: true }).click();
  expect(await findViolations(page)).toEqual([]);

  await openWorklist(page, 'To decide');
  const byDecision = await work(page, async () => {
    await pressKey(page, 'c');
    await expect(page.getByRole('combobox', { name: /^Reason/ })).toBeFocused();
    for (const key of ['ArrowDown', 'Enter', 'Enter']) await page.keyboard.press(key);
    return 4;
  });
  process.stdout.write(
    `${taken} claims, not eligible with a reason: ${byProposal} presses by proposals, ${byDecision} without\n`,
  );
  expect(byProposal).toBe(taken + 2);

  await test.step('all others as one act, which one undo reverts', async () => {
    await openWorklist(page, 'To decide');
    // Both ways took claims of the same list.
    const left = `Proposed${proposed - 2 * taken}`;
    const chip = page.getByRole('button', { name: /^Proposed [1-9]/ });
    await expect(chip).toHaveText(left);
    await chip.click();
    await expect(page.getByRole('button', { name: 'Proposed is not blank', exact: true })).toBeVisible();
    await page.locator('.ag-row .ag-cell[col-id="patient_name"]').first().click();
    await page.keyboard.press('ControlOrMeta+a');
    await pressKey(page, '.');
    const dialog = page.getByRole('dialog', { name: 'Take proposals' });
    await dialog.getByRole('button', { name: /^Take [\d,]+ proposals?$/ }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: /^Proposed \d/ })).toHaveCount(0);
    await pressKey(page, 'ControlOrMeta+z');
    await openWorklist(page, 'To decide');
    await expect(chip).toHaveText(left);
  });
});

test.describe('on a sample with a past', () => {
  test.use(withPast);

  test('a rule from a filter decides after its trial, explains itself, and its day is undone', {
    tag: '@long',
  }, async ({ page }) => {
    const name = 'Prescriptions under $50';
    await exploreRules(page);
    await test.step('the order of rules is changed by keys, and the focus stays', async () => {
      const rows = page.getByRole('table', { name: 'Rules' }).getByRole('row');
      const focused = page.locator('button:focus');
      await page.getByRole('button', { name: 'Move Copays in network under $50 up' }).focus();
      await page.keyboard.press('Enter');
      await expect(rows.nth(1)).toContainText('Copays in network under $50');
      await expect(focused).toHaveAccessibleName('Move Copays in network under $50 down');
      await page.keyboard.press('Enter');
      await expect(rows.nth(2)).toContainText('Copays in network under $50');
      await expect(focused).toHaveAccessibleName('Move Copays in network under $50 up');
      await expect(rows.nth(2)).toContainText('Decide');
    });
    await openList(page, 'Claims');
    await makeRuleOf(page, 'rx', /^Type: Rx/);
    const states = page.getByRole('group', { name: 'State' });
    const state = (label: string) => states.getByRole('button', { name: label });

    await test.step('tried on the decisions of the last year, then proposing, then deciding', async () => {
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Open at most').fill('50');
      await page.getByRole('button', { name: 'Save rule' }).click();
      await expect(state('Watch')).toHaveAttribute('aria-pressed', 'true');
      await expect(page.getByText(/^Agrees in 2\d\d of 2\d\d decisions of the last year/)).toBeVisible();
      for (const label of ['Propose', 'Decide']) {
        await state(label).click();
        await expect(state(label)).toHaveAttribute('aria-pressed', 'true');
      }
      await judge(page, 'deciding rule');
    });
    const ruleUrl = page.url();
    const decided = page.getByRole('definition').filter({ hasText: /^\d+$/ }).first();

    await test.step('a complete sync decides, as many claims as it may a day', async () => {
      await startSync(page);
      await expect(decided).toHaveText('200', { timeout: 90_000 });
      await openWorklist(page, 'To decide');
      await judge(page, 'to decide with rules');
      await expect(page.getByRole('button', { name: /^Decided by rules 400$/ })).toBeVisible();
    });

    await test.step('the claim says by which rule, and why', async () => {
      await page.goto(ruleUrl);
      await page.getByRole('button', { name: 'Show claims' }).click();
      await cellAt(page, 0, 'id').click();
      await expect(claimTitle(page)).toBeVisible();
      await expect(
        page.getByText(/^Decided by rule Prescriptions under \$50 \(version 1, switched on /),
      ).toBeVisible();
      await page.getByText('Why', { exact: true }).click();
      await expect(page.getByRole('region', { name: 'Review', exact: true })).toContainText('Type is Rx');
      await judge(page, 'claim decided by a rule');
    });
    const claim = await claimTitle(page).innerText();
    const claimUrl = page.url();

    await test.step('its day is undone as one act', async () => {
      await page.goto(ruleUrl);
      await page.getByRole('button', { name: 'Undo a day…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Undo decisions' }).click();
      await expect(page.getByText('200 claims decided by the rule are open again.')).toBeVisible();
      await page.goto(claimUrl);
      await expect(claimTitle(page)).toHaveText(claim);
      await expect(page.getByText(/^Decided by rule /)).toHaveCount(0);
      await expect(page.getByRole('button', { name: /^Proposed: Eligible/ })).toBeVisible();
    });
  });
});
