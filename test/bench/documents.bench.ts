import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import PDFDocument from 'pdfkit';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import { openStore } from '../../src/main/engine/store/threads/store.ts';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { openSession } from '../../src/main/shells/cli/session.ts';
import { formatTenThousandths } from '../../src/rules/money/format-amount.ts';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { testBytes } from '../support/seeds.ts';
import { endBenchShell, startBenchShell } from './support/bench-shell.ts';
import { report, spread } from './support/figures.ts';
import { prepareBenchStore } from './support/million-store.ts';
import { registerAndSync } from './support/register-and-sync.ts';

// Documents: what their text costs to compare with all claims, to attach and to open one as built, in the browser shell, and
// what 10,000 of them add to a start.
const documents = 10_000;

interface Stored {
  id: number;
  patient: string;
  day: string;
  billed: number;
  provider: string;
}

async function matchAll(): Promise<void> {
  const { filePath, key, claims } = prepareBenchStore();
  const plain = openRecords(filePath, key, { isReadOnly: true });
  const pick = plain.prepare(
    `SELECT id, patient_name AS patient, amount_billed AS billed, service_provider AS provider,
       range_first_day(date_of_service_start, date_of_service_end, date_of_service_bounds) AS day
     FROM claims WHERE id>=(SELECT id FROM claims LIMIT 1 OFFSET ?) AND patient_name LIKE '% %' AND amount_billed>0
       AND service_provider<>'' AND date_of_service_start<>'' LIMIT 1`,
  );
  const picked = Array.from({ length: 40 }, (_, at) => pick.get(Math.floor((claims / 41) * at)) as Stored);
  plain.close();
  const say = ({ patient, day, billed, provider }: Stored): string => {
    const [year, month, date] = day.split('-');
    const paid = formatTenThousandths(BigInt(billed));
    return `${provider}\n123 Main Street, Columbus, OH 43210\nReceipt 11/20/2026\nPatient: ${patient}\n${month}/${date}/${year} Office visit ${paid}\nTotal ${paid}\nThank you`;
  };
  const store = await openStore({ filePath, key: Buffer.from(key), isReadOnly: true, readers: 2 });
  const times: number[] = [];
  let first = 0;
  for (const claim of picked) {
    const from = performance.now();
    const [best] = await store.read('matchDocument', { text: say(claim) });
    times.push(performance.now() - from);
    first += Number(best?.claimId === claim.id);
  }
  const long = picked.map(say).join('\n').repeat(20);
  const from = performance.now();
  await store.read('matchDocument', { text: long });
  const longMs = performance.now() - from;
  await store.close();
  report({ what: 'A receipt compared with all claims', ...spread(times), reach: '≤ 1,000' });
  report({
    what: 'Receipts whose claim is proposed first',
    figure: first,
    unit: `of ${picked.length}`,
    how: 'counted',
  });
  const how = `wall clock; ${long.length.toLocaleString('en-US')} characters about 40 claims`;
  report({
    what: 'A long text compared with all claims',
    figure: Math.round(longMs),
    unit: 'ms',
    reach: '≤ 1,000',
    how,
  });
}

const makeReceipt = (): Promise<Buffer> =>
  new Promise((resolve) => {
    const pdf = new PDFDocument();
    const parts: Buffer[] = [];
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    for (let line = 1; line <= 60; line += 1)
      pdf.text(`${line}. Office visit, code 99213, 10/28/2025, $${line}.00`);
    pdf.end();
  });

/** Drops a file and attaches it; returns how long the window takes from the press to the dialog that is gone, in ms. */
async function attach(page: Page, name: string, bytes: Buffer): Promise<number> {
  await page.evaluate(
    ([fileName, text]) => {
      const moved = new DataTransfer();
      moved.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], fileName));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: moved, bubbles: true }));
    },
    [name, bytes.toString('base64')] as const,
  );
  const button = page.getByRole('dialog').getByRole('button', { name: 'Attach' });
  await button.waitFor();
  await page.waitForTimeout(1_000);
  return button.evaluate(async (pressed: HTMLButtonElement) => {
    const began = performance.now();
    pressed.click();
    while (document.querySelector('[role="dialog"]') !== null) await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
}

/** Opens a document; returns how long its first page takes to be drawn, in ms. */
async function openFirst(page: Page, name: string): Promise<number> {
  const shownMs = await page
    .getByRole('button', { name, exact: true })
    .evaluate(async (pressed: HTMLElement) => {
      const began = performance.now();
      pressed.click();
      while (document.querySelector('[aria-label="Page 1"]') === null)
        await new Promise(requestAnimationFrame);
      return performance.now() - began;
    });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForTimeout(300);
  return shownMs;
}

await matchAll();
const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-documents-'));
const profileDir = join(folder, 'profile');
process.env.CLAIMDESK_VAULT_PASSPHRASE = 'bench passphrase';
const service = await startSampleService({ members: 100, claims: 1_000 });
const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
try {
  const session = await openSession({ options: {}, writes: true, profileDir });
  const { workspaceId } = await registerAndSync(session, service);
  await session.close();
  /** Starts the shell; `ms`: until the rows of claims are painted. */
  const start = async () => {
    const began = performance.now();
    const { child, url } = startBenchShell({ profileDir });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${await url}`);
    await page.getByRole('link', { name: /^Claims/ }).click();
    const rows = page
      .getByRole('main')
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell').filter({ hasText: /\d/ }) });
    await rows.first().waitFor();
    const ms = performance.now() - began;
    return { ms, page, rows, end: () => page.close().then(() => endBenchShell(child)) };
  };
  const startAll = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const { ms, end } = await start();
      times.push(ms);
      await end();
    }
    return times;
  };
  const { page, rows, end } = await start();
  await rows.first().dblclick();
  await page.getByRole('region', { name: /^Documents \(/ }).waitFor();
  await page.waitForTimeout(1_000);
  const attached: number[] = [];
  for (let run = 0; run < 5; run += 1)
    attached.push(await attach(page, `scan ${run}.bin`, testBytes(10_000_000, run + 1)));
  report({
    what: 'Attach a file of 10 MB: press to a dialog that is gone',
    ...spread(attached),
    reach: '≤ 1,000',
  });
  await attach(page, 'receipt.pdf', await makeReceipt());
  const cold = await openFirst(page, 'receipt.pdf');
  report({
    what: 'First page of a receipt, the first document of a window',
    figure: Math.round(cold),
    unit: 'ms',
    reach: '≤ 500',
    how: 'wall clock; press to painted page of a PDF file of two',
  });
  const warm: number[] = [];
  for (let run = 0; run < 10; run += 1) warm.push(await openFirst(page, 'receipt.pdf'));
  report({ what: 'First page of a receipt, opened again', ...spread(warm), reach: '≤ 500' });
  await end();

  const before = await startAll();
  const filling = await openSession({ options: {}, writes: true, profileDir });
  const { rows: claims } = await filling.call('records:readFirst', {
    ...{ workspaceId, query: { entity: 'claims' }, limit: 1_000, fields: ['id'] },
  });
  for (let at = 0; at < documents; at += 1) {
    const file = Buffer.from(`Receipt ${at}`).toString('base64');
    const claimId = Number(claims[at % claims.length]?.id);
    await filling.call('documents:attach', {
      workspaceId,
      claimId,
      document: 'receipt',
      name: `${at}.txt`,
      file,
    });
  }
  await filling.close();
  const after = await startAll();
  report({ what: 'Process start to first rows, without documents', ...spread(before) });
  report({
    what: `Process start to first rows, ${documents.toLocaleString('en-US')} documents`,
    ...spread(after),
  });
} finally {
  await browser.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
