import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import type { Answer } from '../../../../support/engine-service.ts';
import {
  createListService,
  givenStore,
  type ListService,
  readAll,
  records,
  type ServedPage,
  syncOnce,
} from '../../../../support/engine-sync.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

/** Answers so to pages of more than `max` records. */
const refuse =
  (max: number, answer: Answer | DeskError): ListService['before'] =>
  ({ perPage }) =>
    perPage > max ? answer : undefined;

const asked = ({ requests }: ListService): string[] =>
  requests.map(({ kind, page, perPage }: ServedPage) => `${kind} ${page} of ${perPage}`);

test.each<[string, Answer | DeskError, number]>([
  ['refused with 400', { status: 400 }, 1],
  ['refused with 413', { status: 413 }, 1],
  ['refused with 422', { status: 422 }, 1],
  ['answered with 500', { status: 500 }, 5],
  ['answered with a proxy’s 504', { status: 504, body: '<html>' }, 5],
  ['timed out', new DeskError('service.timeout'), 2],
  ['broken off', new DeskError('service.connectionLost'), 5],
  ['cut short', { body: '{"data":[{"id":1},' }, 3],
  ['too large to be read', new DeskError('service.replyTooLarge'), 1],
])('pages that are %s are requested in smaller ones', async (_name, answer, tries) => {
  const store = givenStore();
  const service = createListService({ members: records(1, 3), claims: records(1, 620) });
  service.before = refuse(250, answer);
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toBeNull();
  expect(receipt).toMatchObject({ outcome: 'complete', members: 3, claims: 620 });
  expect(asked(service)).toEqual([
    ...Array(tries).fill('members 1 of 1000'),
    ...Array(tries).fill('members 1 of 500'),
    ...['members 1 of 250', 'claims 1 of 250', 'claims 2 of 250', 'claims 3 of 250'],
    ...['members 1 of 250', 'claims 1 of 250', 'claims 2 of 250', 'claims 3 of 250'],
  ]);
  expect(receipt.failedRequests).toBe(2 * tries);
  expect(await readAll(store, 'claims')).toEqual(service.claims);
  expect(service.pageSize?.perPage).toBe(250);
});

test('the next sync immediately requests the size that worked', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 300) });
  service.before = refuse(100, { status: 400 });
  await syncOnce(store, service);
  service.requests.length = 0;
  const { receipt } = await syncOnce(store, service, { syncId: 'run-2' });
  expect(receipt).toMatchObject({ outcome: 'complete', failedRequests: 0 });
  expect(new Set(service.requests.map(({ perPage }) => perPage))).toEqual(new Set([100]));
});

test.each<[number, string]>([
  [401, 'service.unauthorized'],
  [403, 'service.forbidden'],
  [404, 'service.notFound'],
])('%s ends the sync immediately, whatever the size', async (status, code) => {
  const service = createListService({ claims: records(1, 300) });
  service.before = () => ({ status });
  expect((await syncOnce(givenStore(), service)).error?.code).toBe(code);
  expect(service.requests).toHaveLength(1);
  expect(service.pageSize).toBeUndefined();
});

test('a service that refuses every size ends the sync with its own error, and no size is stored', async () => {
  const service = createListService({ claims: records(1, 300) });
  service.before = () => ({ status: 422 });
  expect((await syncOnce(givenStore(), service)).error?.code).toBe('service.unprocessable');
  expect(service.requests.map(({ perPage }) => perPage)).toEqual([1000, 500, 250, 100, 50]);
  expect(service.pageSize).toBeUndefined();
});

test('a page in the middle that times out is requested in parts, and what was read before is not read again', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 4_200) });
  service.before = ({ kind, page, perPage }) =>
    kind === 'claims' && perPage === 1000 && page >= 3 ? new DeskError('service.timeout') : undefined;
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toBeNull();
  expect(receipt).toMatchObject({ outcome: 'complete', claims: 4_200 });
  expect(receipt.reads.map(({ list, pages, ids }) => [list, pages, ids])).toEqual([
    ['members', 1, 0],
    ['claims', 2 + 5, 4_200],
    ['members', 1, 0],
    ['claims', 9, 4_200],
  ]);
  const first = asked(service).slice(1, asked(service).indexOf('claims 5 of 500'));
  expect(first.filter((one) => one === 'claims 1 of 1000' || one === 'claims 2 of 1000')).toHaveLength(2);
  expect(await readAll(store, 'claims')).toEqual(service.claims);
});

test('a service that limits pages silently is read to its end', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 730) });
  service.changeEnvelope = (envelope, { kind, page, perPage }) => {
    if (kind === 'members') return envelope;
    const used = Math.min(perPage, 100);
    return { ...envelope, data: service.claims.slice((page - 1) * used, page * used), per_page: perPage };
  };
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toBeNull();
  expect(receipt).toMatchObject({ outcome: 'complete', claims: 730, failedRequests: 0 });
  expect(service.pageSize).toBeUndefined();
});

test('a total that counts one row too many makes no later list come in small pages', async () => {
  const service = createListService({ members: records(1, 2), claims: records(1, 600) });
  service.changeEnvelope = (envelope, { kind }) =>
    kind === 'members' ? { ...envelope, total: 3 } : envelope;
  const { error } = await syncOnce(givenStore(), service);
  expect(error?.code).toBe('sync.notProven');
  expect(asked(service).filter((one) => one.startsWith('claims'))).toEqual([
    'claims 1 of 1000',
    'claims 1 of 1000',
  ]);
});

test('wherever large pages begin to fail, and however often a sync is interrupted, all records arrive once and are verified', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        count: fc.integer({ min: 0, max: 1_200 }),
        isDescending: fc.boolean(),
        limits: fc.array(
          fc.record({ from: fc.integer({ min: 1, max: 12 }), max: fc.integer({ min: 50, max: 1_000 }) }),
          { maxLength: 3 },
        ),
        answer: fc.constantFrom<Answer | DeskError>(
          { status: 400 },
          { status: 500 },
          new DeskError('service.timeout'),
        ),
        breaks: fc.uniqueArray(fc.integer({ min: 2, max: 20 }), { maxLength: 2 }),
      }),
      async ({ count, isDescending, limits, answer, breaks }) => {
        const store = givenStore();
        const claims = records(1, count);
        const service = createListService({ claims: isDescending ? [...claims].reverse() : claims });
        service.before = ({ perPage }, index) => {
          if (breaks.includes(index)) return new DeskError('service.unreachable');
          return limits.some(({ from, max }) => index >= from && perPage > max) ? answer : undefined;
        };
        let end = await syncOnce(store, service);
        for (let run = 2; end.error?.code === 'service.unreachable'; run += 1)
          end = await syncOnce(store, service, { syncId: `run-${run}` });
        expect(end.error).toBeNull();
        expect(end.receipt).toMatchObject({ outcome: 'complete', claims: count });
        expect(await readAll(store, 'claims')).toEqual(claims);
      },
    ),
    { numRuns: fuzzRuns(12) },
  );
});
