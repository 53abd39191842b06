import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { readLines, runCli } from '../support/cli-run.ts';
import { expect, test } from './app.ts';
import { findInPalette } from './keyboard.ts';
import {
  connectWorkspace,
  exploreSample,
  goTo,
  openList,
  ownWorkspace,
  pressKey,
  setSampleService,
} from './steps.ts';

const totals = (page: Page) => page.getByRole('region', { name: 'Totals' }).last();
const digitsOf = (text: string | null): string => /[\d,]+/.exec(text ?? '')?.[0] ?? '';

/** The first member of the list who has dependents: opened, named. */
async function openFamily(page: Page): Promise<string> {
  const rows = await openList(page, 'Members');
  await rows.nth(1).dblclick();
  for (let tried = 0; tried < 40; tried += 1) {
    const family = page.getByRole('region', { name: /^Dependents \([1-9]/ });
    await expect(page.getByRole('region', { name: /^Dependents \(/ })).toBeVisible();
    if (await family.isVisible()) return (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    const before = await page.getByRole('heading', { level: 1 }).textContent();
    await pressKey(page, 'j');
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(before ?? '');
  }
  throw new Error('No member of the sample has dependents.');
}

test('a member on the phone: found, their family’s sentence read, the call logged, and still there later', async ({
  page,
}) => {
  await exploreSample(page);
  const name = await openFamily(page);
  await goTo(page, 'Insights');
  await pressKey(page, 'ControlOrMeta+k');
  await page.keyboard.type(name);
  const chosen = page.getByRole('dialog', { name: 'Search or jump to' }).locator('[data-selected]');
  await expect(chosen).toContainText(name);
  await pressKey(page, 'Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const progress = page.getByRole('region', {
    name: /^(Deductible and out-of-pocket progress|Reimbursement account)$/,
  });
  await expect(progress.getByRole('paragraph').first()).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Log this call' })).toBeInViewport();

  const logCall = async (words: string) => {
    await pressKey(page, 'l');
    await expect(page.getByRole('textbox', { name: 'What the call was about' })).toBeFocused();
    await page.keyboard.type(words);
    await pressKey(page, 'ControlOrMeta+Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await logCall('Asked why the EOB shows a copay.');
  await expect(page.getByText(/✓ Logged call, (?!member)\S/)).toBeVisible();
  const calls = page.getByRole('region', { name: /^Calls/ });
  await expect(calls).toContainText(/Today, .* by .* · Open claims?: \d+/);
  await logCall('By mistake');
  await expect(calls).toContainText('By mistake');
  await page.getByRole('heading', { level: 1, name }).focus();
  await pressKey(page, 'ControlOrMeta+z');
  await expect(calls).not.toContainText('By mistake');

  await page.reload();
  await expect(calls).toContainText('Asked why the EOB shows a copay.');
  const claim = calls.getByRole('link').first();
  const number = (await claim.textContent()) ?? '';
  await claim.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(number);
  const notes = page.getByRole('region', { name: 'Notes (1)' });
  await expect(notes).toContainText('Asked why the EOB shows a copay.');
  await notes.getByRole('link', { name: 'call with the member' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const command = await findInPalette(page, 'Log this call');
  await command.filter({ hasText: 'Log this call' }).first().click();
  await expect(page.getByRole('dialog', { name: `Call with ${name}` })).toBeVisible();
});

test('a day offline: a member is found, then the family and their claims; figures open into their rows', async ({
  page,
}) => {
  await exploreSample(page);
  const name = await openFamily(page);
  const beyond = await page.evaluate(
    () => document.documentElement.scrollHeight - document.documentElement.clientHeight,
  );
  expect(beyond, 'the window does not scroll beside its page').toBeLessThanOrEqual(0);
  await test.step('a caller is found, verified and answered in under ten keys', async () => {
    await openList(page, 'Members');
    const cell = (column: string) =>
      page.locator(`.ag-row[row-index="4"] .ag-cell[col-id="${column}"]`).innerText();
    const [id, first, last] = await Promise.all([cell('id'), cell('first_name'), cell('last_name')]);
    const born = await cell('date_of_birth');
    await goTo(page, 'Insights');
    await expect(page.getByRole('heading', { level: 1, name: 'Insights' })).toBeVisible();
    const keys: string[] = [];
    const press = async (key: string) => {
      keys.push(key);
      await pressKey(page, key);
    };
    await press('ControlOrMeta+k');
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    await expect(palette.getByRole('textbox')).toBeFocused();
    for (const letter of `${last.slice(0, 3)} ${first.slice(0, 2)}`) await press(letter);
    const caller = palette.getByRole('button').filter({ hasText: `Record no. ${id}` });
    await expect(caller).toContainText(born);
    const chosen = palette.locator('[data-selected]');
    await expect(chosen).toHaveCount(1);
    while (!(await chosen.innerText()).includes(`Record no. ${id}`)) await press('ArrowDown');
    await press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(last);
    // Who it is, and what the call is about, without another key.
    const main = page.getByRole('main');
    await expect(main.getByText(born).first()).toBeInViewport();
    await expect(main.getByText(id, { exact: true }).first()).toBeInViewport();
    await expect(page.getByRole('region', { name: 'This plan year', exact: true })).toBeInViewport();
    expect(keys.length, keys.join(' ')).toBeLessThan(10);
  });
  await setSampleService(page, false);
  await test.step('found by name in the palette', async () => {
    await (await findInPalette(page, name)).filter({ hasText: name }).first().click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    const family = page.getByRole('region', { name: /^Dependents \(/ });
    const dependent = (await family.getByRole('link').first().textContent()) ?? '';
    const found = await findInPalette(page, dependent);
    await expect(found.filter({ hasText: `Dependent of ${name}` }).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  await test.step('plan years add up to all claims, and open into exactly theirs', async () => {
    const years = page.getByRole('table', { name: 'Claims by plan year' });
    await page.getByText('All plan years').click();
    await expect(years.getByRole('row').last()).toContainText('All years');
    // Two rows of heads come before it.
    const cells = await years.getByRole('row').nth(2).getByRole('cell').allInnerTexts();
    const [year = '', count = '', billed = ''] = cells;
    await years.getByRole('button', { name: year, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Claims' })).toBeVisible();
    await expect(totals(page).getByRole('status').first()).toHaveText(new RegExp(`^${count} claim`));
    await expect(totals(page)).toContainText(billed);
    await page.goBack();
  });
  await test.step('a dependent, and the claims that name them', async () => {
    const family = page.getByRole('region', { name: /^Dependents \([1-9]/ });
    await family.getByRole('link').first().click();
    await expect(page.getByRole('region', { name: 'Member and contact' })).toBeVisible();
    await expect(page.getByText('Matched by name').last()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Carrier connections' })).toContainText(
      `Of ${name}, the subscriber`,
    );
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  });
  await test.step('each carrier connection of the member stands once, and opens its claims', async () => {
    const connections = page.getByRole('region', { name: 'Carrier connections' });
    await expect(connections.getByText('Working').first()).toBeVisible();
    await expect(page.getByText('Claims by carrier connection')).toHaveCount(0);
    const count = /(\d+) claims? synced/.exec(await connections.innerText())?.[1];
    await connections
      .getByRole('button', { name: /^Show claims: / })
      .first()
      .click();
    await expect(totals(page).getByRole('status').first()).toHaveText(new RegExp(`^${count} claim`));
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  });
  await test.step('the employer, its carriers, and one press to its claims', async () => {
    const employer = page.getByRole('region', { name: 'Employer' }).getByRole('link').first();
    const employerName = (await employer.textContent()) ?? '';
    await employer.click();
    await expect(page.getByRole('heading', { level: 1, name: employerName })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Carriers' })).toBeVisible();
    const all = page.getByRole('table', { name: 'Claims by plan year' }).getByRole('row').last();
    await expect(all).toContainText('All years');
    const [, count = ''] = await all.getByRole('cell').allInnerTexts();
    await page.getByRole('button', { name: 'Show claims' }).click();
    await expect(totals(page).getByRole('status').first()).toHaveText(new RegExp(`^${count} claim`));
    await expect(page.getByRole('list', { name: 'Filters' })).toContainText(employerName);
  });
  await test.step('an insight opens into its rows, and the sums are the same', async () => {
    await goTo(page, 'Insights');
    await page.getByRole('combobox', { name: 'Figure' }).selectOption('Billed');
    for (const chart of ['Top providers', 'Top employers']) {
      const table = page.getByRole('table', { name: chart });
      const row = table.getByRole('row').nth(1);
      await expect(row).toBeVisible();
      const [label = '', billed = '', count = ''] = await row.getByRole('cell').allInnerTexts();
      // The row is found by its name: the rows may still change their order.
      await table.getByRole('button', { name: label, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Claims' })).toBeVisible();
      await expect(totals(page).getByRole('status').first(), `${chart}: ${label}`).toHaveText(
        new RegExp(`^${count} claim`),
      );
      await expect(totals(page)).toContainText(`Billed${billed}`);
      await page.goBack();
      await expect(page.getByRole('combobox', { name: 'Figure' })).toHaveValue('billed');
    }
    await test.step('charts as tables: months, and the pending claims of every age', async () => {
      const months = page.getByRole('region', { name: 'Billed by month of service', exact: true });
      await expect(months.getByRole('img').first()).toHaveAccessibleName(/Last 12 months \$/);
      await months.getByRole('button', { name: 'Show as table' }).click();
      const month = months.getByRole('button', { name: /^Show claims: .*Last 12 months/ }).first();
      const billed = await month.innerText();
      await month.click();
      await expect(totals(page)).toContainText(`Billed${billed}`);
      await page.goBack();
      const pending = page.getByRole('region', { name: 'Pending claims by age', exact: true });
      await pending.getByRole('button', { name: 'Show as table' }).click();
      const ages = pending.getByRole('row').filter({ has: page.getByRole('button') });
      await expect(ages.first()).toBeVisible();
      let sum = 0;
      for (let at = 0; at < (await ages.count()); at += 1) {
        const shown = await ages.nth(at).getByRole('button').innerText();
        await ages.nth(at).getByRole('button').click();
        await expect(totals(page).getByRole('status').first()).toHaveText(new RegExp(`^${shown} claim`));
        await page.goBack();
        await expect(ages.nth(at)).toBeVisible();
        sum += Number(shown);
      }
      await expect(pending).toContainText(`${sum} claim`);
    });
  });
  await test.step('tenants', async () => {
    await goTo(page, 'Tenants');
    await page.getByRole('table', { name: 'tenants' }).getByRole('link').first().click();
    await expect(page.getByRole('region', { name: 'Vendor tenants' })).toBeVisible();
  });
  await test.step('only a refresh needs the service, and says so', async () => {
    await (await findInPalette(page, name)).filter({ hasText: name }).first().click();
    await page.getByRole('button', { name: 'Refresh member', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Couldn’t refresh this member' });
    await expect(notice).toContainText('service.unreachable', { timeout: 60_000 });
    await expect(notice.getByRole('button', { name: 'Copy details' })).toBeVisible();
  });
});

test('privacy mode: no date of birth, diagnosis or remark is anywhere on the page, until it is switched off', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  const cells = async (column: string): Promise<string[]> => {
    const found = await page.locator(`[role="gridcell"][col-id="${column}"]`).allInnerTexts();
    return found.filter((text) => text.length > 2 && text !== '–');
  };
  const readClaim = async (): Promise<string> => {
    await (await openList(page, 'Claims')).nth(2).dblclick();
    await expect(page.getByRole('region', { name: 'Amount details' })).toBeVisible();
    await page.getByText('Raw data').click();
    return page.getByRole('main').innerText();
  };
  // Letter, two digits, point: as ICD-10 writes a diagnosis.
  const diagnoses = (await readClaim()).match(/\b[A-TV-Z]\d\d\.\d{1,4}\b/g) ?? [];
  await openList(page, 'Members');
  const births = await cells('date_of_birth');
  expect(births.length).toBeGreaterThan(5);
  expect(diagnoses.length).toBeGreaterThan(0);
  const secrets = [...new Set([...births, ...diagnoses])];

  const expectNothing = async (where: string): Promise<void> => {
    const html = await page.content();
    expect(
      secrets.filter((secret) => html.includes(secret)),
      where,
    ).toEqual([]);
  };
  const toggle = page.getByRole('button', { name: 'Privacy mode', exact: true });
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('••••').first()).toBeVisible();
  await expectNothing('members');
  await openFamily(page);
  await page.getByText('Raw data').click();
  await expectNothing('a member');
  await expect(page.getByRole('button', { name: /^Show the SSN/ }).first()).toBeDisabled();
  await (await openList(page, 'Dependents')).first().dblclick();
  await expect(page.getByRole('region', { name: 'Member and contact' })).toBeVisible();
  await expectNothing('a dependent');
  await readClaim();
  await expectNothing('a claim');
  await openList(page, 'Claim lines');
  await expectNothing('claim lines');

  await test.step('it survives a new window, and goes off by the palette', async () => {
    await page.reload();
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await openList(page, 'Members');
    await expectNothing('members after a reload');
    await (await findInPalette(page, 'privacy mode')).filter({ hasText: 'Turn off privacy mode' }).click();
    await expect(toggle).toHaveAttribute('aria-pressed', 'false');
    await openList(page, 'Members');
    // More rows may fit than while a notice stood below them.
    await expect(async () =>
      expect(await cells('date_of_birth')).toEqual(expect.arrayContaining(births)),
    ).toPass();
  });
});

test.describe('at a real service', () => {
  test.use(ownWorkspace);

  test('an SSN is shown by a deliberate press, alone, for seconds, and written down; a whole one is found', {
    tag: '@long',
  }, async ({ app, page }) => {
    const service = await startSampleService({ members: 40, claims: 60, seed: 7 });
    try {
      await connectWorkspace(page, {
        baseUrl: service.baseUrl,
        email: service.email,
        register: (publicKey) => service.register('Claimdesk', publicKey),
      });

      await openFamily(page);
      const whole = page.getByText(/^\d{3}-\d{2}-\d{4}$/);
      const show = page.getByRole('button', { name: /^Show the SSN/ });
      await expect(whole).toHaveCount(0);
      await page
        .getByRole('region', { name: 'Identity' })
        .getByRole('button', { name: /^Show the SSN/ })
        .click();
      await expect(whole).toHaveCount(1);
      const ssn = (await whole.textContent()) ?? '';
      await expect(page.getByRole('region', { name: 'Identity' })).toContainText(ssn);
      const memberId = digitsOf(new URL(page.url()).hash.replace('#/members/', ''));

      await test.step('another hides the first; leaving hides it; so does time', async () => {
        const others = await show.count();
        if (others > 0) {
          await show.first().click();
          await expect(whole).toHaveCount(1);
          await expect(page.getByText(ssn)).toHaveCount(0);
        }
        await goTo(page, 'Sync');
        await page.goBack();
        await expect(show.first()).toBeVisible();
        await expect(whole).toHaveCount(0);
        await show.first().click();
        await expect(whole).toHaveCount(1);
        await expect(whole).toHaveCount(0, { timeout: 12_000 });
      });
      await test.step('found by the whole number, which is in no address', async () => {
        await openList(page, 'Members');
        const box = page.getByRole('textbox', { name: 'Search members' });
        await box.fill(ssn);
        await expect(totals(page).getByRole('status').first()).toHaveText('1 member');
        expect(page.url()).not.toContain(ssn.slice(-4));
        await box.fill('');
        await expect(await findInPalette(page, ssn.replaceAll('-', ''))).toHaveCount(1);
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL(new RegExp(`/members/${memberId}\\b`));
      });
      await test.step('the audit log has each of it, and no number', async () => {
        const profile = join(dirname(app.downloadsDir), 'profile');
        const audit = await runCli(['audit', 'list'], { profile });
        expect(audit.code, audit.stderr).toBe(0);
        const entries = readLines(audit) as { action: string; details: Record<string, unknown> }[];
        const revealed = entries.filter(({ action }) => action === 'ssn.revealed');
        expect(revealed.length).toBeGreaterThanOrEqual(2);
        expect(revealed.at(-1)?.details).toEqual({ list: 'members', count: 1, recordId: Number(memberId) });
        expect(entries.some(({ action }) => action === 'ssn.searched')).toBe(true);
        for (const form of [ssn, ssn.replaceAll('-', '')]) expect(audit.stdout).not.toContain(form);
      });
    } finally {
      await service.close();
    }
  });
});
