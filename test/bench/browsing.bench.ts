import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { narrowToTwelve } from '../e2e/narrowing.ts';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { prepareProfile } from './support/bench-profile.ts';
import { endBenchShell, startBenchShell } from './support/bench-shell.ts';
import { report, spread } from './support/figures.ts';
import { benchClaims } from './support/million-store.ts';
import { childrenOf, readMemoryMb, readProcessorMs } from './support/processes.ts';

// This bench measures the built window over a big store, in the browser shell and Chromium: the time from a
// key press to its paint, the effect of scrolling on the page, and the memory that 500 claims leave behind.
const startsMeasured = 5;
const presses = 60;
const openings = 40;
const walked = 500;
const scrollMs = 10_000;
/** Longer than any list of the words takes. */
const typingQuietMs = 600;
const words = ['garcia', 'smith', 'orthopedic', 'valley', 'processed'];
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

const firstRow = (page: Page) =>
  page
    .getByRole('gridcell')
    .filter({ hasText: /^\d{3,}$/ })
    .first();

/** Presses a key where the focus is; how long until what `sees` tells is another, and painted. */
function pressAndWait(page: Page, key: string, sees: 'focusedRow' | 'title'): Promise<number> {
  return page.evaluate(
    async ([pressed, what]) => {
      const look = () => {
        if (what === 'focusedRow') {
          const cell = document.querySelector('.ag-cell-focus');
          return `${cell?.closest('.ag-row')?.getAttribute('row-index')} ${cell?.textContent}`;
        }
        // A list stays in the page, unseen, while its records are read.
        const title =
          [...document.querySelectorAll('h1')].find((one) =>
            one.checkVisibility({ visibilityProperty: true }),
          )?.textContent ?? '';
        const amounts = [...document.querySelectorAll('dl[aria-label="Amounts of the claim"] dd')];
        const isThere = title.startsWith('Claim ')
          ? amounts.length === 4 &&
            amounts.every((amount) => amount.textContent !== '') &&
            document.querySelector('[data-old]') === null
          : document.querySelector('.ag-cell-focus:focus') !== null;
        return isThere ? title : 'not yet';
      };
      const before = look();
      const began = performance.now();
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(
        new KeyboardEvent('keydown', { key: pressed, code: pressed, bubbles: true, cancelable: true }),
      );
      while (look() === before || look() === 'not yet') {
        if (performance.now() - began > 5_000) return 5_000;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      return performance.now() - began;
    },
    [key, sees] as const,
  );
}

/**
 * Types one letter more into a field; how long until what `parts` select is painted, each until its last change, which
 * nothing follows for a while. A part that did not change is left out, as one that still says that it is counted.
 */
function typeAndWait<P extends string>(
  page: Page,
  field: string,
  text: string,
  parts: Readonly<Record<P, string>>,
): Promise<Partial<Record<P, number>>> {
  return page.evaluate(
    async ([label, typed, selectors, quietMs]) => {
      const box = document.querySelector<HTMLInputElement>(`input[aria-label^="${label}"]`);
      if (box === null) throw new Error(`no field ${label}`);
      const look = () =>
        selectors.map(([part, selector]) => {
          const texts = [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
          return [part, texts.join('\n')] as const;
        });
      const seen = new Map(look());
      const changedAt = new Map<string, number>();
      const began = performance.now();
      let last = began;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, typed);
      box.dispatchEvent(new Event('input', { bubbles: true }));
      const isCounting = () => [...seen.values()].some((text) => text.startsWith('Counting'));
      while (performance.now() - last < quietMs || isCounting()) {
        if (performance.now() - began > 5_000) break;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const changed = look().filter(([part, now]) => now !== seen.get(part));
        if (changed.length === 0) continue;
        // After the frame that shows it.
        await new Promise((resolve) => setTimeout(resolve, 0));
        last = performance.now();
        for (const [part, now] of changed) {
          seen.set(part, now);
          if (now.startsWith('Counting')) changedAt.delete(part);
          else changedAt.set(part, last - began);
        }
      }
      return Object.fromEntries(changedAt) as never;
    },
    [field, text, Object.entries<string>(parts), typingQuietMs] as const,
  );
}

/** Types words letter by letter into a field, and tells of each part how long after a letter it was painted. */
async function measureTyping<P extends string>(
  page: Page,
  field: string,
  parts: Readonly<Record<P, string>>,
): Promise<Record<P, number[]>> {
  const names = Object.keys(parts) as P[];
  const all = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<P, number[]>;
  for (const word of words) {
    for (let length = 1; length <= word.length; length += 1) {
      const painted = await typeAndWait(page, field, word.slice(0, length), parts);
      // A letter more that finds the same changes nothing that could be waited for.
      for (const name of names) if (painted[name] !== undefined) all[name].push(painted[name]);
    }
    await typeAndWait(page, field, '', parts);
  }
  return all;
}

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
    await firstRow(page).waitFor();
    starts.push(performance.now() - began);
    const pid = child.pid ?? 0;
    mainMs.push(readProcessorMs(pid));
    engineMs.push(childrenOf(pid).reduce((ms, one) => ms + readProcessorMs(one), 0));
    for (const [part, at] of Object.entries(await readPageParts(page)))
      parts.get(part as StartPart)?.push(at - beganAt);
    await context.close();
    await endBenchShell(child);
  }
  report({ what: 'Process start to first rows', ...spread(starts), reach: '≤ 2,000' });
  for (const [part, ms] of parts) report({ what: `Process start to: ${part}`, ...spread(ms) });
  report({ what: 'Processor time of main until first rows', ...spread(mainMs) });
  report({ what: 'Processor time of the engine until first rows', ...spread(engineMs) });

  const { child, url } = startBenchShell({ profileDir });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(await url);
  await page.evaluate(() => {
    window.location.hash = '#/claims';
  });
  await firstRow(page).waitFor();
  const loads: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    const began = performance.now();
    await page.reload();
    await firstRow(page).waitFor();
    loads.push(performance.now() - began);
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
    rows.push(await pressAndWait(page, 'j', 'focusedRow'));
    await wait(60);
  }
  report({ what: 'Next row by key', ...spread(rows) });

  const opens: number[] = [];
  const backs: number[] = [];
  for (let index = 0; index < openings; index += 1) {
    opens.push(await pressAndWait(page, 'Enter', 'title'));
    await wait(60);
    backs.push(await pressAndWait(page, 'Escape', 'title'));
    await wait(60);
    await pressAndWait(page, 'j', 'focusedRow');
  }
  report({ what: 'Open a claim', ...spread(opens), reach: '≤ 100' });
  report({ what: 'Back to the list', ...spread(backs), reach: '≤ 100' });

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

  const typed = await measureTyping(page, 'Search claims', {
    rows: '.ag-row .ag-cell[col-id="id"], main h2',
    count: 'section[aria-label="Totals"] [role="status"]',
  });
  const letterReach = benchClaims > 100_000 ? '≤ 150' : '≤ 60';
  report({ what: 'A letter in search to its rows painted', ...spread(typed.rows), reach: letterReach });
  report({ what: 'A letter in search to its count painted', ...spread(typed.count) });

  await page.keyboard.press('Control+k');
  const found = await measureTyping(page, 'Search or jump to', { rows: '[role="dialog"] [data-action]' });
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
  const valuesTyped = await measureTyping(page, 'Search values of', {
    values: '[role="group"][aria-label^="Values of"] label',
  });
  const ofFilter = { ...spread(valuesTyped.values), reach: letterReach };
  report({ what: 'A letter in a filter to its values painted', ...ofFilter });
  await page.keyboard.press('Escape');

  const narrowing = performance.now();
  await narrowToTwelve(page);
  report({ what: 'Narrowing to twelve claims, with their sums', ...spread([performance.now() - narrowing]) });
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText(`${benchClaims.toLocaleString('en-US')} claims`).waitFor();

  await page.locator('.ag-row[row-index="2"] .ag-cell[col-id="patient_name"]').click();
  await pressAndWait(page, 'Enter', 'title');
  for (let index = 0; index < 50; index += 1) await pressAndWait(page, 'j', 'title');
  const heapBefore = await measureHeapMb(page);
  const nexts: number[] = [];
  for (let index = 0; index < walked; index += 1) {
    nexts.push(await pressAndWait(page, 'j', 'title'));
    await wait(60);
  }
  report({ what: 'Open the next claim of the list', ...spread(nexts), reach: '≤ 100' });
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
