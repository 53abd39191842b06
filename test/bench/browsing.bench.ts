import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { fillFilter } from '../e2e/narrowing.ts';
import { cellAt, countOf } from '../e2e/steps.ts';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { prepareProfile } from './support/bench-profile.ts';
import { endBenchShell, startBenchShell } from './support/bench-shell.ts';
import { report, spread } from './support/figures.ts';
import { timePaint } from './support/fixed-work.ts';
import { benchClaims } from './support/million-store.ts';
import { actAndWait, listParts, measureTyping, pressAndWait } from './support/page-timing.ts';
import { childrenOf, readMemoryMb, readProcessorMs } from './support/processes.ts';

// This bench measures the built window over a big store, in the browser shell and Chromium: the time from a
// key press to its paint, the effect of scrolling on the page, and the memory that 500 claims leave behind.
const startsMeasured = 5;
const presses = 60;
const openings = 40;
const decisions = 40;
const walked = 500;
const scrollMs = 10_000;
/** No press acts sooner after an act. */
const restMs = 250;
const words = ['garcia', 'smith', 'orthopedic', 'valley', 'processed'];
/** Enough letters that the slowest one in twenty is not the slowest of all. */
const searched = [...words, 'martinez', 'imaging', 'walker', 'radiology', 'denied'];
/** Lists that are narrowed, each by a status and a network, and then to its twelve largest claims. */
const narrowings = [
  ['Processed', 'Out-of-network'],
  ['Processed', 'Tier 1'],
  ['Partially Approved', 'In-network'],
  ['Denied', 'In-network'],
  ['Processed', 'Tier 2'],
  ['Processed', 'In-network'],
] as const;
const tellScrolling = (
  what: string,
  { maxTaskMs, blankMs }: { maxTaskMs: number; blankMs: number },
): void => {
  const how = `in ${scrollMs / 1000} s; rows blank for ${blankMs} ms at the longest`;
  report({ what: `${what}, longest task`, figure: maxTaskMs, unit: 'ms', how });
};
const percentOver = (after: number, before: number): number => Math.round((after / before - 1) * 1000) / 10;

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-browsing-'));
const profileDir = join(folder, 'profile');

/** The parts of a start in order, each in ms since the process started. */
const startParts = [
  'shell tells its address',
  'page painted empty',
  'window let in',
  'first screen painted',
  'rows asked for',
  'rows answered',
] as const;
type StartPart = (typeof startParts)[number];

