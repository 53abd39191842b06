import { expect, test } from './app.ts';
import { exploreAndHold, exploreSample, goTo, nav, openList, openSettings } from './steps.ts';

test('a member is refreshed alone, and the automatic refresh is changed', async ({ page }) => {
  await exploreSample(page);
  await test.step('a member is refreshed', async () => {
    const members = await openList(page, 'Members');
    await members.nth(2).dblclick();
    await page.getByRole('button', { name: 'Refresh member' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: /^(Up to date\. No changes|Refreshed \d+ records?)/ }),
    ).toBeVisible();
  });
  await test.step('the automatic refresh is on until it is changed', async () => {
    await openSettings(page, 'Workspaces');
    const choice = page.getByRole('combobox', { name: 'Refresh automatically' });
    await expect(choice).toHaveValue('Every 30 minutes');
    await choice.click();
    await page.getByRole('option', { name: 'Every hour' }).click();
    await expect(choice).toHaveValue('Every hour');
  });
});

test.describe('the first sync', () => {
  test.use({ options: { members: 100, claims: 12_000, environment: {} } });

  test('a list that nobody works in follows it by itself: under "Up to date" stand the totals of all', {
    tag: '@long',
  }, async ({ app, page }) => {
    const goOn = await exploreAndHold(app);
    const rows = await openList(page, 'Claims');
    const totals = page.getByRole('region', { name: 'Totals' });
    const count = totals.getByRole('status').first();
    // A mouse that rests over the rows is no work in them.
    await rows.first().hover();
    await expect(count).toHaveText(/^[\d,]+ claims$/);
    await expect(count).not.toHaveText('12,000 claims');
    goOn();
    await expect(page.getByText(/^Up to date · synced today/)).toBeVisible({ timeout: 60_000 });
    await expect(count).toHaveText('12,000 claims');
    await expect(totals.getByText('This list has changed.')).toHaveCount(0);
    await expect(nav(page, 'Claims')).toContainText('12,000');
    const billedSum = totals.locator('div', { hasText: /^Billed/ }).locator('dd');
    const billed = await billedSum.innerText();
    await goTo(page, 'Insights');
    const byStatus = page.getByRole('table', { name: 'Top providers' });
    await expect(byStatus).toBeVisible();
    await openList(page, 'Claims');
    await expect(billedSum).toHaveText(billed);
  });
});
