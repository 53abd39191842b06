import { mkdir } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { judge, themes, wear } from './axe.ts';
import {
  closeNotice,
  exploreSample,
  goTo,
  hiddenColumns,
  openList,
  openSettings,
  openWorklist,
  pressKey,
} from './steps.ts';

const folder = 'screenshots';

/** The screens that overlay the one before. */
const overlays = new Set([
  'claims-bulk',
  'claims-bulk-partly',
  'export',
  'palette',
  'key-retire',
  'key-import',
  'import-payments',
  'sort',
  'claims-filters',
]);

/** Checks a screen with axe, and takes a picture of it in each theme. */
async function judgeScreen(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(page.locator('h1:visible').first()).toBeVisible();
  expect.soft((await filledButtons(page)).slice(1), `more than one main button on ${name}`).toEqual([]);
  await judge(page, name, {
    look: async (theme) => {
      expect.soft(await cutLabels(page), `cut in the navigation on ${name}, ${theme}`).toEqual([]);
      await page.screenshot({ path: `${folder}/${name}-${theme}.png` });
    },
  });
}

/** The filled buttons of the page, or of the dialog over it; the first is the main action. */
const filledButtons = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() => {
    const within = document.querySelector('[role="dialog"]') ?? document.body;
    return [...within.querySelectorAll(':is(button, a)[data-variant="filled"]')]
      .filter((one) => one.checkVisibility())
      .map(({ textContent }) => textContent);
  });

/** Names in the navigation that end in an ellipsis, such as one that is bold where it is the page on show. */
const cutLabels = (page: Page): Promise<(string | null)[]> =>
  page
    .getByRole('navigation', { name: 'Main' })
    .locator('a span')
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map(({ textContent }) => textContent),
    );

const openFirst = async (page: Page, list: Parameters<typeof openList>[1]): Promise<void> => {
  await (await openList(page, list)).nth(1).dblclick();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading.filter({ hasNotText: new RegExp(`^${list}$`) })).toBeVisible();
};
type Screens = Readonly<Record<string, (page: Page) => Promise<unknown>>>;

