import { expect, test } from './app.ts';
import { exploreSample, goTo, openList } from './steps.ts';

test('the sync page tells what a proof covers, and offers only what makes sense', async ({ page }) => {
  await exploreSample(page);
  await test.step('the receipt', async () => {
    await goTo(page, 'Sync');
    const receipt = page.getByRole('region', { name: 'Last sync' });
    await expect(receipt).toContainText('Proven complete');
    await expect(receipt).toContainText(/Two full reads of \d+ members and \d+ claims gave the same records/);
    await expect(receipt).toContainText('is for the next sync');
  });
  await test.step('a quick refresh is greyed, with its reason, and does nothing', async () => {
    const quick = page.getByRole('button', { name: 'Quick refresh' });
    await expect(quick).toHaveAttribute('aria-disabled', 'true');
    await expect(quick).toHaveAccessibleDescription(/do not begin with the newest/);
    await quick.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Running now')).toHaveCount(0);
  });
  await test.step('a member is read anew', async () => {
    const members = await openList(page, 'Members');
    await members.nth(2).dblclick();
    await page.getByRole('button', { name: 'Read anew' }).click();
    await expect(page.getByRole('alert').filter({ hasText: /records? read/ })).toBeVisible();
  });
  await test.step('the automatic refresh is off until it is switched on', async () => {
    await goTo(page, 'Settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Sync' }).click();
    const choice = page.getByRole('combobox', { name: 'Refresh automatically' });
    await expect(choice).toHaveValue('Never');
    await choice.click();
    await page.getByRole('option', { name: 'Every hour' }).click();
    await expect(choice).toHaveValue('Every hour');
  });
});
