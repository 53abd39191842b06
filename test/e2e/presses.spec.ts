import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import {
  cellAt,
  claimTitle,
  countOf,
  exploreReviewed,
  exploreRules,
  exploreSample,
  goTo,
  openList,
  openWorklist,
  pressKey,
  sortBy,
  startSync,
  withPast,
} from './steps.ts';

/** Counts keys, a chord as one, and clicks. */
const startCounting = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const counted = window as unknown as { presses?: number };
    const isFirst = counted.presses === undefined;
    counted.presses = 0;
    if (!isFirst) return;
    const isModifier = (event: Event): boolean =>
      event instanceof KeyboardEvent && ['Control', 'Meta', 'Shift', 'Alt'].includes(event.key);
    for (const type of ['keydown', 'pointerdown'])
      window.addEventListener(
        type,
        (event) => {
          counted.presses = (counted.presses ?? 0) + (isModifier(event) ? 0 : 1);
        },
        true,
      );
  });

/** Does a task of a day and asserts how many presses it takes; the report says the seconds, which are not asserted. */
async function task(page: Page, name: string, most: number, act: () => Promise<void>): Promise<void> {
  await test.step(name, async () => {
    await startCounting(page);
    const began = performance.now();
    await act();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const used = await page.evaluate(() => (window as unknown as { presses: number }).presses);
    process.stdout.write(`${name}: ${used} presses of at most ${most}, ${seconds} s\n`);
    expect(used, name).toBeLessThanOrEqual(most);
    counted.set(name, used);
  });
}

/** Presses of each task that this process has done. */
const counted = new Map<string, number>();

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });

test('a member on the phone: by date of birth in the palette, by a name with a wrong letter in the list', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await openList(page, 'Members');
  await cellAt(page, 1, 'id').click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).not.toHaveText(/^Member/);
  const name = await heading.innerText();
  const born = /\d\d\/\d\d\/\d{4}/.exec(await page.getByRole('main').innerText())?.[0] ?? '';

  await task(page, 'member by date of birth', 13, async () => {
    await page.keyboard.press('ControlOrMeta+k');
    // The palette shows what was opened last before anything is typed.
    await expect(palette(page).locator('[data-action]').first()).toContainText(name);
    await expect(palette(page).locator('[data-selected]')).toContainText(name);
    await page.keyboard.type(born);
    await expect(palette(page).locator('[data-selected]')).toContainText(`Born ${born}`);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(born);
    await expect(
      page
        .getByRole('region', { name: /^(Deductible and out-of-pocket progress|Reimbursement account)$/ })
        .getByRole('paragraph')
        .first(),
      'the sentence to read aloud',
    ).toBeInViewport();
  });

  await openList(page, 'Members');
  const last = (await cellAt(page, 2, 'last_name').innerText()).trim();
  const wrong = `${last.slice(0, 3)}q${last.slice(4)}`.toLowerCase();
  await task(page, 'member by a name with a wrong letter', wrong.length + 3, async () => {
    await page.keyboard.press('/');
    await page.keyboard.type(wrong);
    await page.keyboard.press('Enter');
    await expect(cellAt(page, 0, 'last_name')).toHaveText(last);
    await expect(page.locator('.ag-cell:focus')).toHaveCount(1);
    // The search is still there.
    await expect(page.getByRole('textbox', { name: 'Search members' })).toHaveValue(wrong);
    await expect(page.getByText(`No exact match for “${wrong}”`)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Export…' })).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(last);
  });
});

test('a claim by its amount', async ({ page }) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  const amount = (await cellAt(page, 4, 'amount_billed').innerText()).replace(/[$,]/g, '');
  const claim = await cellAt(page, 4, 'id').innerText();
  await task(page, 'claim by its amount', 10, async () => {
    await page.keyboard.press('/');
    await page.keyboard.type(amount);
    await page.keyboard.press('ArrowDown');
    await expect(cellAt(page, 0, 'id')).toHaveText(claim);
    await expect(page.locator('.ag-cell:focus')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(claimTitle(page)).toContainText(claim);
  });

  await test.step('the palette finds it too, and says by which amount', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type(`$${amount}`);
    await expect(palette(page).locator('[data-selected]')).toContainText(`Billed $${amount}`);
    await page.keyboard.press('Escape');
  });
});