/** The screens of records, by the steps that lead there; some start from the screen before. */
const recordScreens: Screens = {
  start: async (page) => {
    await goTo(page, 'Start');
    await expect(page.getByRole('region', { name: 'Today' })).toContainText('Your reviews');
  },
  worklist: async (page) => {
    await openWorklist(page, 'Duplicates');
  },
  duplicates: async (page) => {
    await page
      .getByRole('main')
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') })
      .first()
      .dblclick();
    await expect(page.getByRole('table', { name: /^Claims \d/ }).first()).toBeVisible();
  },
  claims: (page) => openList(page, 'Claims'),
  'claims-filters': async (page) => {
    await page.getByRole('button', { name: 'Add filter' }).click();
    const values = page.getByRole('group', { name: 'Status' }).getByRole('button');
    await expect(values.first()).toContainText(/\d/);
  },
  'claims-groups': async (page) => {
    await page.getByRole('button', { name: 'Groups' }).click();
    const groups = page.getByRole('complementary', { name: 'Groups' });
    await groups.locator('[data-group]').first().click();
    await expect(groups.getByRole('row', { name: /^Total/ })).toBeVisible();
  },
  'claims-split': async (page) => {
    await page.getByRole('button', { name: 'Close groups' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Split view' }).click();
    const record = page.getByRole('heading', { level: 2, name: /^Claim \d/ });
    await expect(record.or(page.getByText('Not enough space for split view'))).toBeVisible();
  },
  claim: async (page) => {
    const split = page.getByRole('button', { name: 'Split view', pressed: true });
    if (await split.isVisible()) await split.click();
    await openFirst(page, 'Claims');
  },
  'claim-reviewed': async (page) => {
    await pressKey(page, 'c');
    await page.keyboard.type('Missing receipt');
    for (const key of ['Enter', 'k', 'm', 'p']) await pressKey(page, key);
    await expect(page.getByRole('form', { name: 'Add payment' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Not eligible', pressed: true })).toBeVisible();
  },
  'claim-partly': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Reimbursement' }).click();
    await pressKey(page, '2');
    await expect(page.getByRole('form', { name: 'Partly eligible' })).toBeVisible();
  },
  'claim-by-line': async (page) => {
    await page.getByRole('button', { name: 'By line' }).click();
    await expect(page.getByRole('table', { name: 'Eligible by line' })).toBeVisible();
  },
  'claims-bulk': async (page) => {
    await openList(page, 'Claims');
    await page.getByRole('button', { name: 'Review all…' }).click();
    await page.getByRole('menuitem', { name: 'No action', exact: true }).click();
    await expect(page.getByRole('dialog').getByText(/claims, open \$[\d,.]+/)).toBeVisible();
  },
  'claims-bulk-partly': async (page) => {
    await page.getByRole('button', { name: 'Review all…' }).click();
    await page.getByRole('menuitem', { name: 'Partly eligible', exact: true }).click();
    await expect(page.getByRole('dialog').getByText(/eligible of .* by the rules/)).toBeVisible();
  },
  'claim-file': async (page) => {
    await openFirst(page, 'Claims');
    await page.getByRole('link', { name: 'Claim file…' }).click();
    await expect(page.getByRole('region', { name: 'Review history' })).toBeVisible();
  },
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
    await expect(page.getByRole('table', { name: 'Top providers' })).toBeVisible();
  },
  sort: async (page) => {
    await openList(page, 'Members');
    await page.getByLabel('Show archived').check();
    await page.getByRole('button', { name: 'Sort', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Sort' })).toBeVisible();
  },
};

/** All others, in the same way. */
const otherScreens: Screens = {
  connections: async (page) => {
    await goTo(page, 'Connections');
    await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
  },
  'bring-in': async (page) => {
    await page.getByRole('link', { name: 'Add member' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Add member' })).toBeVisible();
  },
  'settings-integration': (page) => openSettings(page, 'Connect'),
  sync: async (page) => {
    await goTo(page, 'Sync');
    await expect(page.getByRole('region', { name: 'Last sync' })).toBeVisible();
  },
  reports: async (page) => {
    await goTo(page, 'Reports');
    await expect(page.getByRole('table', { name: 'Reimbursed against eligible' })).toBeVisible();
  },
  changes: async (page) => {
    await goTo(page, 'What changed');
    await expect(page.getByRole('heading', { level: 1, name: 'What changed' })).toBeVisible();
  },
  'settings-appearance': (page) => openSettings(page, 'Appearance'),
  'settings-reviews': (page) => openSettings(page, 'Reviews'),
  'settings-rules': (page) => openSettings(page, 'Rules'),
  'import-payments': async (page) => {
    await goTo(page, 'To pay');
    await page.getByRole('button', { name: 'Import payments…' }).click();
    await expect(page.getByRole('dialog', { name: 'Import payments' })).toBeVisible();
  },
  'settings-security': (page) => openSettings(page, 'Security'),
  'settings-keys': (page) => openSettings(page, 'Keys'),
  'settings-workspaces': (page) => openSettings(page, 'Workspaces'),
  'settings-data': (page) => openSettings(page, 'Data'),
  'settings-doctor': async (page) => {
    await openSettings(page, 'Doctor');
    await page.getByRole('button', { name: 'Run check' }).click();
    await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible();
  },
  key: async (page) => {
    await openSettings(page, 'Keys');
    await page.getByRole('link', { name: 'Sample key' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sample key' })).toBeVisible();
  },
  'key-retire': async (page) => {
    await page.getByRole('button', { name: 'Retire key…' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'key-import': async (page) => {
    await openSettings(page, 'Keys');
    await page.getByRole('button', { name: 'Import key…' }).click();
    await page.getByRole('textbox', { name: 'Or paste the private key' }).fill('ssh-ed25519 AAAA');
    await page.getByRole('button', { name: 'Import key', exact: true }).click();
    await expect(page.getByText('Couldn’t import the key')).toBeVisible();
  },
  workspace: async (page) => {
    await openSettings(page, 'Workspaces');
    await page.getByRole('main').getByRole('link', { name: 'Sample data' }).click();
    await expect(page.getByRole('region', { name: 'Name and color' })).toBeVisible();
  },
  rotation: async (page) => {
    await page.getByRole('link', { name: 'Rotate key' }).click();
    await expect(page.getByRole('button', { name: 'Start rotation' })).toBeVisible();
  },
  help: async (page) => {
    await page.keyboard.press('F1');
    const topics = page.getByRole('navigation', { name: 'Help topics' });
    const fold = topics.getByText('Topics', { exact: true });
    await expect(topics).toBeVisible();
    if (await fold.isVisible()) await fold.click();
    await topics.getByRole('link', { name: 'Export' }).first().click();
    await expect(page.getByRole('article').getByRole('heading', { name: 'Export' })).toBeFocused();
  },
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

async function checkScreens(page: Page, screens: Screens): Promise<void> {
  await exploreSample(page);
  await closeNotice(page);
  for (const [name, open] of Object.entries(screens)) {
    await test.step(name, async () => {
      await open(page);
      await judgeScreen(page, name);
      if (overlays.has(name)) await page.keyboard.press('Escape');
    });
  }
}

test('screens of records in light and in dark: nothing for axe to find, and a picture of each', {
  tag: '@long',
}, async ({ page }) => {
  test.setTimeout(400_000);
  await judgeScreen(page, 'welcome');
  await page.getByRole('link', { name: 'Connect to your service' }).click();
  await expect(page.getByRole('heading', { name: 'Connect to your service' })).toBeVisible();
  await judgeScreen(page, 'connect');
  await page.goBack();
  await checkScreens(page, recordScreens);
});

test('all other screens in light and in dark: nothing for axe to find, and a picture of each', {
  tag: '@long',
}, async ({ page }) => {
  test.setTimeout(400_000);
  await checkScreens(page, otherScreens);
  await page.getByRole('button', { name: 'Lock now' }).first().click();
  await expect(page.getByRole('heading', { name: 'Claimdesk is locked' })).toBeVisible();
  await judgeScreen(page, 'locked');
});

/** Names, emails and last four digits of people whose records are on lists as high as a window can be. */
async function readPeople(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1920, height: 3000 });
  const cellsOf = (column: string): Promise<string[]> =>
    page.locator(`[role="gridcell"][col-id="${column}"]`).allInnerTexts();
  await openList(page, 'Members');
  const people = [...(await cellsOf('email')), ...(await cellsOf('ssn'))];
  await openList(page, 'Claims');
  people.push(...(await cellsOf('patient_name')), ...(await cellsOf('members.name')));
  await page.setViewportSize({ width: 1280, height: 800 });
  return [...new Set(people)].filter((text) => text.length > 5);
}

test('privacy mode: no name, email or last four of anyone is on any screen or in its title', {
  tag: '@long',
}, async ({ page }) => {
  test.setTimeout(400_000);
  await exploreSample(page);
  await closeNotice(page);
  const people = await readPeople(page);
  expect(people.length).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'Privacy mode', exact: true }).click();
  const { 'settings-doctor': _slow, ...others } = otherScreens;
  const runs = (shown: Page) => goTo(shown, 'Runs');
  const team = (shown: Page) => openSettings(shown, 'Team');
  const screens: Screens = { ...recordScreens, ...others, runs, team };
  for (const [name, open] of Object.entries(screens)) {
    await test.step(name, async () => {
      await open(page);
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      const shown = `${await page.title()} ${await page.content()}`;
      expect
        .soft(
          people.filter((text) => shown.includes(text)),
          name,
        )
        .toEqual([]);
      await page.screenshot({ path: `${folder}/privacy-${name}.png` });
      if (overlays.has(name)) await page.keyboard.press('Escape');
    });
  }
});

test('at 1920 lists use the width, beside groups and a record too, and keep to their space', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await closeNotice(page);
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const name of [
    'start',
    'claims',
    'claims-groups',
    'claims-split',
    'claim',
    'member',
    'insights',
  ] as const) {
    await test.step(name, async () => {
      await recordScreens[name]?.(page);
      await wear(page, 'light');
      if (name.startsWith('claims')) await expectListToFit(page);
      await page.screenshot({ path: `${folder}/${name}-light-1920.png` });
    });
  }
});

/** No column is cut off, and patient and provider have space for a name. */
async function expectListToFit(page: Page): Promise<void> {
  const main = page.getByRole('main');
  expect(await hiddenColumns(page)).toEqual([]);
  for (const [name, minPx] of [
    ['Patient', 130],
    ['Provider', 150],
  ] as const) {
    const box = await main.locator('.ag-header-cell:visible', { hasText: name }).first().boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(minPx);
  }
}

test.describe('at 200 % zoom', () => {
  test.use({ options: { members: 60, claims: 400, environment: {}, zoom: 2 } });

  test('nothing is lost: the page does not scroll sideways, every screen can be reached', {
    tag: '@long',
  }, async ({ page }) => {
    test.setTimeout(400_000);
    await exploreSample(page);
    await closeNotice(page);
    for (const [name, open] of Object.entries({ ...recordScreens, ...otherScreens })) {
      await test.step(name, async () => {
        await open(page);
        await expect(page.locator('h1:visible').first()).toBeVisible();
        await expect(page.getByRole('progressbar')).toHaveCount(0);
        for (const theme of themes) {
          await wear(page, theme);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect.soft(overflow, `sideways scrolling of ${name}, ${theme}`).toBeLessThanOrEqual(0);
          await page.screenshot({ path: `${folder}/${name}-${theme}-200.png` });
        }
        if (overlays.has(name)) await page.keyboard.press('Escape');
      });
    }
  });
});
