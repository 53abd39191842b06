import type { Page } from '@playwright/test';
import { forkSample } from '../../src/main/lib/sample-process.ts';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { expect } from './app.ts';
import { judge } from './axe.ts';
import { claimTitle, connectWorkspace, ownWorkspace } from './steps.ts';
import { makeTeam, test } from './team-steps.ts';

test.use(ownWorkspace);

const claimsEach = 10;

const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    window.location.hash = to;
  }, hash);
const rows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
const eligible = (page: Page) =>
  page
    .getByRole('region', { name: 'Review', exact: true })
    .getByRole('button', { name: 'Eligible', exact: true });
const chip = (page: Page) => page.getByRole('status').filter({ hasText: / opened it / });

async function openRow(page: Page, at: number): Promise<void> {
  await goTo(page, '#/worklists/ready');
  await rows(page).nth(at).dblclick();
  await expect(claimTitle(page)).toBeVisible();
}

/** Decides one claim after the other by a key, and returns the IDs as they were shown. */
async function workDown(page: Page): Promise<string[]> {
  const shown: string[] = [];
  while (shown.length < claimsEach) {
    await expect(eligible(page)).toBeEnabled();
    const title = (await claimTitle(page).textContent()) ?? '';
    shown.push(/\d+/.exec(title)?.[0] ?? '');
    await page.keyboard.press('1');
    await expect(claimTitle(page)).not.toHaveText(title);
  }
  return shown;
}

test('two people work down one worklist with keys only and never meet on a claim; one who opens it all the same is told', {
  tag: '@long',
}, async ({ app, page, server }) => {
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
      launch: (entry, args) => forkSample(entry, [...args, '--port', port, '--email', 'ben@sandbox.example']),
    });
    services.push(second);
    const other = await app.openAnother();
    await connect(other, second);
    await makeTeam(page, other, server);

    await test.step('ten claims each, and none of them twice', async () => {
      await openRow(page, 0);
      await openRow(other, 2);
      const shown = (await Promise.all([workDown(page), workDown(other)])).flat();
      expect(new Set(shown).size, shown.join(' ')).toBe(2 * claimsEach);
    });

    await test.step('a claim that the other has open says by whom, and so does deciding it', async () => {
      const address = (await other.evaluate(() => window.location.hash)).split('?')[0] ?? '';
      await goTo(page, address);
      await expect(chip(page)).toHaveText('ben@sandbox.example opened it first');
      await judge(page, 'claim-open-elsewhere');
      await page.keyboard.press('1');
      const [id = ''] = /\d+$/.exec(address) ?? [];
      await expect(page.getByText(`Claim ${id} is open elsewhere`)).toBeVisible();
    });
  } finally {
    for (const service of services) await service.close();
  }
});
