import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  beginPace,
  createRequestBudget,
  maxAtOnce,
  minAtOnce,
  type Pace,
  paceAfterRefusal,
  paceAfterReply,
} from '../../../../../src/main/engine/service/request-budget.ts';
import { createFakeClock } from '../../../../support/engine-service.ts';

/** Replies that come as fast as `replyMs` says for this many at once. */
function run(pace: Pace, replies: number, replyMs: (limit: number) => number, startMs = 0): Pace {
  let now = startMs;
  let current = pace;
  for (let index = 0; index < replies; index += 1) {
    now += replyMs(current.limit);
    current = paceAfterReply(current, now);
  }
  return current;
}

test('a service that answers more requests faster gets four at once', () => {
  expect(run(beginPace(0), 40, (limit) => 100 / limit).limit).toBe(maxAtOnce);
});

test('a service that takes longer with more requests gets two at once, and is seldom tried', () => {
  let tries = 0;
  run(beginPace(0), 400, (limit) => {
    if (limit > 2) tries += 1;
    return 100;
  });
  expect(run(beginPace(0), 400, () => 100).limit).toBe(2);
  expect(tries).toBeLessThan(400 / 4);
});

test('a refusal halves, down to one; good replies bring it back', () => {
  const four = run(beginPace(0), 40, (limit) => 100 / limit);
  const two = paceAfterRefusal(four, 5000);
  expect(two.limit).toBe(2);
  const one = paceAfterRefusal(two, 5000);
  expect([one.limit, paceAfterRefusal(one, 5000).limit]).toEqual([minAtOnce, minAtOnce]);
  expect(run(one, 60, (limit) => 100 / limit, 5000).limit).toBe(1);
  expect(run(one, 120, (limit) => 100 / limit, 5000).limit).toBeGreaterThan(1);
});

test('whatever happens, the pace stays within its limits', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ ms: fc.nat({ max: 5000 }), isGood: fc.boolean() })), (events) => {
      let now = 0;
      let pace = beginPace(0);
      for (const { ms, isGood } of events) {
        now += ms;
        pace = isGood ? paceAfterReply(pace, now) : paceAfterRefusal(pace, now);
        expect(pace.limit).toBeGreaterThanOrEqual(minAtOnce);
        expect(pace.limit).toBeLessThanOrEqual(maxAtOnce);
      }
    }),
  );
});

test('no more than the limit are admitted, first come first served, and a canceled one leaves the queue', async () => {
  const budget = createRequestBudget({ clock: createFakeClock(), sleep: async () => undefined });
  const first = await budget.enter({});
  await budget.enter({});
  const entered: string[] = [];
  const canceling = new AbortController();
  const third = budget.enter({ signal: canceling.signal }).then(() => entered.push('third'));
  const fourth = budget.enter({}).then(() => entered.push('fourth'));
  canceling.abort(new Error('canceled'));
  await expect(third).rejects.toThrow('canceled');
  expect(entered).toEqual([]);
  first();
  first();
  await fourth;
  expect(entered).toEqual(['fourth']);
  const fifth = budget.enter({}).then(() => entered.push('fifth'));
  await Promise.race([fifth, new Promise((resolve) => setTimeout(resolve, 20))]);
  expect(entered).toEqual(['fourth']);
});
