import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './app.ts';
import { findViolations } from './axe.ts';
import { cellAt, countOf, exploreSample, goTo } from './steps.ts';

/** The cells of the first sheet, as a program reads them that shares no code with Claimdesk. */
const readSheet = (path: string): string[][] => {
  const program = join(import.meta.dirname, '..', 'integration', 'engine', 'read_xlsx.py');
  const read = JSON.parse(execFileSync('python3', [program, path]).toString()) as { rows: string[][] };
  return read.rows;
};
const amountsOf = (texts: readonly string[]): number =>
  texts.reduce((sum, one) => sum + Math.round(Number(one.replace(/[$,]/g, '')) * 100), 0);

test('claims to pay become a run with a file in a layout made by choosing, and are recorded as reimbursed', async ({
  app,
  page,
}) => {
  await exploreSample(page);
  await goTo(page, 'To pay');
  await expect(page.getByRole('heading', { level: 1, name: 'To pay' })).toBeVisible();
  await expect(
    page
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') })
      .first(),
  ).toContainText(/\d/);
  const making = page.getByRole('dialog', { name: 'Make reimbursement run' });
  await test.step('a run of the selected claim alone', async () => {
    // The second claim is in no run yet.
    await cellAt(page, 1, 'patient_name').click();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Make run…' }).click();
    await expect(making.getByRole('button', { name: 'Make run of 1 claim' })).toBeVisible();
    await making.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Clear selection' }).click();
  });
  await page.getByRole('button', { name: 'Make run…' }).click();
  const total = (await making.getByRole('status').locator('b').innerText()).trim();
  expect(total).toMatch(/^\$[\d,.]+$/);
  await expect(making.getByRole('table', { name: 'By employer' })).toBeVisible();
  expect(await findViolations(page, '[role="dialog"]')).toEqual([]);
  await making.getByLabel('Run name').fill('November payroll');
  await making.getByLabel('Account or reference').fill('Payroll HRA');
  const make = making.getByRole('button', { name: /^Make run of \d+ claims?$/ });
  const claims = (await make.innerText()).replace('Make run of ', '');
  await make.click();

  await expect(page.getByRole('heading', { level: 1, name: 'November payroll' })).toBeVisible();
  const state = page.getByRole('main').getByRole('status').first();
  await expect(state).toContainText(`Made: `);
  await expect(state).toContainText(total);
  const byEmployer = page.getByRole('table', { name: 'By employer' });
  const cellsOf = (column: number) => byEmployer.locator(`tbody tr td:nth-child(${column})`).allInnerTexts();
  expect(amountsOf(await cellsOf(3))).toBe(amountsOf([total]));
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Mark as checked' }).click();
  await expect(state).toContainText('Checked: ');

  let saved = '';
  await test.step('a layout is made by choosing, shown on real rows, and its file adds up to the run', async () => {
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const layout = page.getByRole('dialog', { name: 'File layout' });
    const preview = layout.getByRole('table', { name: 'Preview' });
    await expect(preview.getByRole('columnheader')).toHaveText([
      'Member record no.',
      'Member last name',
      'Member first name',
      'Amount',
    ]);
    await layout.getByLabel('Rows').selectOption('claim');
    await layout.getByLabel('Column 2', { exact: true }).selectOption('claimNumber');
    await layout.getByLabel('Name of column 4').fill('Pay amount');
    await layout.getByRole('button', { name: 'Add column' }).click();
    await layout.getByLabel('Name of column 5').fill('Plan');
    await layout.getByLabel('Text of column 5').fill('HRA');
    await layout.getByRole('button', { name: 'Move column 5 up' }).click();
    await expect(preview.getByRole('columnheader')).toHaveText([
      'Member record no.',
      'Carrier claim no.',
      'Member first name',
      'Plan',
      'Pay amount',
    ]);
    await expect(preview.getByRole('row').nth(1)).toContainText('HRA');
    expect(await findViolations(page, '[role="dialog"]')).toEqual([]);
    await app.chooseSavePath(join(app.downloadsDir, 'payroll.xlsx'));
    await layout.getByRole('button', { name: 'Save file…' }).click();
    const saving = page.getByRole('dialog', { name: 'Save reimbursement file' });
    await saving.getByRole('button', { name: /^Save/ }).click();
    await expect(page.getByText('Saved as')).toBeVisible();
    await expect(page.getByText('File: Excel, a row per claim, 5 columns')).toBeVisible();
    // The browser names the file itself.
    saved = (await readdir(app.downloadsDir)).find((name) => name.endsWith('.xlsx')) ?? '';
    const [head, ...rows] = readSheet(join(app.downloadsDir, saved));
    expect(head).toEqual([
      'Member record no.',
      'Carrier claim no.',
      'Member first name',
      'Plan',
      'Pay amount',
    ]);
    expect(rows.every((row) => row.includes('HRA'))).toBe(true);
    expect(amountsOf(rows.map((row) => row.at(-1) ?? ''))).toBe(amountsOf([total]));
  });

  await test.step('it is sent with the digest of its file, recorded, and a result takes a claim out', async () => {
    await page.getByRole('button', { name: 'Mark as sent', exact: true }).click();
    await expect(state).toContainText('Sent: ');
    await expect(page.getByRole('table', { name: 'Steps' })).toContainText(saved);
    await page.getByRole('button', { name: 'Record as reimbursed…' }).click();
    const recording = page.getByRole('dialog', { name: 'Record as reimbursed' });
    await recording.getByRole('button', { name: /^Record \d+ claims?$/ }).click();
    await expect(state).toContainText('Recorded: ');
    await page.getByRole('button', { name: 'Show claims' }).click();
    await expect(page.getByRole('list', { name: 'Filters' })).toContainText('Run is November payroll');
    await expect(countOf(page)).toHaveText(claims);
    await expect(cellAt(page, 0, 'id')).toContainText(/\d/);
    const claimId = await cellAt(page, 0, 'id').innerText();
    await goTo(page, 'Runs');
    await page.getByRole('link', { name: 'November payroll' }).click();
    await page.getByRole('button', { name: 'Import the payer’s answer…' }).click();
    const reading = page.getByRole('dialog', { name: 'Import the payer’s answer' });
    const csv = `Claim,Result,Reason\n${claimId},Rejected,Account closed\nnone,Paid,\n`;
    const chooser = page.waitForEvent('filechooser');
    await reading.getByLabel('CSV or Excel file').click();
    await (await chooser).setFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await reading.getByRole('button', { name: 'Match results' }).click();
    await expect(reading.getByRole('table', { name: 'Rows left out' })).toContainText('none');
    await reading.getByRole('button', { name: 'Apply results' }).click();
    await expect(page.getByRole('note')).toContainText('Left out: 1 claim');
  });

  await test.step('a step is taken back with a reason', async () => {
    await page.getByRole('button', { name: 'Undo last step…' }).click();
    const back = page.getByRole('dialog', { name: 'Undo the last step' });
    await back.getByLabel('Reason').fill('Wrong day');
    await back.getByRole('button', { name: 'Undo' }).click();
    await expect(state).toContainText('Sent: ');
  });
});

test('claims to pay are sent in six clicks', async ({ page }) => {
  await exploreSample(page);
  await goTo(page, 'To pay');
  const make = page.getByRole('button', { name: 'Make run…' });
  await expect(cellAt(page, 0, 'id')).toContainText(/\d/);
  let clicks = 0;
  const click = async (
    name: string | RegExp,
    scope: Pick<typeof page, 'getByRole'> = page,
  ): Promise<void> => {
    clicks += 1;
    await scope.getByRole('button', { name, exact: true }).click();
  };
  await expect(make).toBeVisible();
  await click('Make run…');
  await expect(page.getByLabel('Run name')).toBeFocused();
  await click(/^Make run of \d+ claims?$/);
  await click('Mark as checked');
  await click('Save file…');
  await expect(page.getByRole('radio', { name: 'Reimbursement' })).toBeChecked();
  await click(/^Save file…?$/, page.getByRole('dialog'));
  await expect(page.getByText('Saved as')).toBeVisible();
  await click('Mark as sent');
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Sent: ' })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(6);
  await expect(page.getByRole('listitem').filter({ hasText: 'Answered' })).toHaveAttribute(
    'aria-current',
    'step',
  );
});
