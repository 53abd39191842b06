import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { exploreSample, openList } from './steps.ts';

/** Returns the printed pages as text; `-layout` keeps what is on one line of paper on one line of text. */
async function printPages(page: Page): Promise<string[]> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
  return text.split('\f').slice(0, -1);
}

/** Returns the words, amounts and dates that must be on paper; text for screen readers only is left out. */
const wordsOn = (page: Page, within: string): Promise<string[]> =>
  page.evaluate((selector) => {
    for (const spoken of document.querySelectorAll<HTMLElement>('.mantine-VisuallyHidden-root'))
      spoken.style.display = 'none';
    const cells = [...document.querySelectorAll<HTMLElement>(`${selector} :is(td, th, dd, dt, h1, h2)`)];
    const shown = cells.filter((cell) => cell.checkVisibility({ visibilityProperty: true }));
    return [...new Set(shown.flatMap(({ innerText }) => innerText.split(/\s+/)))].filter((word) =>
      /\w/.test(word),
    );
  }, within);

/** The names of buttons on screen that are no words of a claim. */
async function namesOfButtons(page: Page): Promise<string[]> {
  const names = await page.locator('button:visible, a.mantine-Button-root:visible').allInnerTexts();
  return names
    .map((name) => name.split('\n')[0] ?? '')
    .filter((name) => /…$|^(Add|Back|Save|Sync|Copy) \w/.test(name));
}

/** Every page has its number, and nothing on paper is cut or broken within a word, an amount or a date. */
async function expectOnPaper(page: Page, within: string): Promise<string> {
  const buttons = await namesOfButtons(page);
  expect(buttons.length).toBeGreaterThan(1);
  await page.emulateMedia({ media: 'print' });
  const words = await wordsOn(page, within);
  const pages = await printPages(page);
  await page.emulateMedia({ media: 'screen' });
  for (const [index, text] of pages.entries()) expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
  const all = pages.join('\n');
  const printed = new Set(all.split(/\s+/));
  expect(words.length).toBeGreaterThan(40);
  expect(
    words.filter((word) => !printed.has(word)),
    'broken or cut',
  ).toEqual([]);
  expect(
    buttons.filter((name) => all.includes(name)),
    'buttons on paper',
  ).toEqual([]);
  return all;
}

const totalsIn = (text: string): number => text.match(/^\s*Total\b/gm)?.length ?? 0;

test('a list, a claim and a claim file on paper: pages of pages, one total, no button, no broken word or amount', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await test.step('a list', async () => {
    await openList(page, 'Claims');
    await page.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Export/ });
    await dialog.getByText('Audit', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Print…' }).click();
    await expect(page.locator('[data-print-sheet] tbody tr')).toHaveCount(401);
    const text = await expectOnPaper(page, '[data-print-sheet]');
    expect(totalsIn(text)).toBe(1);
    expect(text).toContain('400 rows.');
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
  await test.step('a claim', async () => {
    await (await openList(page, 'Claims')).nth(1).dblclick();
    await expect(page.getByRole('table', { name: 'Claim lines' })).toBeVisible();
    const text = await expectOnPaper(page, 'main');
    expect(totalsIn(text)).toBe(1);
    expect(text).toMatch(/Claim \d{8}/);
    expect(text, 'its place in the list').not.toContain('of 400');
  });
  await test.step('its claim file', async () => {
    await page.getByRole('link', { name: 'Claim file…' }).click();
    await expect(page.getByRole('region', { name: 'Review history' })).toBeVisible();
    const text = await expectOnPaper(page, 'main');
    expect(totalsIn(text)).toBe(1);
    expect(text).toContain('Review history');
  });
});
