import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { findInPalette } from './keyboard.ts';
import { claimTitle, exploreSample, goTo, openSettings, openWorklist, pressKey, worklists } from './steps.ts';

/** The link to Duplicates in the sidebar, with this count. */
const duplicates = (page: Page, count: number) =>
  worklists(page).getByRole('link', { name: `Duplicates ${count}`, exact: true });

/** How many claims Duplicates has, once it is counted. */
async function countDuplicates(page: Page): Promise<number> {
  const link = worklists(page).getByRole('link', { name: /^Duplicates [1-9]/ });
  return Number(/\d+/.exec(await link.innerText())?.[0]);
}

const rowsOf = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

/** The ID in the heading of a claim's page. */
async function shownClaim(page: Page): Promise<string> {
  const heading = await page.getByRole('heading', { level: 1, name: /^Claim \d+/ }).innerText();
  return /\d+/.exec(heading)?.[0] ?? '';
}

test('a day by worklists: duplicates judged by key, a reminder due, payments imported, reports that agree', async ({
  page,
}) => {
  await exploreSample(page);

  await test.step('two claims are no duplicates: both leave the worklist', async () => {
    await openWorklist(page, 'Duplicates');
    const claims = await countDuplicates(page);
    await rowsOf(page).first().dblclick();
    await expect(page.getByRole('table', { name: /^Claims \d+ and \d+/ })).toContainText('Differs');
    await pressKey(page, 'u');
    await expect(duplicates(page, claims - 2)).toBeVisible();
    // As high as the page of a claim with several pairs.
    const pair = page.getByRole('table', { name: /^Claims \d+ and \d+/ }).first();
    await pair.evaluate(({ style }) => {
      style.marginBottom = '1200px';
    });
    await page.getByRole('main').evaluate((main) => main.scrollBy(0, 500));
    const strip = page.getByRole('main').getByText(/^✓ .*Undo/);
    const { bottom } = await strip.evaluate((said) => said.getBoundingClientRect());
    expect(bottom, 'the strip is at the foot of the window').toBeGreaterThan(700);
    expect(bottom).toBeLessThan(800);
    await pressKey(page, 'ControlOrMeta+z');
    await expect(duplicates(page, claims)).toBeVisible();
  });

  let claimId = '';
  await test.step('a claim waits until today, so its reminder is due and it is back', async () => {
    await openWorklist(page, 'To decide');
    await rowsOf(page).first().dblclick();
    claimId = await shownClaim(page);
    await expect(page.getByRole('button', { name: /^Waiting…/ })).toBeEnabled();
    await pressKey(page, 'w');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Waiting on').fill('Carrier');
    await dialog.getByLabel('Reason').fill('EOB requested');
    const today = await page.evaluate(() => {
      const now = new Date();
      return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
        .map((part) => String(part).padStart(2, '0'))
        .join('-');
    });
    await dialog.getByRole('button', { name: 'In 7 days' }).click();
    await expect(dialog.getByLabel('Reminder')).not.toHaveValue('');
    await dialog.getByLabel('Reminder').fill(today);
    await dialog.getByRole('button', { name: 'Mark as waiting' }).click();
    await expect(dialog).toBeHidden();
    await goTo(page, 'Start');
    await expect(page.getByRole('region', { name: 'Next' })).toContainText(claimId);
    await expect(page.getByRole('region', { name: 'Continue where you were' })).toContainText(/Claim \d+/);
  });

  await test.step('Start reviewing walks the reminders that are due; their end leads back to Start', async () => {
    // The sample has another one, of yesterday.
    await expect(page.getByRole('region', { name: 'Next' }).getByText(/^Reminder of/)).toHaveCount(2);
    await page.getByRole('button', { name: 'Start reviewing' }).click();
    const waiting = page.getByRole('button', { name: /^Waiting…/ });
    await expect(waiting).toBeEnabled();
    await pressKey(page, 'j');
    await expect(claimTitle(page)).toContainText(claimId);
    await expect(waiting).toBeEnabled();
    await pressKey(page, 'j');
    const notice = page.getByRole('alert').filter({ hasText: 'the last claim in Waiting: Due again.' });
    await notice.getByRole('link', { name: 'Start' }).click();
    await expect(page.getByRole('region', { name: 'Next' })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });

  await test.step('payments come from a file; what does not match is listed', async () => {
    await worklists(page)
      .getByRole('link', { name: /^To pay/ })
      .click();
    await page.getByRole('button', { name: 'Import payments…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import payments' });
    const csv = `claim,amount,date\n${claimId},12.50,2026-11-02\nunknown-1,3,2026-11-02\n`;
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByLabel('CSV or Excel file').click();
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
      .getByRole('region', { name: 'Next' })
      .getByRole('link', { name: new RegExp(`Claim ${claimId}`) })
      .click();
    await expect(page.getByRole('button', { name: 'Next in list' })).toBeVisible();
    await page.getByRole('link', { name: 'Claim file…' }).click();
    await expect(page.getByRole('table', { name: 'Payments' })).toContainText('$12.50');
    await expect(page.getByRole('table', { name: 'Review history' })).toContainText('Waiting');
  });
});

test('what is open of selected claims is paid as one act, and one undo takes it back', async ({ page }) => {
  await exploreSample(page);
  await openWorklist(page, 'To pay');
  await expect(worklists(page).getByRole('link', { name: /^To pay [1-9]/ })).toBeVisible();
  const count = Number(
    (
      await worklists(page)
        .getByRole('link', { name: /^To pay/ })
        .innerText()
    ).replace(/\D/g, ''),
  );
  await expect(rowsOf(page)).toHaveCount(count);
  await rowsOf(page).first().locator('[col-id="patient_name"]').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Review…', exact: true }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Pay what is open' })).toBeInViewport();
  await expect(menu.getByText('Decide', { exact: true })).toBeInViewport();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Pay selected…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay what is open' });
  await expect(dialog.getByRole('status')).toContainText(/\$[\d,.]+ open of \d+ claims/);
  await dialog.getByRole('button', { name: `Pay ${count} claims` }).click();
  await expect(dialog).toBeHidden();
  await expect(worklists(page).getByRole('link', { name: 'To pay 0' })).toBeVisible();
  await pressKey(page, 'ControlOrMeta+z');
  await expect(worklists(page).getByRole('link', { name: `To pay ${count}` })).toBeVisible();
});

