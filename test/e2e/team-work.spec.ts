import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { forkSample } from '../../src/main/lib/sample-process.ts';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import { connectWorkspace, ownWorkspace } from './steps.ts';
import { button, line, makeTeam, test } from './team-steps.ts';

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

test(
  'two people decide the same claim offline and settle it, import one payments file, and share a worklist',
  {
    tag: '@long',
  },
  async ({ app, page, server }, info) => {
    test.setTimeout(300_000);
    const records = { members: 50, claims: 300, seed: 7, corpus: 'ordinary' } as const;
    const connect = (window: Page, service: Awaited<ReturnType<typeof startSampleService>>) =>
      connectWorkspace(window, { ...service, register: (key) => service.register('Key', key) });
    const first = await startSampleService(records);
    const services = [first];
    try {
      await connect(page, first);
      // The service of the sample has one account: for the second person another one takes its address.
      await first.stop();
      const { port } = new URL(first.baseUrl);
      const second = await startSampleService({
        ...records,
        launch: (entry, args) =>
          forkSample(entry, [...args, '--port', port, '--email', 'ben@sandbox.example']),
      });
      services.push(second);
      const other = await app.openAnother();
      await connect(other, second);
      await makeTeam(page, other, server);
      let id = '';

      await test.step('decided offline by both, side by side when they are back, settled by a key', async () => {
        await goTo(page, '#/worklists/ready');
        await rows(page).first().dblclick();
        await expect(review(page)).toBeVisible();
        const address = (await page.evaluate(() => window.location.hash)).split('?')[0] ?? '';
        [id = ''] = /\d+$/.exec(address) ?? [];
        await goTo(page, address);
        await goTo(other, address);
        await server.end();
        for (const window of [page, other]) {
          await expect(line(window, /^Team: offline/)).toBeVisible({ timeout: 90_000 });
          await expect(review(window)).toContainText('To do');
        }
        await page.keyboard.press('1');
        await expect(review(page)).toContainText('Eligible');
        await other.keyboard.press('3');
        await expect(line(other, 'Team: offline, 1 to send')).toBeVisible();
        await server.startAgain();
        for (const window of [page, other]) {
          await expect(part(window, 'Decided twice')).toBeVisible({ timeout: 90_000 });
          await expect(part(window, 'Decided twice')).toContainText('Confirm theirs');
        }
        await judge(page, 'decided-twice');
        await page.keyboard.press('8');
        for (const window of [page, other]) await expect(part(window, 'Decided twice')).toHaveCount(0);
        await goTo(page, '#/worklists/decidedTwice');
        await expect(page.getByText('No claims in this worklist.')).toBeVisible();
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
          await read(other);
          const said = other.getByText(/^Recorded before by admin@sandbox\.example on \d/);
          await expect(said)
            .toBeVisible({ timeout: 3_000 })
            .finally(() => button(other, 'Cancel').click());
        }).toPass({ timeout: 60_000 });
      });

      await test.step('a worklist is dealt out, and each sees their own part', async () => {
        await goTo(page, '#/worklists/ready');
        const owners = page.getByRole('radiogroup', { name: 'Owner' });
        await expect(owners).toContainText(/All \d+/);
        await button(page, 'Review all…').click();
        await page.getByRole('menuitem', { name: 'Deal out to people…' }).click();
        await expect(part(page, 'Deal out to people').or(page.getByRole('dialog'))).toContainText(
          'ben@sandbox.example',
        );
        await judge(page, 'deal-out', { within: '[role=dialog]' });
        await button(page, /^Deal out \d+ claims$/).click();
        await expect(owners).toContainText(/Mine [1-9]/, { timeout: 30_000 });
        await expect(owners).toContainText('Unassigned 0');
        await goTo(other, '#/worklists/ready');
        const mine = other.getByText(/^Mine [1-9]/);
        await expect(mine).toBeVisible({ timeout: 30_000 });
        await mine.click();
        await judge(other, 'worklist-of-team');
        await rows(other).first().dblclick();
        await expect(review(other)).toContainText('Yours');
        await judge(other, 'claim-of-team');
      });
    } finally {
      for (const service of services) await service.close();
    }
  },
);
