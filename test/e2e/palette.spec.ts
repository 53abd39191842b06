import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { cellAt, exploreSample, goTo, openList } from './steps.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });
const first = (page: Page) => palette(page).locator('[data-action]').first();

/** A name of four letters or more with two neighbors exchanged, as fingers do it. */
const misspell = (word: string): string => `${word.slice(0, -3)}${word.at(-2)}${word.at(-3)}${word.at(-1)}`;

async function openPalette(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette(page)).toBeVisible();
  await page.keyboard.type(typed);
}

test('the palette stays in its place, finds misspelled names, an employer before its members, and commands of the page', async ({
  page,
}) => {
  await exploreSample(page);
  await openList(page, 'Members');
  const textOf = async (row: number, column: string) => (await cellAt(page, row, column).innerText()).trim();
  const people: { given: string; family: string }[] = [];
  for (let row = 0; row < 12; row += 1)
    people.push({ given: await textOf(row, 'first_name'), family: await textOf(row, 'last_name') });
  const isLong = (name: string) => /^[A-Z][a-z]{4,}$/.test(name);
  const person = people.find(({ given, family }) => isLong(given) && isLong(family));
  const employer = await textOf(0, 'employer.name');

  await test.step('it stays in its place, whatever is found', async () => {
    await openPalette(page, '');
    const place = await palette(page).boundingBox();
    for (const letter of 'wilson') {
      await page.keyboard.type(letter);
      expect(await palette(page).boundingBox()).toEqual(place);
    }
    await expect(first(page)).toBeVisible();
    await page.keyboard.type('qqqqqq');
    await expect(palette(page).getByText('No results.')).toBeVisible();
    expect(await palette(page).boundingBox()).toEqual(place);
    // The key that opens it also closes it.
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette(page)).toHaveCount(0);
  });

  await test.step('a person is found by two names with letters that are wrong', async () => {
    const { given = '', family = '' } = person ?? {};
    await openPalette(page, `${misspell(given)} ${misspell(family)}`.toLowerCase());
    await expect(
      palette(page)
        .locator('[data-action]')
        .filter({ hasText: `${given} ${family}` })
        .first(),
    ).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('an employer comes before the members that are found by its name', async () => {
    await openPalette(page, employer.toLowerCase());
    await expect(first(page)).toContainText(`Employer ·`);
    await expect(first(page)).toContainText(employer);
    await page.keyboard.press('Escape');
  });

  await test.step('commands of the open page', async () => {
    await goTo(page, 'Sync');
    await expect(page.getByRole('button', { name: 'Next day' })).toBeEnabled();
    await openPalette(page, 'next day');
    await expect(first(page)).toContainText('Next day');
    await page.keyboard.press('Enter');
    await expect(palette(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Next day' })).toBeVisible();
    await openList(page, 'Claims');
    await openPalette(page, 'export');
    await expect(first(page)).toContainText('Export…');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: /^Export/ })).toBeVisible();
  });
});
