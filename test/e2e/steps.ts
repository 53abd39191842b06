import { setTimeout as wait } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { listChildren } from '../support/child-processes.ts';
import type { App } from './app.ts';

/** Steps that users repeat, by the names that the window shows. */

export const nav = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: new RegExp(`^${name}`) });

/** The pages that are tabs beside another one. */
const tabsOf: Readonly<Record<string, string>> = {
  'Claim lines': 'Claims',
  Dependents: 'Members',
  Tenants: 'Employers',
  Insights: 'Reports',
  'What changed': 'Sync',
  Runs: 'To pay',
};

/** Where there is little room, the navigation is behind a button. */
export async function goTo(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open menu' });
  if (await menu.isVisible()) await menu.click();
  await nav(page, tabsOf[name] ?? name).click();
  if (name in tabsOf)
    await page.getByRole('navigation', { name: 'Tabs' }).getByRole('link', { name }).click();
}

export async function exploreSample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Explore sample data' }).click();
  await expect(page.getByText('No real people or claims.')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Sync complete' })).toBeVisible({ timeout: 60_000 });
}

/** Closes the notice on screen if it has not closed by itself, which it does after a few seconds. */
export async function closeNotice(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Dismiss' });
  await close.evaluateAll((buttons) => {
    for (const button of buttons) if (button instanceof HTMLElement) button.click();
  });
  await expect(close).toHaveCount(0);
}

/**
 * Starts the sample and holds its service at the first claims, so that the first sync outlasts the test's
 * steps. The service runs for moments only, as the window gets claims after they are stored. Returns a
 * function that resumes it. In Electron it is not held: a utility process does not report what it runs.
 */
export async function exploreAndHold({ page, mainPid, isElectron }: App): Promise<() => void> {
  await page.getByRole('button', { name: 'Explore sample data' }).click();
  if (isElectron) return () => undefined;
  await expect.poll(() => listChildren(mainPid, 'sandbox')).toHaveLength(1);
  const [service = 0] = await listChildren(mainPid, 'sandbox');
  const claims = nav(page, 'Claims').filter({ hasText: /[1-9]/ });
  for (;;) {
    await wait(50);
    process.kill(service, 'SIGSTOP');
    await wait(100);
    if ((await claims.count()) > 0) return () => void process.kill(service, 'SIGCONT');
    process.kill(service, 'SIGCONT');
  }
}

export async function openList(page: Page, name: 'Claims' | 'Members' | 'Dependents' | 'Claim lines') {
  await goTo(page, name);
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  const rows = page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
  // A row is drawn before its record is there, and does nothing until then.
  await expect(rows.first()).toContainText(/\d/, { timeout: 60_000 });
  return rows;
}

export const worklists = (page: Page) => page.getByRole('navigation', { name: 'Worklists' });

/** Opens a worklist that has claims; the list before stays until its rows are read and counted. */
export async function openWorklist(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open menu' });
  if (await menu.isVisible()) await menu.click();
  await worklists(page)
    .getByRole('link', { name: new RegExp(`^${name} [1-9]`) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  // A list that was open before is where it was left, so that its first row may not be drawn.
  await expect(page.locator('.ag-row .ag-cell[col-id="id"]').first()).toContainText(/\d/);
  await readCount(page);
}

/** Opens a part of the list on screen that has claims. */
export async function openPart(page: Page, name: string): Promise<void> {
  const chip = page
    .getByRole('navigation', { name: 'Parts of the list' })
    .getByRole('link', { name: new RegExp(`^${name} ?[1-9]`) });
  await chip.click();
  await expect(chip).toHaveAttribute('data-open', 'true');
  await expect(cellAt(page, 0, 'id')).toContainText(/\d/);
  await readCount(page);
}

/** The sample with its reviews of a colleague, which follow the first sync; a claim that was rejected in a run is the last. */
export async function exploreReviewed(page: Page): Promise<void> {
  await exploreSample(page);
  await goTo(page, 'To pay');
  await expect(
    page
      .getByRole('navigation', { name: 'Tabs' })
      .getByRole('link', { name: /^Rejected by the payer ?[1-9]/ }),
  ).toBeVisible({ timeout: 30_000 });
}

/** A sample with a past that is large enough for the trial of a rule that decides. */
export const withPast = { options: { members: 1_500, claims: 15_000, environment: {} } };

/** Opens the rules in the settings; those of the sample follow its reviews. */
export async function openRules(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Rules' }).click();
}

/** Row of a rule in the settings. */
export const ruleRow = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Rules' }).getByRole('row').filter({ hasText: name });

/** The sample with its rules, of which one decides. */
export async function exploreRules(page: Page): Promise<void> {
  await exploreReviewed(page);
  await openRules(page);
  await expect(ruleRow(page, 'Copays in network under $50')).toContainText('Decide', { timeout: 60_000 });
  await expect(ruleRow(page, 'Preventive visits')).toContainText('Propose');
}

/** Sorts by this column alone, whether it is shown or not. */
export async function sortBy(page: Page, column: string): Promise<void> {
  await page.getByRole('button', { name: 'Sort', exact: true }).click();
  const sort = page.getByRole('dialog', { name: 'Sort' });
  const remove = sort.getByRole('button', { name: /^Remove sort by/ });
  await expect(remove).toHaveCount(1);
  await remove.click();
  await sort.getByLabel('Sort by', { exact: true }).selectOption({ label: column });
  await expect(sort.getByLabel(`Blanks in ${column}`)).toBeVisible();
  await page.keyboard.press('Escape');
}

export async function setSampleService(page: Page, isRunning: boolean): Promise<void> {
  await goTo(page, 'Sync');
  const toggle = page.getByRole('switch', { name: /sample service/i });
  await expect(toggle).toBeChecked({ checked: !isRunning });
  await toggle.press('Space');
  await expect(toggle).toBeChecked({ checked: isRunning });
}

/** Starts a sync; one that was interrupted goes on. */
export async function startSync(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Sync now|Resume sync)$/ })
    .first()
    .click();
}

