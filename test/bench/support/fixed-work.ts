import type { Page } from '@playwright/test';

// A fixed piece of work, timed beside each figure: a figure as a multiple of it can be compared between computers, and
// between days of one. Processor time, because other work on the computer makes the figure's own wall clock longer.

const records = 4_000;
const numbers = 40_000;
const paintedCells = 4_000;
const rounds = 5;

let state = 1;
/** The same numbers in each run. */
const next = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state;
};
const text = JSON.stringify(
  Array.from({ length: records }, () => ({
    ...{ id: next(), name: `Patient ${next()}`, provider: `Provider ${next()}`, amount: next() / 100 },
    lines: [{ code: String(next()), amount: next() / 100, isPaid: next() % 2 === 0 }],
  })),
);
const unsorted = Array.from({ length: numbers }, next);

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function parseAndSort(): number {
  const before = process.threadCpuUsage();
  JSON.parse(text);
  unsorted.toSorted((a, b) => a - b);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

let paintMs = 0;

/** The fixed work: parse and sort, and the paint where the bench has a window. In ms. */
export const timeFixedWork = (): number => medianOf(Array.from({ length: rounds }, parseAndSort)) + paintMs;

/** Adds a paint of fixed cells in this page to the fixed work from now on. The quickest one, which waited for the least. */
export async function timePaint(page: Page): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    times.push(
      await page.evaluate(async (cells) => {
        const began = performance.now();
        const painted = document.createElement('div');
        painted.style.cssText = 'position: fixed; inset: 0; overflow: hidden; display: grid;';
        painted.style.gridTemplateColumns = 'repeat(40, 1fr)';
        painted.replaceChildren(
          ...Array.from({ length: cells }, (_none, index) => {
            const cell = document.createElement('span');
            cell.textContent = `$${index}.00`;
            return cell;
          }),
        );
        document.body.append(painted);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
        const tookMs = performance.now() - began;
        painted.remove();
        return tookMs;
      }, paintedCells),
    );
  paintMs = Math.min(...times);
}