test('rejected above $1,000 of one employer; a value by its name; all that the palette found', {
  tag: '@long',
}, async ({ app, page }) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  const group = (name: string) => page.getByRole('group', { name });
  await task(page, 'rejected above $1,000 of one employer', 5, async () => {
    await page.getByRole('button', { name: 'Add filter' }).click();
    await group('Status')
      .getByRole('button', { name: /^Denied/ })
      .click();
    await group('Billed more than').getByRole('button', { name: '$1,000' }).click();
    await group('Employer').getByRole('button').first().click();
    await page.keyboard.press('Escape');
    await expect(cellAt(page, 0, 'status')).toHaveText('Denied');
  });
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await app.chooseSavePath(join(app.downloadsDir, 'rejected.xlsx'));
  await task(page, 'rejected of one employer to a workbook', 8, async () => {
    await page.getByRole('button', { name: 'Add filter' }).click();
    await group('Status')
      .getByRole('button', { name: /^Denied/ })
      .click();
    await group('Employer').getByRole('button').first().click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Export/ });
    await expect(dialog.getByRole('radio', { name: 'Reimbursement' })).toBeFocused();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('status').filter({ hasText: /^Exported/ })).toBeVisible();
  });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await test.step('the search of filters finds values', async () => {
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.keyboard.type('rejec');
    // Enter takes it once it is marked, a moment after it is on screen.
    await expect(page.getByRole('option', { name: /^Status: Denied/ })).toHaveAttribute(
      'data-combobox-selected',
      'true',
    );
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Status is Denied', exact: true })).toBeVisible();
    await expect(cellAt(page, 0, 'status')).toHaveText('Denied');
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  await test.step('groups of a filtered column say that they are without its filter', async () => {
    await page.getByRole('button', { name: 'Add filter' }).click();
    for (const status of [/^Denied/, /^Processed/])
      await group('Status').getByRole('button', { name: status }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Groups' }).click();
    await expect(page.getByText('Groups ignore your filter on Status.')).toBeVisible();
    await page.getByRole('button', { name: 'Close groups' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  await test.step('from the palette to the list with the same search', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('pharmacy');
    await palette(page).getByRole('button', { name: 'Show all claims with “pharmacy”' }).click();
    await expect(page.getByRole('textbox', { name: 'Search claims' })).toHaveValue('pharmacy');
    await expect(countOf(page)).toHaveText(/^\d+ claims/);
    await expect(cellAt(page, 0, 'service_provider')).toContainText('Pharmacy');
  });
});

/** Decides the first twenty claims of a list, and returns their IDs. Two presses open the first of them. */
async function decideTwenty(page: Page, name: string): Promise<string[]> {
  const decided: string[] = [];
  await task(page, name, 22, async () => {
    await pressKey(page, 'j');
    await expect(page.locator('.ag-cell:focus')).toHaveCount(1);
    await page.keyboard.press('Enter');
    for (let done = 0; done < 20; done += 1) {
      await expect(claimTitle(page)).toBeVisible();
      const before = await claimTitle(page).innerText();
      await expect(page.getByRole('button', { name: /^Eligible/ }).first()).toBeEnabled();
      await pressKey(page, '1');
      decided.push(before.replace(/\D/g, ''));
      await expect(claimTitle(page)).not.toHaveText(before);
    }
  });
  return decided;
}

test('twenty claims in twenty keys where each answer of the engine takes 400 ms: none is skipped', {
  tag: '@long',
}, async ({ page }) => {
  let delayMs = 0;
  const acts: string[] = [];
  await page.route(/\/call\//, async (route) => {
    if (route.request().url().endsWith('reviews:act'))
      acts.push(String(route.request().postDataJSON().target.claimIds[0]));
    await wait(delayMs);
    await route.continue().catch(() => undefined);
  });
  await exploreSample(page);
  await openWorklist(page, 'To decide');
  const listed: string[] = [];
  for (let row = 0; row < 8; row += 1) listed.push(await cellAt(page, row, 'id').innerText());
  delayMs = 400;
  const decided = await decideTwenty(page, 'twenty claims at 400 ms');
  delayMs = 0;
  expect(decided.slice(0, listed.length)).toEqual(listed);
  expect(new Set(decided).size).toBe(20);
  await expect.poll(() => acts).toEqual(decided);
});

test('a carrier login corrected, from Start', { tag: '@long' }, async ({ page }) => {
  await exploreReviewed(page);
  const field = (name: string) => page.getByRole('textbox', { name });
  const openLogin = async (): Promise<void> => {
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Carrier logins to fix: \d+$/ })
      .click();
    await page
      .getByRole('link', { name: /^Update login: / })
      .first()
      .click();
  };
  await test.step('the member consents, and gives a login that the carrier refuses', async () => {
    await goTo(page, 'Start');
    await openLogin();
    for (const consent of ['The member accepts the terms of use', /receives their claims$/])
      await page.getByRole('checkbox', { name: consent }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await field('Username').fill('will.invalid');
    await field('Password').fill('first');
    await page.keyboard.press('Enter');
    const check = page.getByRole('status', { name: 'State of the sign-in check' });
    await expect(check).toContainText('Not connected', { timeout: 60_000 });
  });
  await goTo(page, 'Start');
  await task(page, 'a carrier login corrected', 6, async () => {
    await openLogin();
    await expect(field('Username')).toBeFocused();
    // A paste from a password manager is one press.
    const paste = async (text: string): Promise<void> => {
      await page.keyboard.press('ControlOrMeta+v');
      await page.keyboard.insertText(text);
    };
    await paste('will.fast');
    await page.keyboard.press('Tab');
    await expect(field('Password')).toBeFocused();
    await paste('second');
    await page.keyboard.press('Enter');
    const check = page.getByRole('status', { name: 'State of the sign-in check' });
    await expect(check).toContainText('Connected', { timeout: 60_000 });
  });
});

test('twenty claims; a payment, a note and a reminder on the next ones', async ({ page }) => {
  await exploreSample(page);
  await openWorklist(page, 'To decide');
  await decideTwenty(page, 'twenty claims');

  await expect(page.getByRole('button', { name: /^Waiting…/ })).toBeEnabled();
  await task(page, 'a payment of $12.50', 7, async () => {
    await pressKey(page, 'p');
    const form = page.getByRole('form', { name: 'Add payment' });
    await expect(form.getByLabel('Amount')).toBeFocused();
    await page.keyboard.type('12.50');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('list', { name: 'Payments' })).toContainText('$12.50');
    await expect(form).toHaveCount(0);
  });
  const note = 'Receipt came by mail';
  await task(page, 'a note, and on to the next claim', note.length + 3, async () => {
    const before = await claimTitle(page).innerText();
    await pressKey(page, 'n');
    await page.keyboard.type(note);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByRole('region', { name: 'Review history' })).toContainText(note);
    await pressKey(page, 'j');
    await expect(claimTitle(page)).not.toHaveText(before);
  });
  await expect(page.getByRole('button', { name: /^Waiting…/ })).toBeEnabled();
  await task(page, 'waiting on the carrier for the EOB', 14, async () => {
    const before = await claimTitle(page).innerText();
    await pressKey(page, 'w');
    await expect(page.getByRole('dialog').getByLabel('Waiting on')).toBeFocused();
    await page.keyboard.type('Carrier');
    await page.keyboard.press('Tab');
    await page.keyboard.type('EOB');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(claimTitle(page)).not.toHaveText(before);
  });
});

