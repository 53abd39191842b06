import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createServiceClock } from '../../../../../src/main/engine/service/service-clock.ts';
import { createFakeClock, reply } from '../../../../support/engine-service.ts';

const dated = (ms: number) => reply({ headers: { date: new Date(ms).toUTCString() } });

test('nothing is known before the first reply', () => {
  const clock = createServiceClock(createFakeClock());
  expect([clock.offsetSeconds, clock.isKnown]).toEqual([0, false]);
});

test.each([400, -400, 3, -3, 600])('a service that is off by %i seconds is detected', (seconds) => {
  const local = createFakeClock();
  const clock = createServiceClock(local);
  expect(clock.learn(dated(local.now() + seconds * 1000), local.now())).toBe(true);
  expect(clock.offsetSeconds).toBe(seconds);
  expect(clock.isKnown).toBe(true);
  expect(clock.learn(dated(local.now() + seconds * 1000), local.now())).toBe(false);
});

test.each([601, -601, 5 * 365 * 86_400])('%i seconds are doubted until main signs by them', (seconds) => {
  const local = createFakeClock();
  const clock = createServiceClock(local);
  const learn = (offset: number) => clock.learn(dated(local.now() + offset * 1000), local.now());
  expect(learn(seconds)).toBe(false);
  expect([clock.offsetSeconds, clock.doubtedSeconds]).toEqual([0, seconds]);
  clock.believe(seconds);
  learn(seconds);
  expect([clock.offsetSeconds, clock.doubtedSeconds]).toEqual([seconds, null]);
  learn(0);
  expect([clock.offsetSeconds, clock.doubtedSeconds]).toEqual([0, null]);
});

test('the precision of a Date is not an offset', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 1500 }), (startMs, tookMs) => {
      const local = createFakeClock(Date.parse('2026-06-01T12:00:00.000Z') + startMs);
      const sentAtMs = local.now();
      local.advance(tookMs);
      const clock = createServiceClock(local);
      expect(clock.learn(dated(sentAtMs + tookMs / 2), sentAtMs)).toBe(false);
      expect(clock.offsetSeconds).toBe(0);
    }),
  );
});

test.each([undefined, '', 'yesterday', 'Infinity'])('a Date of %j teaches nothing', (date) => {
  const local = createFakeClock();
  const clock = createServiceClock(local);
  expect(clock.learn(reply({ headers: date === undefined ? {} : { date } }), local.now())).toBe(false);
  expect(clock.isKnown).toBe(false);
});

test('a clock that is right again is detected too', () => {
  const local = createFakeClock();
  const clock = createServiceClock(local);
  clock.learn(dated(local.now() + 400_000), local.now());
  expect(clock.learn(dated(local.now()), local.now())).toBe(true);
  expect(clock.offsetSeconds).toBe(0);
});
