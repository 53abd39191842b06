import { expect, test } from './app.ts';
import { cellAt, exploreReviewed } from './steps.ts';

/** The top of a page may take this much of 400 px: the bars, tabs, the name with its actions, a line of facts, amounts. */
const maxTop = 120;

const pages = [
  ...['start', 'claims', 'lines', 'members', 'dependents', 'employers', 'tenants', 'insights', 'connections'],
  ...['toDecide', 'changed', 'toPay', 'waiting', 'denied', 'duplicates', 'exceptions'].map(
    (id) => `worklists/${id}`,
  ),
  ...['runs', 'reports', 'sync', 'changes', 'settings', 'help'],
];

test('at a zoom of 200 % the top of every page leaves 280 of 400 px for its content', async ({ page }) => {
  await exploreReviewed(page);
  const open = async (path: string): Promise<void> => {
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, `/${path}`);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
  };
  const firstId = async (list: string): Promise<string> => {
    await open(list);
    const cell = cellAt(page, 0, 'id');
    await expect(cell).not.toBeEmpty();
    return cell.innerText();
  };
  const records = [`claims/${await firstId('claims')}`, `members/${await firstId('members')}`];
  await page.setViewportSize({ width: 640, height: 400 });
  for (const path of [...pages, ...records]) {
    await open(path);
    const title = page.locator('h1:visible');
    await expect(title).toHaveCount(1);
    const top = () =>
      title.evaluate((heading) => {
        const header = heading.closest('header') ?? heading;
        const amounts = header.parentElement?.querySelector('[aria-label="Amounts of the claim"]');
        return Math.max(...[header, amounts ?? header].map((one) => one.getBoundingClientRect().bottom));
      });
    await expect.poll(top, `the top of ${path}`).toBeLessThanOrEqual(maxTop);
    const cut = await page
      .locator('[data-page] > header .mantine-Button-label:visible')
      .evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth + 1).map(({ textContent }) => textContent),
      );
    expect(cut, `cut on ${path}`).toEqual([]);
    if (!records.includes(path)) continue;
    const facts = title.locator('..').getByRole('definition');
    // The facts of this claim need one line, and those of a member two.
    if (path.startsWith('members')) {
      await expect(facts.last()).not.toBeInViewport();
      await page.getByRole('button', { name: 'All facts' }).click();
      await expect(page.getByRole('button', { name: 'Less' })).toHaveAttribute('aria-expanded', 'true');
    }
    // The box of a link is a pixel higher than its line.
    await expect(facts.last()).toBeInViewport({ ratio: 0.9 });
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(sideways, `sideways scrolling of ${path}`).toBeLessThanOrEqual(0);
  }
});