test('what was decided is handed over: a payment by key, templates, a file under a passphrase and its report', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await test.step('a payment is recorded from the list', async () => {
    await openWorklist(page, 'To decide');
    await rowsOf(page).first().locator('[col-id="patient_name"]').click();
    await pressKey(page, 'p');
    const dialog = page.getByRole('dialog', { name: /^Payment: claim \d+/ });
    await expect(dialog.getByLabel('Amount')).toBeFocused();
    await dialog.getByLabel('Amount').fill('7.25');
    await dialog.getByRole('button', { name: 'Save payment' }).click();
    await expect(dialog).toBeHidden();
  });
  await test.step('a claim that is decided stays in its row until the list is refreshed', async () => {
    await rowsOf(page).first().locator('[col-id="patient_name"]').click();
    await pressKey(page, '1');
    const totals = page.getByRole('region', { name: 'Totals' });
    // More than one where the sample’s reviews were still being sorted in when the list was made.
    await expect(totals).toContainText(/\d claims? no longer belongs? here\./);
    await totals.getByRole('button', { name: 'Refresh' }).click();
    await expect(totals).not.toContainText('no longer');
  });

  await openSettings(page, 'Reviews');
  await test.step('the workspace has its own note templates', async () => {
    const templates = page.getByLabel('Note templates', { exact: true });
    await templates.fill('Called the plan.\n\nSent the EOB.');
    await page.getByRole('button', { name: 'Save note templates' }).click();
    await expect(templates).toHaveValue('Called the plan.\nSent the EOB.');
  });

  const passphrase = 'a long passphrase';
  let path = '';
  await test.step('the reviews leave as a file under a passphrase', async () => {
    await page.getByRole('button', { name: 'Export reviews…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export reviews' });
    await dialog.getByLabel('File passphrase').fill(passphrase);
    await dialog.getByLabel('Confirm passphrase').fill(passphrase);
    await dialog.getByRole('button', { name: /^Save file…?$/ }).click();
    const status = dialog.getByRole('status');
    await expect(status).toHaveText(/^\d+ events of \d+ claims saved as /);
    path = (await status.innerText()).replace(/^.* saved as | Copy path$/gs, '').trim();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  await test.step('a wrong passphrase is told; with the right one the report says what came', async () => {
    await page.getByRole('button', { name: 'Import reviews…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import reviews' });
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByLabel('Reviews file').click();
    await (await chooser).setFiles(path);
    await dialog.getByLabel('File passphrase').fill('another passphrase');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Couldn’t import the reviews');
    await dialog.getByLabel('File passphrase').fill(passphrase);
    await dialog.getByRole('button', { name: 'Import' }).click();
    await expect(dialog.getByRole('status')).toContainText('Already here');
    await expect(dialog.getByRole('status')).toContainText('Removed claims, left out');
    await dialog.getByRole('button', { name: 'Done' }).click();
  });
});

test('a worklist is a list with views, and its keys are in the palette', { tag: '@long' }, async ({
  page,
}) => {
  await exploreSample(page);
  const search = page.getByRole('main').getByRole('textbox', { name: 'Search claims' });
  await test.step('a search of a worklist is saved as a view, and opens there again', async () => {
    await openWorklist(page, 'Denied');
    await search.fill('a');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save view…' }).click();
    await page.getByLabel('View name').fill('Denied to appeal');
    await page.getByRole('button', { name: 'Save view' }).click();
    await expect(page.getByRole('button', { name: 'View: Denied to appeal' })).toBeVisible();
    await openWorklist(page, 'To decide');
    await expect(search).toHaveValue('');
    await expect(page.getByRole('gridcell').first()).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page.locator(':focus')).toHaveAttribute('role', 'gridcell');
    await page
      .getByRole('navigation', { name: 'Saved views' })
      .getByRole('button', { name: 'Denied to appeal' })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Denied' })).toBeVisible();
    await expect(search).toHaveValue('a');
  });

  await test.step('two claims are judged from the palette', async () => {
    await openWorklist(page, 'Duplicates');
    const claims = await countDuplicates(page);
    await rowsOf(page).first().dblclick();
    await expect(page.getByRole('table', { name: /^Claims \d+ and \d+/ })).toContainText('Differs');
    await (await findInPalette(page, 'not a duplicate'))
      .filter({ hasText: 'Review: Not a duplicate' })
      .click();
    await expect(duplicates(page, claims - 2)).toBeVisible();
  });

  await test.step('a page that comes while somebody types into the palette leaves the focus there', async () => {
    await findInPalette(page, 'sett');
    await page.evaluate(() => {
      location.hash = '#/members';
    });
    await expect(page.locator('h1', { hasText: 'Members' })).toBeVisible();
    await page.keyboard.type('ings: keys');
    const box = page.getByRole('textbox', { name: 'Search or jump to' });
    await expect(box).toHaveValue('settings: keys');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  });
});