/** Fires the event of a return from another window: a test's page always has the focus. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
}

/** The columns that reach under the scroll bar or beyond it. */
export const hiddenColumns = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() => {
    const edge = document.querySelector('.ag-body-vertical-scroll')?.getBoundingClientRect().left ?? 0;
    return [...document.querySelectorAll('.ag-header-cell')]
      .filter((cell) => cell.getBoundingClientRect().right > edge + 1)
      .map((cell) => cell.getAttribute('col-id'));
  });

export const passphrase = 'correct horse battery staple';

/** A workspace of one's own, in a profile that a passphrase opens; no sample is wanted. */
export const ownWorkspace = {
  options: { members: 1, claims: 1, environment: { CLAIMDESK_VAULT_PASSPHRASE: passphrase } },
};

/** Connects to a service, from the welcome page to the end of the first sync. */
export async function connectWorkspace(
  page: Page,
  service: { baseUrl: string; email: string; register: (publicKey: string) => Promise<unknown> },
): Promise<void> {
  const field = (name: string) => page.getByRole('textbox', { name });
  const button = (name: string) => page.getByRole('button', { name });
  await page.getByRole('link', { name: 'Connect to your service' }).click();
  await field('Service URL').fill(service.baseUrl);
  await field('Account email').fill(service.email);
  await field('Workspace name').fill('Front desk');
  await button('Continue').click();
  await button('Make key').click();
  const publicKey = page.getByText(/^ssh-ed25519 [A-Za-z0-9+/=]+/).first();
  await service.register(((await publicKey.textContent()) ?? '').trim());
  await button('Verify key').click();
  await button('Start first sync').click();
  await expect(page.getByRole('alert').filter({ hasText: 'Sync complete' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Go to Start' }).click();
}

/** The sections of settings that are tabs of the part *Connection*. */
const connectionSettings: readonly string[] = ['Workspaces', 'Keys', 'Connect', 'Doctor'];

export async function openSettings(page: Page, section: string): Promise<void> {
  await goTo(page, 'Settings');
  const isTab = connectionSettings.includes(section);
  const part = isTab ? 'Connection' : section;
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: part }).click();
  if (isTab)
    await page
      .getByRole('navigation', { name: 'Connection', exact: true })
      .getByRole('link', { name: section, exact: true })
      .click();
  await expectSettings(page, section);
}

/** A part of the settings is on show: its link is the current one while the page before still stands. */
export async function expectSettings(page: Page, section: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Settings', exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('region', { name: section }).first()).toBeVisible();
}

/** A cell of a list: in the document the rows stand as they came. */
export const cellAt = (page: Page, row: number, column: string) =>
  page.locator(`.ag-row[row-index="${row}"] .ag-cell[col-id="${column}"]`);

/** How many rows a list says that it has. */
export const countOf = (page: Page) =>
  page.getByRole('region', { name: 'Totals' }).getByRole('status').first();

/** The same as text, once it is counted: rows are there before. */
export async function readCount(page: Page): Promise<string> {
  await expect(countOf(page)).toHaveText(/^[\d,]+ /);
  return countOf(page).innerText();
}

export const claimTitle = (page: Page) => page.getByRole('heading', { level: 1, name: /^Claim \d/ });

/** Unfolds the decisions on a claim that are under *More*. */
export const showMoreDecisions = (page: Page): Promise<void> =>
  page.getByRole('region', { name: 'Review', exact: true }).locator('summary').click();

/**
 * Waits until a press acts: its target is on screen, and the last act was long enough ago. Controls of a list without rows
 * are off for as long as it is empty, and have no title that says why.
 */
const expectReady = (page: Page): Promise<void> =>
  expect(
    page.locator('[data-resting], main [aria-busy="true"]:visible, main fieldset[disabled][title]:visible'),
  ).toHaveCount(0);

/** Presses a key once a press acts. A press before that does nothing. */
export async function pressKey(page: Page, key: string): Promise<void> {
  await expectReady(page);
  await page.keyboard.press(key);
}

/** Presses a button of a claim's page once a press acts. */
export async function pressButton(page: Page, name: string): Promise<void> {
  await expectReady(page);
  await page.getByRole('button', { name }).click();
}

/** Drops a file on the page, as from the desktop. */
export async function drop(
  page: Page,
  name: string,
  bytes: Buffer | string,
  others: string[] = [],
): Promise<void> {
  await expect(page.locator('[data-resting]')).toHaveCount(0);
  const base64 = Buffer.from(bytes).toString('base64');
  await page.evaluate(
    ([fileName, text, otherNames]) => {
      const moved = new DataTransfer();
      const file = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      for (const one of [fileName, ...otherNames]) moved.items.add(new File([file], one));
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: moved, bubbles: true, cancelable: true }),
      );
    },
    [name, base64, others] as const,
  );
  await expect(page.getByRole('dialog', { name: /^Attach file/ })).toBeVisible();
}
