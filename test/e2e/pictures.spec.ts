import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { encodePalettePng } from '../support/palette-png.ts';
import { expect, test } from './app.ts';
import {
  cellAt,
  claimTitle,
  closeNotice,
  comeBack,
  exploreSample,
  goTo,
  openList,
  openSettings,
  openWorklist,
  pressKey,
  readCount,
  worklists,
} from './steps.ts';

/*
 * The pictures of the README and of the guide. `CLAIMDESK_PICTURES=docs/pictures` writes them there; without it they go
 * beside those of all screens.
 */
const folder = process.env.CLAIMDESK_PICTURES ?? 'screenshots/documents';
/** The first screens show the pictures of a claim, and the README the dark one. */
const claimFolder = process.env.CLAIMDESK_PICTURES === undefined ? folder : 'src/renderer/public';
const maxBytes = 150_000;

test.beforeAll(() => mkdir(folder, { recursive: true }));

/** Chromium has it; the types do not yet. */
type Encodable = Uint8Array & { toBase64(): string };

/** Writes what the window shows, in the few colors that it has. */
async function takePicture(
  page: Page,
  name: string,
  theme: 'light' | 'dark' = 'light',
  into = folder,
): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(page.getByText(/^Loading /)).toHaveCount(0);
  // Nothing is under the pointer.
  await page.mouse.move(0, 0);
  const png = await page.screenshot({ animations: 'disabled' });
  const blank = await page.context().newPage();
  const { width, height, pixels } = await blank.evaluate(async (data) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(picture, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, canvas.width, canvas.height);
    return {
      width: canvas.width,
      height: canvas.height,
      pixels: (new Uint8Array(bytes) as Encodable).toBase64(),
    };
  }, png.toString('base64'));
  await blank.close();
  const written = encodePalettePng(width, height, Buffer.from(pixels, 'base64'));
  expect(written.length, `bytes of ${name}`).toBeLessThan(maxBytes);
  await writeFile(`${into}/${name}.png`, written);
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Opens the claim that To decide begins with. */
async function openFirstReady(page: Page): Promise<void> {
  await openWorklist(page, 'To decide');
  await cellAt(page, 0, 'id').click();
  await expect(claimTitle(page)).toBeVisible();
  const review = page.getByRole('region', { name: 'Review', exact: true });
  await expect(review.getByRole('button', { name: /^Eligible/ })).toBeEnabled();
}

test.describe('of the README', () => {
  test.use({ options: { members: 300, claims: 2000, environment: {} } });

  test('one picture of each main screen, and its five minutes to the first reviewed claim', {
    tag: '@long',
  }, async ({ page }) => {
    await exploreSample(page);
    await closeNotice(page);
    await openList(page, 'Claims');
    await readCount(page);
    await expect(worklists(page).getByRole('link', { name: /^Denied [1-9]/ })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Totals' })).toContainText('Open');
    await takePicture(page, 'claims');
    await goTo(page, 'Insights');
    await expect(page.getByRole('table', { name: 'Top providers' })).toBeVisible();
    await takePicture(page, 'insights');
    await goTo(page, 'Connections');
    await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
    await takePicture(page, 'connections');
    await goTo(page, 'Start');
    await expect(page.getByRole('region', { name: 'Today' })).toContainText('Your reviews');
    await takePicture(page, 'start');

    await test.step('the first reviewed claim, as the README says', async () => {
      await openFirstReady(page);
      for (const theme of ['light', 'dark'] as const)
        await takePicture(page, `claim-${theme}`, theme, claimFolder);
      const first = await claimTitle(page).innerText();
      await pressKey(page, '1');
      await expect(claimTitle(page)).not.toHaveText(first);
      await pressKey(page, 'ControlOrMeta+z');
      await expect(page.getByText(/^Eligible, claim \d+$/)).toBeVisible();
      await expect(claimTitle(page)).toHaveText(first);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('heading', { level: 1, name: 'To decide' })).toBeVisible();
      await expect(button(page, 'Export…')).toBeVisible();
      await page.keyboard.press('F1');
      await expect(page.getByRole('article').getByRole('heading', { name: "A day's review" })).toBeVisible();
    });
  });
});

test.describe('of the guide', () => {
  test.use({
    // No keychain: a profile is opened by its passphrase.
    options: { members: 1, claims: 1, environment: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' } },
  });

  test('from the first run to leaving a computer', { tag: '@long' }, async ({ page }) => {
    const service = await startSampleService({
      members: 60,
      claims: 400,
      corpus: 'ordinary',
      today: '2026-11-20',
    });
    try {
      await page.getByRole('link', { name: 'Connect to your service' }).click();
      for (const name of ['Unlock passphrase', 'Confirm passphrase'])
        await field(page, name).fill('correct horse battery staple');
      await button(page, 'Set passphrase').click();
      await expect(button(page, 'Print')).toBeVisible();
      const recoveryCode = await page.getByText(/^(\w{4}-){7}\w{4}$/).textContent();
      await takePicture(page, 'guide-recovery');
      await page.getByRole('checkbox').check();
      await button(page, 'Continue').click();

      await field(page, 'Service URL').fill(service.baseUrl);
      await field(page, 'Account email').fill(service.email);
      await field(page, 'Workspace name').fill('Front desk');
      await page.keyboard.press('Enter');
      await button(page, 'Make key').click();
      const registration = page.getByRole('region', { name: 'Registration' });
      await expect(registration).toBeVisible();
      await takePicture(page, 'guide-first-run');
      const publicKey = await page
        .getByText(/^ssh-ed25519 /)
        .first()
        .textContent();
      await service.register('Front desk', (publicKey ?? '').trim());
      await comeBack(page);
      await button(page, 'Start first sync').click();
      await expect(page.getByText(/Sync complete/).first()).toBeVisible({ timeout: 60_000 });
      await closeNotice(page);

      await page.getByRole('link', { name: 'Go to Start' }).click();
      await openFirstReady(page);
      await takePicture(page, 'guide-review');
      await openList(page, 'Claims');
      await button(page, 'Export…').click();
      await expect(page.getByRole('dialog', { name: /^Export/ })).toBeVisible();
      await page.getByRole('dialog').locator('span').getByText('Accounting', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'Sign the file' }).check();
      await expect(button(page, /^Save file…?$/)).toBeEnabled();
      await takePicture(page, 'guide-export');
      await page.keyboard.press('Escape');

      await openSettings(page, 'Workspaces');
      await page.getByRole('main').getByRole('link', { name: 'Front desk', exact: true }).first().click();
      await page.getByRole('link', { name: 'Rotate key' }).click();
      await button(page, 'Start rotation').click();
      await expect(page.getByText(/^ssh-ed25519 /).first()).toBeVisible();
      await takePicture(page, 'guide-keys');

      await service.close();
      await button(page, 'Sync now').first().click();
      await openList(page, 'Claims');
      await expect(page.getByText(/Offline/).first()).toBeVisible();
      await closeNotice(page);
      await takePicture(page, 'guide-offline');

      await openSettings(page, 'Data');
      await field(page, 'Type “remove everything” to confirm').fill('remove everything');
      await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
      await takePicture(page, 'guide-leaving');

      await page.keyboard.press('ControlOrMeta+Shift+L');
      await button(page, 'Use recovery code').click();
      await field(page, 'Recovery code').fill(recoveryCode ?? '');
      for (const name of ['New passphrase', 'Confirm passphrase'])
        await field(page, name).fill('another long passphrase');
      await takePicture(page, 'guide-lost-keychain');
      await button(page, 'Unlock').click();
      await openList(page, 'Claims');
    } finally {
      await service.close();
    }
  });
});
