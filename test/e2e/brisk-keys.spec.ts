import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import fc from 'fast-check';
import { seedFrom } from '../support/seeds.ts';
import { expect, test } from './app.ts';
import { cellAt, claimTitle, exploreSample, openList, openWorklist } from './steps.ts';

test.use({ options: { members: 60, claims: 400, environment: {}, isBrisk: true } });

/** The same numbers in every run. */
const [delays = [], pauses = [], picks = []] = (
  [
    [0, 2000],
    [50, 800],
    [0, 99],
  ] as const
).map(([min, max], at) =>
  fc.sample(fc.integer({ min, max }), { seed: seedFrom(20_261_127 + at), numRuns: 4000 }),
);

const outcomes: Readonly<Record<string, string>> = { 1: 'eligible', 4: 'noAction', 6: 'disputed' };
const keys = Object.keys(outcomes);

interface Pressed {
  readonly key: string;
  /** The number of the claim in the page's heading when the key was pressed. */
  readonly claim: number;
}
interface Watched {
  readonly pressed: Pressed[];
  /** The claims on screen, one after the other, frame by frame. */
  readonly seen: number[];
}

/** Notes each key with the claim that is on screen, and every claim that a frame shows. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watched: { pressed: object[]; seen: number[] } = { pressed: [], seen: [] };
    Object.assign(window, { watched });
    const readClaim = (): number =>
      Number(
        [...document.querySelectorAll('main h1')]
          .find((one) => /^Claim \d/.test(one.textContent ?? ''))
          ?.textContent?.replace(/\D/g, ''),
      );
    window.addEventListener(
      'keydown',
      ({ key, repeat }) => void (repeat || watched.pressed.push({ key, claim: readClaim() })),
      true,
    );
    const onFrame = () => {
      const claim = readClaim();
      if (watched.seen.at(-1) !== claim) watched.seen.push(claim);
      requestAnimationFrame(onFrame);
    };
    onFrame();
    // A key that is pressed at the moment at which the address changes, before the page does.
    const replace = history.replaceState.bind(history);
    history.replaceState = (...how) => {
      replace(...how);
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: '4', bubbles: true }));
    };
  });
const readWatched = (page: Page): Promise<Watched> =>
  page.evaluate(() => (window as unknown as { watched: Watched }).watched);

/** The acts that the window sends, and whether the engine's answers are delayed. */
interface Answers {
  readonly acts: { readonly claim: number; readonly outcome: string }[];
  isDelayed: boolean;
}

/**
 * Notes the acts that the window sends and, while `isDelayed`, delays each answer of the engine by 0 to 2,000 ms. It begins
 * before the page is used: Chromium does not intercept the first requests after interception begins.
 */
async function watchAnswers(page: Page): Promise<Answers> {
  const answers: Answers = { acts: [], isDelayed: false };
  let asked = 0;
  await page.route(/\/call\//, async (route) => {
    if (route.request().url().endsWith('reviews:act')) {
      const input = route.request().postDataJSON();
      answers.acts.push({ claim: input.target.claimIds[0], outcome: input.act.outcome });
    }
    asked += 1;
    if (answers.isDelayed) await wait(delays[asked % delays.length]);
    await route.continue().catch(() => undefined);
  });
  return answers;
}

/** The IDs of the first rows of the list on screen. */
async function readOrder(page: Page, rows: number): Promise<number[]> {
  const ids: number[] = [];
  for (let row = 0; row < rows; row += 1) ids.push(Number(await cellAt(page, row, 'id').innerText()));
  return ids;
}

test('each act of brisk keys is of the claim on screen, one a press, and no claim is passed over', {
  tag: '@long',
}, async ({ page }) => {
  const answers = await watchAnswers(page);
  await exploreSample(page);
  await openWorklist(page, 'To decide');
  const order = await readOrder(page, 15);
  await cellAt(page, 0, 'id').click();
  await expect(claimTitle(page)).toHaveText(`Claim ${order[0]}`);
  await watch(page);
  const { acts } = answers;
  answers.isDelayed = true;

  for (let press = 0; press < 200; press += 1) {
    await page.keyboard.press(keys[(picks[press] ?? 0) % keys.length] ?? '1');
    await wait(pauses[press]);
  }
  await page.unrouteAll({ behavior: 'wait' });
  const { pressed, seen } = await readWatched(page);
  const decided = acts.map(({ claim }) => claim);
  process.stdout.write(`${pressed.length} presses, ${acts.length} claims decided\n`);
  expect(acts.length).toBeGreaterThan(20);
  expect(new Set(decided).size, 'no claim has two acts').toBe(decided.length);
  expect(decided.slice(0, order.length), 'none is passed over').toEqual(order.slice(0, decided.length));
  expect(decided.slice(0, seen.length), 'each was on screen, in this order').toEqual(
    seen.slice(0, decided.length),
  );
  // Each act has a press of its own, in the same order.
  let last = -1;
  for (const { claim, outcome } of acts) {
    const at = pressed.findIndex(
      (one, index) => index > last && one.claim === claim && outcomes[one.key] === outcome,
    );
    expect(at, `claim ${claim} was on screen when its key was pressed`).toBeGreaterThan(last);
    last = at;
  }
});

test('brisk steps show every claim; in a list a held key acts once, and brisk ones on row after row', {
  tag: '@long',
}, async ({ page }) => {
  const answers = await watchAnswers(page);
  await exploreSample(page);
  await openWorklist(page, 'To decide');
  const order = await readOrder(page, 15);
  await cellAt(page, 0, 'id').click();
  await expect(claimTitle(page)).toHaveText(`Claim ${order[0]}`);
  await watch(page);
  await test.step('j and k', async () => {
    answers.isDelayed = true;
    const countSeen = async () => (await readWatched(page)).seen.length;
    for (let press = 0; press < 40 || (press < 200 && (await countSeen()) < 9); press += 1) {
      const shown = Number((await claimTitle(page).innerText()).replace(/\D/g, ''));
      // Turns back before the last of the claims whose order is known.
      const isForward = (picks[press] ?? 0) < 75 && !order.slice(-4).includes(shown);
      await page.keyboard.press(isForward ? 'j' : 'k');
      await wait(pauses[press]);
    }
    answers.isDelayed = false;
    await expect(page.locator('main [aria-busy="true"]:visible')).toHaveCount(0);
    const places = (await readWatched(page)).seen.map((claim) => order.indexOf(claim));
    expect(places.length).toBeGreaterThan(8);
    for (const [at, place] of places.slice(1).entries())
      expect(Math.abs(place - (places[at] ?? 0)), `${places}`).toBe(1);
  });

  await openList(page, 'Claims');
  const rows = await readOrder(page, 15);
  await cellAt(page, 0, 'status').click();
  const { acts } = answers;
  acts.length = 0;
  answers.isDelayed = true;
  await test.step('a held key', async () => {
    for (let held = 0; held < 20; held += 1) {
      await page.keyboard.down('1');
      await wait(20);
    }
    await page.keyboard.up('1');
    await expect.poll(() => acts.length).toBe(1);
  });
  await test.step('brisk keys in rows', async () => {
    // A slow answer makes presses without an act: presses go on until six claims are decided.
    for (let press = 0; press < 100 && acts.length < 6; press += 1) {
      await page.keyboard.press(keys[(picks[press] ?? 0) % keys.length] ?? '1');
      await wait(pauses[press]);
    }
    await page.unrouteAll({ behavior: 'wait' });
    expect(acts.length).toBeGreaterThan(5);
    expect(acts.map(({ claim }) => claim)).toEqual(rows.slice(0, acts.length));
  });
});
