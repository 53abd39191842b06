import { expect, test } from './app.ts';
import { findViolations } from './axe.ts';

test('help opens by its key before anything is set up, finds a topic without a network, and leads to others', async ({
  page,
}) => {
  await expect(page.getByRole('heading', { name: 'Welcome to Claimdesk' })).toBeVisible();
  await page.keyboard.press('F1');
  const search = page.getByRole('combobox', { name: 'Search help' });
  await expect(search).toBeFocused();
  await page.context().setOffline(true);

  await page.keyboard.type('lost keychain');
  const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await expect(results.first()).toContainText('A lost keychain');
  await expect(results.first()).toHaveAttribute('aria-selected', 'true');
  expect(await results.first().locator('mark').allTextContents()).toEqual(
    expect.arrayContaining(['lost', 'keychain']),
  );
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const topic = page.getByRole('article');
  const heading = topic.getByRole('heading', { level: 2 });
  await expect(heading).toHaveText('A lost keychain');
  await expect(heading).toBeFocused();
  await expect(topic).toContainText('claimdesk unlock recover');

  await topic.getByRole('link', { name: 'claimdesk unlock recover' }).click();
  await expect(heading).toHaveText('claimdesk unlock');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(heading).toHaveText('A lost keychain');

  await page.keyboard.press('/');
  await page.keyboard.type('privacy mode');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Privacy on the screen');

  await page.keyboard.press('/');
  await page.keyboard.type('lock');
  await page.keyboard.press('ArrowUp');
  await expect(results.last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(results.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(search).toHaveValue('');
  await expect(page.getByRole('navigation', { name: 'Help topics' })).toBeVisible();
});