test('a pair is judged once: a walk by keys stops at each pair, and after the last one no claim is left', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  const tables = page.getByRole('main').getByRole('table', { name: /^Claims \d+ and \d+/ });
  /** The pair that the keys are for, its claims in order. */
  const shownPair = async (): Promise<string> => {
    const name = (await tables.first().getAttribute('aria-label')) ?? '';
    return (name.match(/\d+/g) ?? []).sort().join(' ');
  };
  const position = page.getByRole('main').getByText(/^\d+ of \d+$/);

  await openWorklist(page, 'Duplicates');
  const claims = await countDuplicates(page);
  await rowsOf(page).first().dblclick();
  /** The pairs at which a key stops, up to the end of the list. */
  const walk = async (key: 'j' | 'k'): Promise<string[]> => {
    const end = page.getByRole('button', { name: key === 'j' ? 'Next in list' : 'Previous in list' });
    for (const stops: string[] = []; ; ) {
      await expect(tables.first()).toBeVisible();
      await expect(position).toBeVisible();
      stops.push(await shownPair());
      if (await end.isDisabled()) return stops;
      const before = await position.innerText();
      await pressKey(page, key);
      await expect(position).not.toHaveText(before);
    }
  };
  const pairs = await walk('j');
  await test.step('each pair is met once, and again on the way back', async () => {
    expect(new Set(pairs).size).toBe(pairs.length);
    // The other claim of a pair may be in a list before Duplicates.
    const met = new Set(pairs.flatMap((pair) => pair.split(' '))).size;
    expect(met).toBeGreaterThanOrEqual(claims);
    expect(pairs.length).toBeLessThanOrEqual(claims);
    expect(pairs.length).toBeGreaterThan(4);
    expect((await walk('k')).reverse()).toEqual(pairs);
  });

  await test.step('each is judged by one key, and the next one that waits follows', async () => {
    for (const [at, pair] of pairs.entries()) {
      await expect(page.getByRole('button', { name: 'Not a duplicate' }).first()).toBeEnabled();
      expect(await shownPair()).toBe(pair);
      const before = await position.innerText();
      await pressKey(page, at % 2 === 0 ? '5' : 'u');
      if (at < pairs.length - 1) await expect(position).not.toHaveText(before);
    }
    await expect(page.getByText('That was the last pair in Duplicates.')).toBeVisible();
    await expect(duplicates(page, 0)).toBeVisible();
  });

  await test.step('a judged pair says so, has no keys, and its judgement can be undone', async () => {
    await expect(page.getByText(/marked as (not a|the) duplicate of \d+\.$/i)).toBeVisible();
    await expect(page.getByRole('button', { name: /^(Not a duplicate|Mark \d+ as duplicate)/ })).toHaveCount(
      0,
    );
    const last = await position.innerText();
    await pressKey(page, 'k');
    await expect(position).not.toHaveText(last);
    expect(await shownPair()).toBe(pairs.at(-2));
    await pressKey(page, 'j');
    await expect(position).toHaveText(last);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(worklists(page).getByRole('link', { name: /^Duplicates [12]$/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Not a duplicate' })).toBeEnabled();
  });
});
