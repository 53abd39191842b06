import { mkdir } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { exploreSample, goTo, openList } from './steps.ts';

const folder = 'screenshots';

/** These lie over the screen before. */
const overlays = new Set(['export', 'palette', 'key-retire', 'key-import']);

/** Waits until what moves has come to rest. */
async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await page.waitForTimeout(400);
}

/** Legacy mode looks at this page only: there are no frames, and it takes a third of the time. */
async function judge(page: Page, name: string): Promise<void> {
  await settle(page);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect.soft(found, `axe on ${name}`).toEqual([]);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

const openFirst = async (page: Page, list: Parameters<typeof openList>[1]): Promise<void> => {
  await (await openList(page, list)).nth(1).dblclick();
};
const openSettings = (section: string) => async (page: Page) => {
  await goTo(page, 'Settings');
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click();
};

/** Every screen with records behind it, by how a person gets there. */
const screens: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  claims: (page) => openList(page, 'Claims'),
  claim: (page) => openFirst(page, 'Claims'),
  members: (page) => openList(page, 'Members'),
  member: (page) => openFirst(page, 'Members'),
  dependents: (page) => openList(page, 'Dependents'),
  dependent: (page) => openFirst(page, 'Dependents'),
  lines: (page) => openList(page, 'Claim lines'),
  employers: async (page) => {
    await goTo(page, 'Employers');
    await expect(page.getByRole('table', { name: 'employers' })).toBeVisible();
  },
  employer: async (page) => {
    await page.getByRole('table', { name: 'employers' }).getByRole('link').first().click();
    await expect(page.getByRole('table', { name: 'Claims by plan year' })).toBeVisible();
  },
  tenant: async (page) => {
    await goTo(page, 'Tenants');
    await page.getByRole('table', { name: 'tenants' }).getByRole('link').first().click();
    await expect(page.getByRole('table', { name: 'Claims by plan year' })).toBeVisible();
  },
  insights: async (page) => {
    await goTo(page, 'Insights');
    await expect(page.getByRole('table', { name: 'By status' })).toBeVisible();
  },
  sync: (page) => goTo(page, 'Sync'),
  'settings-appearance': openSettings('Appearance'),
  'settings-sync': openSettings('Sync'),
  'settings-privacy': openSettings('Privacy'),
  'settings-keys': openSettings('Keys'),
  'settings-workspaces': openSettings('Workspaces'),
  'settings-data': openSettings('Data on this computer'),
  'settings-doctor': async (page) => {
    await openSettings('Connection doctor')(page);
    await page.getByRole('button', { name: 'Examine the connection' }).click();
    await expect(page.getByRole('list', { name: 'What was looked at' })).toBeVisible();
  },
  key: async (page) => {
    await openSettings('Keys')(page);
    await page.getByRole('link', { name: 'Sample key' }).click();
    await page.getByRole('button', { name: 'Show MD5 and picture' }).click();
    await expect(page.getByRole('figure')).toBeVisible();
  },
  'key-retire': async (page) => {
    await page.getByRole('button', { name: 'Retire this key…' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'key-import': async (page) => {
    await openSettings('Keys')(page);
    await page.getByRole('button', { name: 'Import a key…' }).click();
    await page.getByRole('textbox', { name: 'Or paste the private key' }).fill('ssh-ed25519 AAAA');
    await page.getByRole('button', { name: 'Import key' }).click();
    await expect(page.getByText('The key was not imported')).toBeVisible();
  },
  workspace: async (page) => {
    await openSettings('Workspaces')(page);
    await page.getByRole('main').getByRole('link', { name: 'Sample data' }).click();
    await expect(page.getByRole('region', { name: 'Name and color' })).toBeVisible();
  },
  rotation: async (page) => {
    await page.getByRole('link', { name: 'Rotate the key' }).click();
    await expect(page.getByRole('button', { name: 'Begin the rotation' })).toBeVisible();
  },
  'settings-about': openSettings('About'),
  export: async (page) => {
    await openList(page, 'Claims');
    await page.getByRole('button', { name: 'Export…' }).click();
    await expect(page.getByRole('dialog', { name: /^Export/ })).toBeVisible();
  },
  palette: async (page) => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
};

test.beforeAll(() => mkdir(folder, { recursive: true }));

for (const theme of ['light', 'dark'] as const) {
  test(`every screen in ${theme}: nothing for axe to find, and a picture of each`, async ({ page }) => {
    test.setTimeout(400_000);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.reload();
    await expect(page.getByRole('button', { name: 'Explore sample data' })).toBeVisible();
    await judge(page, `welcome-${theme}`);
    await page.getByRole('link', { name: 'Connect to your service' }).click();
    await expect(page.getByRole('heading', { name: 'Connect to your service' })).toBeVisible();
    await judge(page, `connect-${theme}`);
    await page.goBack();
    await exploreSample(page);
    await page.getByRole('button', { name: 'Close this notice' }).click();
    for (const [name, open] of Object.entries(screens)) {
      await test.step(name, async () => {
        await open(page);
        await judge(page, `${name}-${theme}`);
        if (overlays.has(name)) await page.keyboard.press('Escape');
      });
    }
    await page.getByRole('button', { name: 'Lock now' }).first().click();
    await expect(page.getByRole('heading', { name: 'Claimdesk is locked' })).toBeVisible();
    await judge(page, `locked-${theme}`);
  });
}

test.describe('at 200 % zoom', () => {
  test.use({ options: { members: 60, claims: 400, environment: {}, zoom: 2 } });

  test('nothing is lost: the page does not scroll sideways, every screen can be reached', async ({
    page,
  }) => {
    test.setTimeout(400_000);
    await exploreSample(page);
    await page.getByRole('button', { name: 'Close this notice' }).click();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const [name, open] of Object.entries(screens)) {
        await test.step(`${name}, ${theme}`, async () => {
          await open(page);
          await settle(page);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect.soft(overflow, `sideways scrolling of ${name}`).toBeLessThanOrEqual(0);
          await page.screenshot({ path: `${folder}/${name}-${theme}-200.png` });
          if (overlays.has(name)) await page.keyboard.press('Escape');
        });
      }
    }
  });
});
