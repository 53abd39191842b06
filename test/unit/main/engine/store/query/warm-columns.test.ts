import { expect, test, vi } from 'vitest';
import type { ListQuery } from '../../../../../../src/contract/query.ts';
import {
  createBuildOperations,
  createListOperations,
  defaultListOptions,
} from '../../../../../../src/main/engine/store/query/list-operations.ts';
import { openStore } from '../../../../../../src/main/engine/store/threads/store.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const claimsOf = (count: number, status = 'A') =>
  Array.from({ length: count }, (_none, id) => ({
    id,
    status: id % 2 === 0 ? status : null,
    patient_name: `Person ${id % 17}`,
    amount_billed: id,
    date_of_service: { bounds: '[]', start: `2025-0${1 + (id % 9)}-10`, end: null },
  }));
const query: ListQuery = {
  entity: 'claims',
  conditions: [{ field: 'status', operator: 'is', values: ['A'] }],
  search: 'p per',
  sort: [{ field: 'patient_name', direction: 'desc' }],
};

function givenLists(claims: number, minRows: number) {
  const store = openTestStore();
  store.ingest('claims', claimsOf(claims));
  const builder = createBuildOperations(store.connection);
  // As between threads: what comes is a copy, and no Buffer any more.
  const build = vi.fn(async (entity: 'claims', path: string) =>
    structuredClone(builder.buildPart({ entity, path })),
  );
  const lists = createListOperations(store.readerConnection, {
    ...defaultListOptions,
    minRows,
    build: build as never,
  });
  const untilQuiet = () => vi.waitFor(() => expect(lists.measureColumns(null).isBusy).toBe(false), 5_000);
  return { store, build, lists, untilQuiet };
}

test('what a list lacked is read behind it, and the next one comes from memory, the same', async () => {
  const { lists, build, untilQuiet } = givenLists(300, 0);
  expect(lists.firstKeys({ query, limit: 5 })).toBeNull();
  const bySql = lists.makeList(query);
  await untilQuiet();
  expect(build.mock.calls.map(([, path]) => path).toSorted()).toEqual(
    ['$amounts', '$letter-p', '$table', 'patient_name', 'status'].toSorted(),
  );
  expect(lists.firstKeys({ query, limit: 5 })?.first).toEqual([...bySql.keys].slice(0, 5));
  expect(lists.makeList(query)).toEqual(bySql);
  const byMonth = {
    query,
    by: 'date_of_service.month',
    options: { order: 'value' as const, isDescending: false, offset: 0, limit: 99 },
  };
  const groups = lists.groupList(byMonth);
  await untilQuiet();
  expect(lists.groupList(byMonth)).toEqual(groups);
  expect(build).toHaveBeenCalledTimes(6);
});

test('letters of a search are waited for, where all else is in memory', async () => {
  const { lists, build, untilQuiet } = givenLists(300, 0);
  const { search: _search, ...unsearched } = query;
  expect(lists.isWarming(query)).toBe(false);
  lists.makeList(unsearched);
  await untilQuiet();
  expect(lists.isWarming(unsearched)).toBe(false);
  expect(lists.isWarming(query)).toBe(true);
  await untilQuiet();
  expect(build.mock.calls.at(-1)?.[1]).toBe('$letter-p');
  expect(lists.isWarming(query)).toBe(false);
  expect(lists.firstKeys({ query, limit: 5 })?.whole?.keys).toHaveLength(150);
});

test('small tables are left to SQLite', async () => {
  const { lists, build, untilQuiet } = givenLists(20, 1000);
  lists.makeList(query);
  await untilQuiet();
  lists.makeList(query);
  await untilQuiet();
  expect(build.mock.calls.map(([, path]) => path)).toEqual(['$table']);
  expect(lists.measureColumns(null).bytes).toBe(0);
});

test('what was read of records that changed meanwhile is not taken over', async () => {
  const { store, lists, build } = givenLists(300, 0);
  build.mockImplementationOnce(async (entity, path) => {
    const built = structuredClone(createBuildOperations(store.connection).buildPart({ entity, path }));
    store.ingest('claims', claimsOf(300, 'B'));
    return built;
  });
  lists.makeList(query);
  await vi.waitFor(() => expect(build).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(lists.firstKeys({ query, limit: 5 })).toBeNull();
  expect(lists.makeList(query).keys).toHaveLength(0);
  expect(lists.measureColumns(null).isBusy).toBe(true);
});

test('a part that cannot be read leaves the lists to SQLite', async () => {
  const { lists, build, untilQuiet } = givenLists(300, 0);
  build.mockRejectedValue(new Error('no thread'));
  lists.makeList(query);
  await untilQuiet();
  expect(lists.makeList(query).keys).toHaveLength(150);
});

test('threads do so, too', { timeout: 20_000 }, async () => {
  const { filePath, key, ingest } = openTestStore();
  ingest('claims', claimsOf(3_500));
  const store = await openStore({ filePath, key: Buffer.from(key), isReadOnly: true, readers: 1 });
  try {
    const bySql = await store.list('makeList', query);
    await vi.waitFor(
      async () => expect((await store.list('measureColumns', null)).isBusy).toBe(false),
      15_000,
    );
    const first = await store.list('firstKeys', { query, limit: 7 });
    expect(first?.first).toEqual([...bySql.keys].slice(0, 7));
    expect(await store.list('makeList', query)).toEqual(bySql);
    expect((await store.list('measureColumns', null)).bytes).toBeGreaterThan(100_000);
  } finally {
    await store.close();
  }
});
