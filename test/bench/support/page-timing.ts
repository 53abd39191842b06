import type { Page } from '@playwright/test';

/** Longer than any list of the words takes. */
const quietMs = 600;
const maxMs = 20_000;

/** The parts of a list of claims: what its rows, its count and its sums show. */
export const listParts = {
  rows: '.ag-row .ag-cell[col-id="id"], main h2',
  count: 'section[aria-label="Totals"] [role="status"]',
  sums: 'section[aria-label="Totals"] dl',
};

/**
 * Presses a key where the focus is. How long until what `sees` names has changed: until the frame begins that shows it,
 * and until that frame is painted.
 */
export function pressAndWait(
  page: Page,
  key: string,
  sees: 'focusedRow' | 'title' | 'listMark' | 'claimMark',
): Promise<{ frameMs: number; paintedMs: number }> {
  return page.evaluate(
    async ([pressed, what]) => {
      const rowOf = (cell: Element | null) => cell?.closest('.ag-row')?.getAttribute('row-index');
      // A decision moves the focus to the next row.
      const decided = rowOf(document.querySelector('.ag-cell-focus'));
      const look = () => {
        const cell = document.querySelector('.ag-cell-focus');
        if (what === 'focusedRow') return `${rowOf(cell)} ${cell?.textContent}`;
        if (what === 'listMark') {
          const mark = `.ag-row[row-index="${decided}"] .ag-cell[col-id="review.state"]`;
          return document.querySelector(mark)?.textContent;
        }
        // A list stays in the page, unseen, while its records are read.
        const title =
          [...document.querySelectorAll('h1')].find((one) =>
            one.checkVisibility({ visibilityProperty: true }),
          )?.textContent ?? '';
        if (what === 'claimMark') {
          // The state of the claim beside *Review*, until the next claim is shown.
          return `${title} ${document.querySelector('[data-panel] h2 + *')?.textContent}`;
        }
        const amounts = [...document.querySelectorAll('dl[aria-label="Amounts of the claim"] dd')];
        const isThere = title.startsWith('Claim ')
          ? amounts.length === 4 && amounts.every((amount) => amount.textContent !== '')
          : document.querySelector('.ag-cell-focus:focus') !== null;
        return isThere ? title : 'not yet';
      };
      const before = look();
      const began = performance.now();
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(
        new KeyboardEvent('keydown', { key: pressed, code: pressed, bubbles: true, cancelable: true }),
      );
      do {
        if (performance.now() - began > 5_000) return { frameMs: 5_000, paintedMs: 5_000 };
        await new Promise((resolve) => requestAnimationFrame(resolve));
      } while (look() === before || look() === 'not yet');
      const frameMs = performance.now() - began;
      await new Promise((resolve) => setTimeout(resolve, 0));
      return { frameMs, paintedMs: performance.now() - began };
    },
    [key, sees] as const,
  );
}

/** What is typed into a field, or the button of a form that is pressed. */
type Act = { readonly field: string; readonly text: string } | { readonly press: string };

/**
 * Acts; how long until what `parts` select on screen is painted, each until its last change, which nothing follows for a
 * while. A part that did not change is left out, as one that is still counted.
 */
export function actAndWait<P extends string>(
  page: Page,
  act: Act,
  parts: Readonly<Record<P, string>>,
): Promise<Partial<Record<P, number>>> {
  return page.evaluate(
    async ([made, selectors, quiet, most]) => {
      // The rows below the screen come and go with the count.
      const look = () =>
        selectors.map(([part, selector]) => {
          const all = [...document.querySelectorAll(selector)];
          const onScreen = all.filter((one) => one.getBoundingClientRect().top < innerHeight);
          return [part, onScreen.map(({ textContent }) => textContent).join('\n')] as const;
        });
      const isPending = (part: string, text: string) =>
        /^(Counting|…)/.test(text) || (part === 'sums' && text === '');
      const seen = new Map(look());
      const changedAt = new Map<string, number>();
      const began = performance.now();
      let last = began;
      if ('press' in made) {
        const buttons = [...document.querySelectorAll<HTMLButtonElement>('form button')];
        buttons.find(({ textContent }) => textContent === made.press)?.click();
      } else {
        const box = document.querySelector<HTMLInputElement>(`input[aria-label^="${made.field}"]`);
        if (box === null) throw new Error(`no field ${made.field}`);
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, made.text);
        box.dispatchEvent(new Event('input', { bubbles: true }));
      }
      const isAnyPending = () => [...seen].some(([part, text]) => isPending(part, text));
      while (performance.now() - last < quiet || isAnyPending()) {
        if (performance.now() - began > most) break;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const changed = look().filter(([part, now]) => now !== seen.get(part));
        if (changed.length === 0) continue;
        // After the frame that shows it.
        await new Promise((resolve) => setTimeout(resolve, 0));
        last = performance.now();
        for (const [part, now] of changed) {
          seen.set(part, now);
          if (isPending(part, now)) changedAt.delete(part);
          else changedAt.set(part, last - began);
        }
      }
      return Object.fromEntries(changedAt) as never;
    },
    [act, Object.entries<string>(parts), quietMs, maxMs] as const,
  );
}

/** Types words letter by letter into a field, and returns of each part how long after a letter it was painted. */
export async function measureTyping<P extends string>(
  page: Page,
  field: string,
  words: readonly string[],
  parts: Readonly<Record<P, string>>,
): Promise<Record<P, number[]>> {
  const names = Object.keys(parts) as P[];
  const all = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<P, number[]>;
  for (const word of words) {
    for (let length = 1; length <= word.length; length += 1) {
      const painted = await actAndWait(page, { field, text: word.slice(0, length) }, parts);
      // A letter more that finds the same changes nothing that could be waited for.
      for (const name of names) if (painted[name] !== undefined) all[name].push(painted[name]);
    }
    await actAndWait(page, { field, text: '' }, parts);
  }
  return all;
}