/** Marks in each page when its first rows are painted. A wait from outside polls, and is up to half a second late. */
const markFirstRows = (page: Page) =>
  page.addInitScript(() => {
    const look = (): void => {
      const cells = [...document.querySelectorAll('.ag-row .ag-cell[col-id="id"]')];
      const isThere = cells.some(({ textContent }) => /^\d{3,}$/.test(textContent ?? ''));
      // After the frame that shows them.
      if (isThere) setTimeout(() => performance.mark('rows painted'));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

/** Waits for the first rows of a page with `markFirstRows`; how long from the start of its loading, in ms. */
async function waitForFirstRows(page: Page): Promise<number> {
  await page.waitForFunction(() => performance.getEntriesByName('rows painted').length > 0);
  return page.evaluate(() => performance.getEntriesByName('rows painted')[0]?.startTime ?? 0);
}

/** Returns the times of the page's own start, in ms since 1970. */
const readPageParts = (page: Page): Promise<Record<Exclude<StartPart, 'shell tells its address'>, number>> =>
  page.evaluate(() => {
    const paint = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? 0;
    const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const call = (end: string) => calls.find(({ name }) => name.endsWith(end));
    const parts = {
      'page painted empty': paint('first-paint'),
      'window let in': call('/session')?.responseEnd ?? 0,
      'first screen painted': paint('first-contentful-paint'),
      'rows asked for': call('/call/records:begin')?.startTime ?? 0,
      'rows answered': call('/call/records:begin')?.responseEnd ?? 0,
    };
    for (const [name, ms] of Object.entries(parts))
      Object.assign(parts, { [name]: ms + performance.timeOrigin });
    return parts;
  });

/** Watches the page from now on: long tasks, and how long a row on screen has been without its data. */
async function watchScrolling(page: Page): Promise<() => Promise<{ maxTaskMs: number; blankMs: number }>> {
  await page.evaluate(() => {
    const seen = { maxTaskMs: 0, blankMs: 0, isOver: false };
    const blankSince = new Map<string, number>();
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        seen.maxTaskMs = Math.max(seen.maxTaskMs, entry.duration);
      }
    }).observe({ type: 'longtask' });
    const look = () => {
      const now = performance.now();
      const blank = new Set<string>();
      for (const row of document.querySelectorAll('.ag-row[row-index]')) {
        if (row.querySelector('.ag-cell[col-id="id"]')?.textContent !== '') continue;
        const index = row.getAttribute('row-index') ?? '';
        blank.add(index);
        blankSince.set(index, blankSince.get(index) ?? now);
        seen.blankMs = Math.max(seen.blankMs, now - (blankSince.get(index) ?? now));
      }
      for (const index of blankSince.keys()) if (!blank.has(index)) blankSince.delete(index);
      if (!seen.isOver) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { seenWhileScrolling: seen });
  });
  return () =>
    page.evaluate(() => {
      const { seenWhileScrolling: seen } = window as unknown as {
        seenWhileScrolling: { maxTaskMs: number; blankMs: number; isOver: boolean };
      };
      seen.isOver = true;
      return { maxTaskMs: Math.round(seen.maxTaskMs), blankMs: Math.round(seen.blankMs) };
    });
}

async function measureHeapMb(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  await cdp.detach();
  return Math.round(usedSize / 1e5) / 10;
}

/** Adds a filter with this value to the list of claims; how long from *Apply* to its rows, count, and sums. */
async function addFilter(page: Page, field: string, value: string): Promise<number> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('textbox', { name: 'Search filters' }).fill(field);
  await page.getByRole('option', { name: field, exact: true }).click();
  await fillFilter(page.getByRole('form', { name: `Filter by ${field}` }), value);
  await wait(restMs);
  const painted = await actAndWait(page, { press: 'Apply' }, listParts);
  return Math.max(...Object.values(painted));
}

async function measureNarrowing(page: Page): Promise<void> {
  const billed = page.locator('.ag-header-cell[col-id="amount_billed"]');
  await billed.click({ position: { x: 16, y: 15 } });
  await page.locator('.ag-header-cell[col-id="amount_billed"][aria-sort="descending"]').waitFor();
  const lasts: number[] = [];
  const sums: number[] = [];
  for (const [status, network] of narrowings) {
    const before = (await addFilter(page, 'Status', status)) + (await addFilter(page, 'Network', network));
    const smallest = (await cellAt(page, 11, 'amount_billed').innerText()).replace(/[$,]/g, '');
    const last = await addFilter(page, 'Billed', smallest);
    // More than twelve where amounts are equal.
    const count = await countOf(page).innerText();
    if (!/^1[2-4] claims$/.test(count)) throw new Error(`${status}, ${network}: ${count}`);
    lasts.push(last);
    sums.push(before + last);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText(`${benchClaims.toLocaleString('en-US')} claims`).waitFor();
  }
  report({
    ...{ what: 'Narrowing to twelve claims, with their sums', ...spread(lasts) },
    reach: benchClaims > 100_000 ? '≤ 1,000' : '≤ 500',
    how: `press of the last of three filters to its painted rows and sums, ${spread(lasts).how}`,
  });
  report({ what: 'The three filters of a narrowing together', ...spread(sums) });
}

