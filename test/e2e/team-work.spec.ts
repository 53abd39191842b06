import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import { claimTitle, openSettings, ownWorkspace, pressKey } from './steps.ts';
import { button, line, openTeamOf, test } from './team-steps.ts';

test.use(ownWorkspace);

const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    window.location.hash = to;
  }, hash);
const review = (page: Page) => page.getByRole('region', { name: 'Review', exact: true });
const rows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
const part = (page: Page, name: string) => page.getByRole('region', { name });
const owners = (page: Page) => page.getByRole('radiogroup', { name: 'Owner' });
const opener = (page: Page) => page.getByRole('status').filter({ hasText: / opened it / });
const eligible = (page: Page) => review(page).getByRole('button', { name: /^Eligible/ });

async function openRow(page: Page, at: number): Promise<void> {
  await goTo(page, '#/worklists/toDecide');
  // A row is drawn before its record is there, and does nothing until then.
  await expect(rows(page).nth(at)).toContainText(/\d/);
  await rows(page).nth(at).dblclick();
  await expect(claimTitle(page)).toBeVisible();
}

/** The claim on the page, by itself. */
const addressOf = async (page: Page): Promise<string> =>
  (await page.evaluate(() => window.location.hash)).split('?')[0] ?? '';

/**
 * Decides one claim after the other by a key, in turns, until the list ends for each; returns what each was shown. Who
 * presses at the same time is in `test/integration/team/leases.test.ts`: three windows on two cores do not keep the
 * second that a next claim waits for the team's server.
 */
async function workDown(pages: readonly Page[]): Promise<string[][]> {
  const shown = pages.map((): string[] => []);
  const working = new Set(pages);
  while (working.size > 0)
    for (const page of working) {
      const isOver = page.getByText('End of the list');
      await expect(eligible(page)).toBeEnabled();
      const title = (await claimTitle(page).textContent()) ?? '';
      shown[pages.indexOf(page)]?.push(title);
      await pressKey(page, '1');
      await expect(claimTitle(page).filter({ hasNotText: title }).or(isOver).first()).toBeVisible();
      if (await isOver.isVisible()) working.delete(page);
    }
  return shown;
}