test('a changed claim is understood and accepted; all to pay is paid; a list becomes a file', {
  tag: '@long',
}, async ({ app, page }) => {
  await exploreSample(page);
  await openWorklist(page, 'Changed');
  let claim = '';
  await task(page, 'a changed claim understood and accepted', 2, async () => {
    await cellAt(page, 0, 'id').click();
    const changes = page.getByRole('region', { name: 'Changed since reviewed' });
    await expect(changes).toContainText(/Patient responsibility \$[\d,.]+ → \$[\d,.]+, [+−]\$[\d,.]+/);
    await expect(page.getByRole('table', { name: 'Before and after' })).toBeVisible();
    const before = await claimTitle(page).innerText();
    claim = /\d+/.exec(before)?.[0] ?? '';
    await pressKey(page, 'a');
    await expect(claimTitle(page)).not.toHaveText(before);
  });
  await task(page, 'a claim by its number, from anywhere', claim.length + 2, async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type(claim);
    await expect(palette(page).locator('[data-selected]')).toContainText(claim);
    await page.keyboard.press('Enter');
    await expect(claimTitle(page)).toContainText(claim);
  });
  await task(page, 'all to pay is paid', 5, async () => {
    await openWorklist(page, 'To pay');
    await cellAt(page, 0, 'patient_name').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByRole('button', { name: 'Pay selected…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay what is open' });
    await dialog.getByRole('button', { name: /^Pay \d+ claims/ }).click();
    await expect(dialog).toBeHidden();
  });
  await openList(page, 'Claims');
  await app.chooseSavePath(join(app.downloadsDir, 'claims.xlsx'));
  await task(page, 'a list becomes a workbook', 3, async () => {
    await page.keyboard.press('ControlOrMeta+p');
    const dialog = page.getByRole('dialog', { name: /^Export/ });
    await expect(dialog.getByRole('radio', { name: 'Reimbursement' })).toBeFocused();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('status').filter({ hasText: /^Exported/ })).toContainText('400 rows');
  });
});