/** Decides claims by a key; how long until the frame begins that shows it. */
async function measureMarks(page: Page, sees: 'listMark' | 'claimMark'): Promise<void> {
  const marks: number[] = [];
  for (let index = 0; index < decisions; index += 1) {
    await wait(restMs + 300);
    marks.push((await pressAndWait(page, '1', sees)).frameMs);
  }
  const { how, ...ofMarks } = spread(marks);
  report({
    what: `Key of a decision to its mark, in a ${sees === 'listMark' ? 'list' : 'claim'}`,
    ...{ ...ofMarks, reach: '≤ 16', how: `to the beginning of the frame that shows it, ${how}` },
  });
}

await prepareProfile(profileDir);
const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
try {
  const starts: number[] = [];
  const parts = new Map<StartPart, number[]>(startParts.map((part) => [part, []]));
  const mainMs: number[] = [];
  const engineMs: number[] = [];
  for (let index = 0; index < startsMeasured; index += 1) {
    // The browser is open before, with a tab: a new one of Chromium's takes half a second of its own.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto('about:blank');
    await markFirstRows(page);
    await timePaint(page);
    await wait(1_000);
    const began = performance.now();
    const beganAt = Date.now();
    const { child, url } = startBenchShell({ profileDir });
    const address = await url;
    parts.get('shell tells its address')?.push(performance.now() - began);
    await page.goto(address);
    await page.evaluate(() => {
      window.location.hash = '#/claims';
    });
    const rowsMs = await waitForFirstRows(page);
    starts.push(rowsMs + (await page.evaluate(() => performance.timeOrigin)) - beganAt);
    const pid = child.pid ?? 0;
    mainMs.push(readProcessorMs(pid));
    engineMs.push(childrenOf(pid).reduce((ms, one) => ms + readProcessorMs(one), 0));
    for (const [part, at] of Object.entries(await readPageParts(page)))
      parts.get(part as StartPart)?.push(at - beganAt);
    await context.close();
    await endBenchShell(child);
  }
  report({ what: 'Process start to first rows', ...spread(starts), reach: '≤ 1,200' });
  for (const [part, ms] of parts) report({ what: `Process start to: ${part}`, ...spread(ms) });
  report({ what: 'Processor time of main until first rows', ...spread(mainMs) });
  report({ what: 'Processor time of the engine until first rows', ...spread(engineMs) });

  const { child, url } = startBenchShell({ profileDir });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await markFirstRows(page);
  await page.goto(await url);
  await page.evaluate(() => {
    window.location.hash = '#/claims';
  });
  await waitForFirstRows(page);
  const loads: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    await page.reload();
    loads.push(await waitForFirstRows(page));
  }
  report({ what: 'Loading the window again to first rows', ...spread(loads) });
  // The program has by now read ahead for sorting and searching, as it has for a user at work.
  await wait(5_000);

  const pid = child.pid ?? 0;
  const memory = [
    ['main', readMemoryMb(pid)],
    ['engine', childrenOf(pid).reduce((sum, one) => sum + readMemoryMb(one), 0)],
    ['window, JavaScript heap', await measureHeapMb(page)],
  ] as const;
  for (const [of, mb] of memory)
    report({ what: `Memory at rest: ${of}`, figure: Math.round(mb), unit: 'MB', how: 'list of claims open' });
  const together = Math.round(memory.reduce((sum, [, mb]) => sum + mb, 0));
  const but = 'without the processes of Chromium';
  report({ what: 'Memory at rest: together', figure: together, unit: 'MB', reach: '≤ 350', how: but });

  await page.locator('.ag-row[row-index="2"] .ag-cell[col-id="patient_name"]').click();
  const rows: number[] = [];
  for (let index = 0; index < presses; index += 1) {
    rows.push((await pressAndWait(page, 'j', 'focusedRow')).paintedMs);
    await wait(60);
  }
  report({ what: 'Next row by key', ...spread(rows) });

  const opens: number[] = [];
  const backs: number[] = [];
  for (let index = 0; index < openings; index += 1) {
    opens.push((await pressAndWait(page, 'Enter', 'title')).paintedMs);
    await wait(60);
    backs.push((await pressAndWait(page, 'Escape', 'title')).paintedMs);
    await wait(60);
    await pressAndWait(page, 'j', 'focusedRow');
  }
  report({ what: 'Open a claim', ...spread(opens), reach: '≤ 100' });
  report({ what: 'Back to the list', ...spread(backs), reach: '≤ 100' });

  await measureMarks(page, 'listMark');
  await pressAndWait(page, 'Enter', 'title');
  await measureMarks(page, 'claimMark');
  await wait(restMs);
  await pressAndWait(page, 'Escape', 'title');

  await page.locator('.ag-cell-focus').focus();
  const endKeys = await watchScrolling(page);
  const until = performance.now() + scrollMs;
  while (performance.now() < until) await page.keyboard.press('PageDown', { delay: 40 });
  tellScrolling('Scrolling by keys', await endKeys());

  const endBar = await watchScrolling(page);
  await page.evaluate(async (forMs) => {
    const bar = document.querySelector('.ag-grid-viewport');
    if (bar === null) throw new Error('no viewport');
    const began = performance.now();
    while (performance.now() - began < forMs) {
      const share = (performance.now() - began) / forMs;
      bar.scrollTop = share * (bar.scrollHeight - bar.clientHeight);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, scrollMs);
  await wait(800);
  tellScrolling('Scrolling by the bar', await endBar());

  const typed = await measureTyping(page, 'Search claims', searched, listParts);
  const letterReach = benchClaims > 100_000 ? '≤ 120' : '≤ 60';
  report({ what: 'A letter in search to its rows painted', ...spread(typed.rows), reach: letterReach });
  report({ what: 'A letter in search to its count painted', ...spread(typed.count) });

  await page.keyboard.press('Control+k');
  const found = await measureTyping(page, 'Search or jump to', words, {
    rows: '[role="dialog"] [data-action]',
  });
  report({
    what: 'A letter in the palette to what it finds painted',
    ...spread(found.rows),
    reach: letterReach,
  });
  await page.keyboard.press('Escape');

  await page.locator('.ag-header-cell[col-id="service_provider"]').hover();
  await page.getByRole('button', { name: 'Filter Provider' }).click();
  const values = page.getByRole('group', { name: /^Values of/ });
  await values.getByRole('checkbox').first().waitFor();
  const valuesTyped = await measureTyping(page, 'Search values of', words, {
    values: '[role="group"][aria-label^="Values of"] label',
  });
  const ofFilter = { ...spread(valuesTyped.values), reach: letterReach };
  report({ what: 'A letter in a filter to its values painted', ...ofFilter });
  await page.keyboard.press('Escape');

  await measureNarrowing(page);
  await page.locator('.ag-row[row-index="2"] .ag-cell[col-id="patient_name"]').click();
  await pressAndWait(page, 'Enter', 'title');
  for (let index = 0; index < 50; index += 1) await pressAndWait(page, 'j', 'title');
  const heapBefore = await measureHeapMb(page);
  const nexts: number[] = [];
  for (let index = 0; index < walked; index += 1) {
    nexts.push((await pressAndWait(page, 'j', 'title')).paintedMs);
    await wait(60);
  }
  report({ what: 'Open the next claim of the list', ...spread(nexts), reach: '≤ 50' });
  const heapAfter = await measureHeapMb(page);
  for (let index = 0; index < walked; index += 1) await pressAndWait(page, 'j', 'title');
  const heapAtEnd = await measureHeapMb(page);
  // The code's own memory stops growing by the second half; memory kept for each record would keep growing.
  const growth = `${percentOver(heapAfter, heapBefore)} % more than before, then ${percentOver(heapAtEnd, heapAfter)} %`;
  const how = `after ${walked} claims: ${growth}`;
  report({ what: 'JavaScript heap of the window', figure: heapAfter, unit: 'MB', how });
  await context.close();
  await endBenchShell(child);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
