import { expect, test } from './app.ts';
import { findViolations } from './axe.ts';
import { cellAt, exploreSample, goTo, openList } from './steps.ts';

test('plan rules are tried and saved, and a member’s page shows where the family stands within ten keys', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await goTo(page, 'Settings');
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Reviews' }).click();
  const form = page.getByRole('region', { name: 'Plan rules' });
  await form.getByLabel('Plan rules for').selectOption('Maple Grove Schools');
  await form.getByRole('button', { name: 'Add rules' }).click();
  await form.getByLabel('This plan has a deductible').check();
  await form.getByLabel('Limit, member alone').fill('500');
  await form.getByLabel('Limit, person within a family').fill('500');
  await form.getByLabel('Limit, whole family').fill('1000');
  await form.getByLabel('The account pays by layers or up to a limit').check();
  await form.getByLabel('Family, layer 1: the next').fill('50');
  await form.getByLabel('Member alone, layer 1: the next').fill('50');
  await form.getByRole('button', { name: 'Try on past claims' }).click();
  await expect(form.getByRole('status')).toContainText('Nothing is saved yet.');
  await expect(form.getByRole('status')).toContainText(/^[1-9]\d* claims of [1-9]\d* families/);
  await form.getByText('Claims that would change').click();
  await expect(form.getByRole('table', { name: 'Claims that would change' })).toContainText('$0.00');
  expect(await findViolations(page)).toEqual([]);
  const save = form.getByRole('button', { name: 'Save plan rules' });
  await save.click();
  await expect(save).toBeDisabled();

  await openList(page, 'Members');
  const rows = page.locator('.ag-row', { hasText: 'Maple Grove Schools' });
  const row = Number(await rows.first().getAttribute('row-index'));
  const last = (await cellAt(page, row, 'last_name').innerText()).trim();
  const typed = last.slice(0, 6).toLowerCase();
  // The slash and Enter twice make this nine keys at most.
  await page.keyboard.press('/');
  await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
  await expect(cellAt(page, 0, 'last_name')).toHaveText(last);
  await expect(page.locator('.ag-cell:focus')).toHaveCount(1);
  await page.keyboard.press('Enter');
  const family = page.getByRole('region', { name: 'Deductible and out-of-pocket progress', exact: true });
  await expect(family).toContainText('Deductible');
  // The card's summary is in view; its tables and how they are computed are folded.
  await expect(family.getByRole('region', { name: /^Deductible/ })).toBeInViewport();
  await family.getByText('All limits by person').click();
  await expect(family).toContainText('Computed from the family’s claims in the order');
  // While it fades, its text has too little contrast.
  await expect(page.getByText('Sync complete')).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);

  // From a claim to the plan year that it is in.
  await family.getByText('Claims in the order of processing').click();
  const claims = family.getByRole('table', { name: 'Claims in the order of processing' });
  await claims.getByRole('link').first().click();
  await page.getByRole('link', { name: 'Limits', exact: true }).click();
  await expect(family).toContainText('As of the last full sync');
});
