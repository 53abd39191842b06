import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { cellAt, countOf, exploreSample, openList, readCount } from './steps.ts';

interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly stateNode: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

/** Counts in the page, as React's developer tools do, how often components of the bar at the top are drawn. */
async function countDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let before = new WeakSet<object>();
    const drawn = { bar: 0 };
    const look = (first: Fiber | null, isWithin: boolean, now: WeakSet<object>): void => {
      for (let one = first; one !== null; one = one.sibling) {
        now.add(one);
        const isBar =
          one.stateNode instanceof Element && one.stateNode.matches('section[aria-label="Tools"]');
        // A drawn component is another object than in the last commit, and has the flag of performed work.
        const isDrawn = [0, 11, 14, 15].includes(one.tag) && !before.has(one) && (one.flags & 1) === 1;
        if (isWithin && isDrawn) drawn.bar += 1;
        look(one.child, isWithin || isBar, now);
      }
    };
    Object.assign(window, {
      drawn,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberRoot: (_id: number, root: { current: Fiber }) => {
          const now = new WeakSet<object>();
          look(root.current, false, now);
          before = now;
        },
        onCommitFiberUnmount: () => undefined,
      },
    });
  });
}

const readDrawn = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { drawn: { bar: number } }).drawn.bar);

test('opening a claim and going back draw nothing of the bar above them again', {
  tag: '@long',
}, async ({ page }) => {
  await expect(page.getByRole('button', { name: 'Explore sample data' })).toBeVisible();
  await countDrawing(page);
  await page.reload();
  await exploreSample(page);
  const rows = await openList(page, 'Claims');
  await expect(page.getByText(/^Up to date/)).toBeVisible();
  await rows.nth(1).getByRole('gridcell').nth(2).click();
  const before = await readDrawn(page);
  expect(before).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Claim \d/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Amount details' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'Claims' })).toBeVisible();
  expect(await readDrawn(page)).toBe(before);
});

test('while somebody types into search, the rows stay until the next ones are there', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  await expect(page.getByText(/^Up to date/)).toBeVisible();
  const count = await readCount(page);
  await page.evaluate(() => {
    const seen = { blank: 0 };
    const look = () => {
      const first = document.querySelector('.ag-row[row-index="0"] .ag-cell[col-id="id"]');
      if (first === null || first.textContent === '') seen.blank += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { seen });
  });
  const search = page.getByRole('textbox', { name: 'Search claims' });
  const id = await cellAt(page, 3, 'id').innerText();
  await search.pressSequentially(id, { delay: 80 });
  await expect(countOf(page)).toHaveText('1 claim');
  await expect(cellAt(page, 0, 'id')).toHaveText(id);
  await search.fill('');
  await expect(countOf(page)).toHaveText(count);
  await expect(cellAt(page, 3, 'id')).toHaveText(id);
  const blank = await page.evaluate(() => (window as unknown as { seen: { blank: number } }).seen.blank);
  expect(blank).toBe(0);
});

test('after a search that finds nothing, no rows are drawn but those of the next one', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await openList(page, 'Claims');
  await expect(page.getByText(/^Up to date/)).toBeVisible();
  const id = await cellAt(page, 3, 'id').innerText();
  const search = page.getByRole('textbox', { name: 'Search claims' });
  await search.fill('qqqqq');
  await expect(countOf(page)).toHaveText('0 claims');
  await page.evaluate(() => {
    const added = new Set<string | null>();
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLElement && node.matches('.ag-row')) added.add(node.getAttribute('row-index'));
    }).observe(document.body, { childList: true, subtree: true });
    Object.assign(window, { added });
  });
  await search.fill(id);
  await expect(countOf(page)).toHaveText('1 claim');
  await expect(cellAt(page, 0, 'id')).toHaveText(id);
  const added = await page.evaluate(() => [...(window as unknown as { added: Set<string | null> }).added]);
  expect(added).toEqual(['0']);
});