test('a statement, a pair of duplicates, a key', { tag: '@long' }, async ({ app, page }) => {
  await exploreReviewed(page);
  await openWorklist(page, 'Duplicates');
  await task(page, 'two claims are judged as no duplicates', 2, async () => {
    await cellAt(page, 0, 'id').click();
    await expect(page.getByRole('table', { name: /^Claims \d+ and \d+/ })).toBeVisible();
    const before = await claimTitle(page).innerText();
    await pressKey(page, 'u');
    await expect(claimTitle(page)).not.toHaveText(before);
  });
  await openWorklist(page, 'To pay');
  await cellAt(page, 0, 'id').click();
  await expect(claimTitle(page)).toBeVisible();
  await app.chooseSavePath(join(app.downloadsDir, 'statement.pdf'));
  await task(page, 'a statement', 3, async () => {
    await page.getByRole('button', { name: 'Statement…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Reimbursement', { exact: true }).click();
    await dialog.getByRole('button', { name: /^Save/ }).click();
    await expect(dialog.getByRole('status').filter({ hasText: /^Exported 1/ })).toBeVisible();
  });
  await page.keyboard.press('Escape');
  await task(page, 'a key is rotated', 6, async () => {
    await goTo(page, 'Settings');
    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'Sample data', exact: true }).click();
    await page.getByRole('link', { name: 'Rotate key' }).click();
    await page.getByRole('button', { name: 'Start rotation' }).click();
    await page.getByRole('button', { name: 'Nothing else uses the old key' }).click();
    await expect(page.getByRole('region', { name: 'Key rotated' })).toBeVisible();
  });
});

