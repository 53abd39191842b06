import { expect, test } from 'vitest';
import { createPageSizes } from '../../../../../src/main/engine/service/page-sizes.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';

const nowMs = Date.parse('2026-06-02T12:00:00.000Z');
const refused = new DeskError('service.badRequest');

function givenSizes(kept?: { perPage: number; learnedAt: string }) {
  const written: (number | null)[] = [];
  const sizes = createPageSizes({ kept, nowMs, keep: async (perPage) => void written.push(perPage) });
  return { sizes, written };
}

test('without a refusal the largest size is requested, and nothing is stored', async () => {
  const { sizes, written } = givenSizes();
  expect([sizes.current, sizes.known]).toEqual([1000, 1000]);
  for (const perPage of [1000, 1000, 100]) await sizes.keepServed(perPage);
  expect(written).toEqual([]);
});

test('each refusal reduces the size by one, and the first that works is stored once', async () => {
  const { sizes, written } = givenSizes();
  expect([1000, 500, 250, 100, 50].map((perPage) => sizes.stepDown(perPage, refused))).toEqual([
    500,
    250,
    100,
    50,
    null,
  ]);
  expect(sizes.current).toBe(50);
  await sizes.keepServed(50);
  await sizes.keepServed(50);
  expect(written).toEqual([50]);
});

test('the service’s own size is reduced to the next smaller one', () => {
  expect(givenSizes().sizes.stepDown(998, refused)).toBe(500);
});

test.each([
  'service.unauthorized',
  'service.tokenExpired',
  'service.forbidden',
  'service.notFound',
  'service.rateLimited',
  'service.unreachable',
  'service.clockSkew',
  'sync.canceled',
  'disk.full',
] as const)('%s does not depend on the size', (code) => {
  const { sizes } = givenSizes();
  expect(sizes.stepDown(1000, new DeskError(code))).toBeNull();
  expect(sizes.current).toBe(1000);
});

test('a fault that asks to wait for hours, and errors not from the service, do not reduce the size', () => {
  const { sizes } = givenSizes();
  const later = new DeskError('service.fault', { details: { retryAfterSeconds: 9_999 } });
  expect([sizes.stepDown(1000, later), sizes.stepDown(1000, new Error('no'))]).toEqual([null, null]);
});

test('the size that worked is requested for a day, and then the next larger one once', async () => {
  const recent = givenSizes({ perPage: 250, learnedAt: '2026-06-01T12:00:01.000Z' });
  expect(recent.sizes.current).toBe(250);
  await recent.sizes.keepServed(250);
  expect(recent.written).toEqual([]);

  const served = givenSizes({ perPage: 250, learnedAt: '2026-06-01T12:00:00.000Z' });
  expect([served.sizes.current, served.sizes.known]).toEqual([500, 250]);
  await served.sizes.keepServed(500);
  expect(served.written).toEqual([500]);

  const again = givenSizes({ perPage: 250, learnedAt: '2026-05-01T12:00:00.000Z' });
  expect(again.sizes.stepDown(again.sizes.current, refused)).toBe(250);
  await again.sizes.keepServed(250);
  expect(again.written).toEqual([250]);
});

test('once the largest works again nothing has to be stored', async () => {
  const { sizes, written } = givenSizes({ perPage: 500, learnedAt: '2026-05-01T12:00:00.000Z' });
  expect(sizes.current).toBe(1000);
  await sizes.keepServed(1000);
  expect(written).toEqual([null]);
});

test('a time that can’t be read, or is ahead because of a wrong clock, does not prevent trying again', () => {
  expect(givenSizes({ perPage: 250, learnedAt: 'then' }).sizes.current).toBe(500);
  expect(givenSizes({ perPage: 250, learnedAt: '2036-06-01T12:00:00.000Z' }).sizes.current).toBe(500);
});