test(
  'three people share a worklist, disagree and settle, import one payments file, lose a member and remove claims',
  {
    tag: '@long',
  },
  async ({ app, page, server }, info) => {
    test.setTimeout(600_000);
    const team = await openTeamOf({ app, page, server }, ['ben', 'cleo']);
    try {
      const [ben, cleo] = team.others as [Page, Page];
      let id = '';

      await test.step('decided offline by both, side by side when they are back, settled by a key', async () => {
        await openRow(page, 0);
        const address = await addressOf(page);
        [id = ''] = /\d+$/.exec(address) ?? [];
        await goTo(page, address);
        await goTo(ben, address);
        await server.end();
        for (const window of [page, ben]) {
          await expect(line(window, /^Team: offline/)).toBeVisible({ timeout: 90_000 });
          await expect(review(window)).toContainText('Undecided');
        }
        await pressKey(page, '1');
        await expect(review(page)).toContainText('Eligible');
        await pressKey(ben, '3');
        await expect(line(ben, 'Team: offline, 1 to send')).toBeVisible();
        await server.startAgain();
        for (const window of [page, ben]) {
          await expect(part(window, 'Decided twice')).toBeVisible({ timeout: 90_000 });
          await expect(part(window, 'Decided twice')).toContainText('Confirm theirs');
        }
        await judge(page, 'decided-twice');
        await pressKey(page, '8');
        for (const window of [page, ben]) await expect(part(window, 'Decided twice')).toHaveCount(0);
        await goTo(page, '#/worklists/decidedTwice');
        await expect(page.getByText('Nothing to do here.')).toBeVisible();
        await expect(page.getByRole('main').getByRole('button', { name: 'Sync now' })).toHaveCount(0);
      });

      await test.step('the second person who imports a payments file hears what is there, by whom', async () => {
        const file = info.outputPath('payments.csv');
        await writeFile(file, `claim,amount,date\n${id},12.50,2026-11-02\n`);
        const read = async (window: Page) => {
          await goTo(window, '#/worklists/toPay');
          await button(window, 'Import payments…').click();
          await window.locator('input[type=file]').setInputFiles(file);
          await button(window, 'Match payments').click();
        };
        await read(page);
        await button(page, 'Record 1 payment').click();
        await expect(page.getByText('Payments recorded for 1 claim.')).toBeVisible();
        await button(page, 'Done').click();
        await expect(async () => {
          await read(ben);
          const said = ben.getByText(/^Recorded before by admin@sandbox\.example on \d/);
          await expect(said)
            .toBeVisible({ timeout: 3_000 })
            .finally(() => button(ben, 'Cancel').click());
        }).toPass({ timeout: 60_000 });
      });

      await test.step('two open one claim: each is told of the other and who was first, also where it is decided', async () => {
        await openRow(ben, 1);
        const address = await addressOf(ben);
        await goTo(page, '#/worklists/toDecide');
        const [number = ''] = /\d+$/.exec(address) ?? [];
        const name = `${number} ben@sandbox.example has it open`;
        await expect(page.getByRole('main').getByRole('gridcell', { name })).toBeVisible();
        await judge(page, 'worklist-with-open-claim');
        await goTo(page, address);
        await expect(opener(page)).toHaveText('ben@sandbox.example opened it first');
        await expect(opener(ben)).toHaveText('admin@sandbox.example opened it as well');
        await judge(page, 'claim-open-elsewhere');
        await pressKey(page, '1');
        await expect(page.getByText(`Claim ${number} is open elsewhere`)).toBeVisible();
        await goTo(page, '#/worklists/toDecide');
        await expect(opener(ben)).toHaveCount(0);
      });

      await test.step('two work down the list by keys and never meet; the third sees the count fall to nothing', async () => {
        await goTo(page, '#/claims');
        await goTo(page, '#/worklists/toDecide');
        const count = async () => Number(/All ([\d,]+)/.exec((await owners(page).textContent()) ?? '')?.[1]);
        await expect.poll(count).toBeGreaterThanOrEqual(60);
        const claims = await count();
        await openRow(ben, 0);
        await openRow(cleo, 2);
        const shown = (await workDown([ben, cleo])).flat();
        expect(shown.toSorted(), 'each once').toEqual([...new Set(shown)].toSorted());
        expect(shown).toHaveLength(claims);
        await expect.poll(count, { timeout: 30_000 }).toBe(0);
        await expect(page.getByRole('img', { name: /has it open/ })).toHaveCount(0);
      });

      await test.step('a worklist is assigned, and each sees their own part', async () => {
        await goTo(page, '#/worklists/denied');
        await expect(owners(page)).toContainText(/All \d+/);
        await button(page, 'Review all…').click();
        await page.getByRole('menuitem', { name: 'Assign to people…' }).click();
        await expect(page.getByRole('dialog')).toContainText('ben@sandbox.example');
        await judge(page, 'deal-out', { within: '[role=dialog]' });
        await button(page, /^Assign \d+ claims$/).click();
        await expect(owners(page)).toContainText(/Mine [1-9]/, { timeout: 30_000 });
        await expect(owners(page)).toContainText('Unassigned 0');
        await goTo(ben, '#/worklists/denied');
        const mine = ben.getByText(/^Mine [1-9]/);
        await expect(mine).toBeVisible({ timeout: 30_000 });
        await mine.click();
        await judge(ben, 'worklist-of-team');
        await rows(ben).first().dblclick();
        await expect(review(ben)).toContainText('Yours');
        await judge(ben, 'claim-of-team');
      });

      await test.step('a removal is carried out on all three computers', async () => {
        await openSettings(page, 'Team');
        await button(page, 'Remove for the team…').click();
        await page.getByLabel('What to remove').selectOption('claimsBefore');
        await page.getByLabel('Claims with service ending before').fill('2025-06-01');
        await page.getByRole('textbox', { name: 'Reason' }).fill('The contract ended');
        await button(page, 'Preview removal').click();
        await page.getByRole('textbox', { name: 'Type 2025-06-01 to confirm' }).fill('2025-06-01');
        await button(page, 'Remove for the team').click();
        await expect(page.getByRole('list', { name: 'Removals for the team' })).toContainText(
          'all 3 computers',
          {
            timeout: 60_000,
          },
        );
      });

      await test.step('who leaves in the middle keeps nobody from a claim, and hears nothing any more', async () => {
        await goTo(ben, '#/worklists/denied');
        await rows(ben).first().dblclick();
        await expect(review(ben)).toContainText('Yours');
        const address = await addressOf(ben);
        await goTo(cleo, address);
        await expect(opener(cleo)).toHaveText('ben@sandbox.example opened it first');
        await openSettings(page, 'Team');
        await button(page, 'Remove ben@sandbox.example…').click();
        await button(page, 'Remove from team').click();
        await expect(line(ben, /^Team: This computer isn’t in the team/)).toBeVisible({ timeout: 90_000 });
        await expect(opener(cleo)).toHaveCount(0);
        await pressKey(cleo, '1');
        await goTo(page, address);
        await expect(review(page)).toContainText('Eligible');
        await expect(review(ben)).not.toContainText('Eligible by');
      });
    } finally {
      await team.close();
    }
  },
);
