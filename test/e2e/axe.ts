import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Waits until nothing moves, and the page has not changed for a while. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async (quietMs) => {
    const isMoving = (animation: Animation) =>
      animation.playState === 'running' && animation.effect?.getComputedTiming().endTime !== Infinity;
    let changedMs = performance.now();
    const observer = new MutationObserver(() => {
      changedMs = performance.now();
    });
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document.documentElement, all);
    do await new Promise((resolve) => requestAnimationFrame(resolve));
    while (performance.now() - changedMs < quietMs || document.getAnimations().some(isMoving));
    observer.disconnect();
  }, 150);
}

/** Emulates reduced motion and a theme of the system, which the user may change at any time. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
  await settle(page);
}

/** Runs axe on the page or a part of it. Legacy mode takes a third of the time, and leaves frames out. */
export async function findViolations(page: Page, within?: string, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) });
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Nothing for axe to find, in the page or in a part of it: all of its rules in light, in dark what the theme changes. */
export async function judge(
  page: Page,
  name: string,
  { within, look }: { within?: string; look?: (theme: Theme) => Promise<unknown> } = {},
): Promise<void> {
  for (const theme of themes) {
    await wear(page, theme);
    const found = await findViolations(page, within, theme === 'dark' ? ['color-contrast'] : undefined);
    expect.soft(found, `axe on ${name}, ${theme}`).toEqual([]);
    await look?.(theme);
  }
}