test.describe('with the rules of the sample', () => {
  test.use(withPast);
  const decidedClaims = 40;

  /** Opens the claims of which the rules propose something, as they were proposed first. */
  const openProposed = async (page: Page): Promise<void> => {
    await openWorklist(page, 'To decide');
    const chip = page.getByRole('button', { name: 'Proposed is not blank', exact: true });
    if (!(await chip.isVisible())) {
      await page.getByRole('button', { name: /^Proposed [1-9]/ }).click();
      await expect(chip).toBeVisible();
      await sortBy(page, 'Claim');
    }
    await expect(cellAt(page, 0, 'facts.proposal')).toHaveText(/\w/);
  };

  /** Decides claims in a row, from the first one on; `act` gets what is proposed of each. Returns their IDs and proposals. */
  const decideInRow = async (page: Page, count: number, act: (proposal: string) => Promise<void>) => {
    const claims: { id: string; proposal: string }[] = [];
    await cellAt(page, 0, 'id').click();
    while (claims.length < count) {
      const proposed = page.getByRole('button', { name: /^Proposed: / });
      await expect(proposed).toBeEnabled();
      const before = await claimTitle(page).innerText();
      const proposal = await proposed.innerText();
      claims.push({ id: /\d+/.exec(before)?.[0] ?? '', proposal });
      await act(proposal);
      await expect(claimTitle(page)).not.toHaveText(before);
    }
    return claims;
  };

  test('the same decisions of forty claims, with the rules off and on', { tag: '@long' }, async ({
    page,
  }) => {
    await exploreRules(page);
    await openProposed(page);
    let claims: { id: string; proposal: string }[] = [];
    // As without rules: 1 is Eligible, and c asks for the reason.
    await task(page, 'forty claims without rules', 1 + 4 * decidedClaims, async () => {
      claims = await decideInRow(page, decidedClaims, async (proposal) => {
        if (proposal.includes('Proposed: Eligible')) return pressKey(page, '1');
        await pressKey(page, 'c');
        await expect(page.getByRole('combobox', { name: /^Reason/ })).toBeFocused();
        for (const key of ['ArrowDown', 'Enter', 'Enter']) await page.keyboard.press(key);
      });
    });
    const toTake = claims.filter(({ proposal }) => !proposal.includes('Proposed: Eligible'));
    const ids = claims.map(({ id }) => id);
    expect(toTake.length, 'claims of both rules').toBeGreaterThan(0);
    expect(toTake.length, 'claims of both rules').toBeLessThan(decidedClaims);
    for (const id of ids.toReversed()) {
      await pressKey(page, 'ControlOrMeta+z');
      await expect(claimTitle(page)).toContainText(id);
    }

    await startSync(page);
    await openWorklist(page, 'To decide');
    await expect(page.getByRole('button', { name: /^Decided by rules 200$/ })).toBeVisible({
      timeout: 90_000,
    });
    await openProposed(page);
    const left = toTake.map(({ id }) => id);
    await task(page, 'forty claims with rules', 1 + left.length, async () => {
      const same = await decideInRow(page, left.length, () => pressKey(page, '.'));
      expect(same.map(({ id }) => id)).toEqual(left);
    });
    await test.step('the rule decided the others', async () => {
      await openWorklist(page, 'To decide');
      await page.getByRole('button', { name: /^Decided by rules/ }).click();
      await sortBy(page, 'Claim');
      const others = ids.filter((id) => !left.includes(id));
      for (const [row, id] of others.slice(0, 8).entries())
        await expect(cellAt(page, row, 'id')).toHaveText(id);
    });

    const on = counted.get('forty claims with rules') ?? Number.NaN;
    const without = counted.get('forty claims without rules') ?? Number.NaN;
    const fewer = (a: number, b: number): string =>
      `${b} presses instead of ${a}, ${Math.round((1 - b / a) * 100)}% fewer`;
    const others = [...counted].reduce((sum, [name, used]) => sum + (name.startsWith('forty') ? 0 : used), 0);
    process.stdout.write(`forty claims that rules decide or propose: ${fewer(without, on)}\n`);
    process.stdout.write(
      `with the ${counted.size - 2} other tasks: ${fewer(without + others, on + others)}\n`,
    );
    expect(on).toBeLessThanOrEqual(0.6 * without);
  });
});
