import { expect, test } from 'vitest';
import type { MemberRecord } from '../../../../../src/contract/records.ts';
import { createDataApi } from '../../../../../src/main/engine/service/data-api.ts';
import { createPageSizes } from '../../../../../src/main/engine/service/page-sizes.ts';
import {
  fetchNarrow,
  findVendorKeys,
  type NarrowTarget,
} from '../../../../../src/main/engine/sync/narrow-fetch.ts';
import type { DeskError } from '../../../../../src/main/lib/errors.ts';
import { type Answer, createFakeClock, createFakeTransport } from '../../../../support/engine-service.ts';
import { createListService, givenStore, readAll, syncOnce } from '../../../../support/engine-sync.ts';

const member = {
  id: 7,
  first_name: 'A',
  employer: { id: 30, employer_id: 31 },
  vendor_members: [{ key: 'M-7', vendor_tenant: { id: 1, label: 'acme benefits & co' } }],
};
const claims = [
  { id: 1, members: [{ id: 7 }], policy_holder: { id: 500 } },
  { id: 2, members: [{ id: 7 }, { id: 8 }], policy_holder: { id: 501 } },
  { id: 3, members: [{ id: 8 }], policy_holder: { id: 502 } },
];

async function givenService(answer: (path: string, page: number, perPage: number) => Answer | DeskError) {
  const store = givenStore();
  await syncOnce(store, createListService({ members: [member], claims }));
  const clock = createFakeClock();
  const paths: string[] = [];
  const { transport } = createFakeTransport(({ url }) => {
    paths.push(url.pathname);
    return answer(
      url.pathname,
      Number(url.searchParams.get('page')),
      Number(url.searchParams.get('per_page')),
    );
  });
  const api = createDataApi({
    baseUrl: 'https://claims.example.com',
    header: 'Authorization',
    scheme: 'SSH-JWT',
    transport,
    clock,
    getToken: async () => 'token',
    sleep: async () => undefined,
  });
  const pageSizes = createPageSizes({ kept: undefined, nowMs: clock.now(), keep: async () => undefined });
  const { signal } = new AbortController();
  const fetch = (target: NarrowTarget) =>
    fetchNarrow(target, { store, api, clock, pageSizes, syncId: 'narrow-1', signal });
  return { store, paths, fetch };
}
const body = (value: unknown): Answer => ({
  body: JSON.stringify(value),
  headers: { 'x-request-id': 'req-1' },
});

test('a member is read again with the claims of the connections that the member’s claims have', async () => {
  const { store, paths, fetch } = await givenService((path) => {
    if (path.includes('/member/')) return body({ data: { ...member, first_name: 'B' } });
    const id = Number(/policy_holder\/(\d+)/.exec(path)?.[1]);
    return body({ data: [{ id: id + 1000, members: [{ id: 7 }], policy_holder: { id } }], total: 1 });
  });
  expect(await fetch({ kind: 'member', memberId: 7 })).toEqual({
    syncId: 'narrow-1',
    records: 3,
    added: 2,
    changed: 1,
    requests: 3,
    requestId: 'req-1',
  });
  expect(paths).toEqual([
    '/api/v2/employer/31/member/7',
    '/api/v2/policy_holder/501/claims',
    '/api/v2/policy_holder/500/claims',
  ]);
  expect((await readAll(store, 'members'))[0]).toMatchObject({ first_name: 'B' });
  expect((await readAll(store, 'claims')).map(({ id }) => id)).toEqual([1, 2, 3, 1500, 1501]);
  expect((await store.read('listChanges', { syncId: 'narrow-1', offset: 0, limit: 9 })).counts).toMatchObject(
    {
      new: 2,
      changed: 1,
    },
  );
});

test('a service that means the employer’s ID gets that', async () => {
  const { paths, fetch } = await givenService((path) => {
    if (path.includes('/employer/31/')) return { status: 404 };
    return body({ data: path.includes('/member/') ? member : [] });
  });
  await fetch({ kind: 'member', memberId: 7 });
  expect(paths.slice(0, 2)).toEqual(['/api/v2/employer/31/member/7', '/api/v2/employer/30/member/7']);
});

test('a member that the service no longer knows is reported, and stays here unchanged', async () => {
  const { store, fetch } = await givenService(() => ({ status: 404 }));
  await expect(fetch({ kind: 'member', memberId: 7 })).rejects.toMatchObject({ code: 'service.notFound' });
  expect(await readAll(store, 'members')).toEqual([member]);
});

test('a member that is not here is record.unknown, without a request', async () => {
  const { paths, fetch } = await givenService(() => body({ data: [] }));
  await expect(fetch({ kind: 'member', memberId: 99 })).rejects.toMatchObject({ code: 'record.unknown' });
  expect(paths).toEqual([]);
});

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_none, at) => ({ id: from + at }));

test('a connection’s claims are read to their end, page after page', async () => {
  const { paths, fetch } = await givenService((_path, page) =>
    body({ data: rows(page * 100, 10), page, pages: 3, per_page: 10, total: 30, has_next: page < 3 }),
  );
  const result = await fetch({ kind: 'connection', policyHolderId: 500 });
  expect([paths.length, result.records, result.added]).toEqual([3, 30, 30]);
});

test.each<[string, (page: number) => object]>([
  ['says nothing of pages', () => ({ data: rows(100, 1000) })],
  [
    'always says that it is page 1 of 3',
    () => ({ data: rows(100, 10), page: 1, pages: 3, per_page: 10, has_next: true }),
  ],
  ['always says that there is more', () => ({ data: rows(100, 10), has_next: true })],
])(
  'a route that ignores page and %s is read once, instead of waiting for an end that never comes',
  async (_name, answer) => {
    const { paths, fetch } = await givenService((_path, page) => body(answer(page)));
    const result = await fetch({ kind: 'connection', policyHolderId: 500 });
    expect(paths.length).toBeLessThanOrEqual(2);
    expect(result.added).toBeGreaterThanOrEqual(10);
  },
);

test('the vendor’s route is used with the employer key typed and the others known', async () => {
  const { paths, fetch } = await givenService((path) =>
    body({ data: path.includes('/employer/31/') ? member : [] }),
  );
  await fetch({ kind: 'member', memberId: 7, employerKey: 'E/1' });
  expect(paths.at(-1)).toBe(
    '/api/v2/vendor-tenant/acme%20benefits%20%26%20co/employer/E%2F1/member/M-7/claims',
  );
});

const known = member as unknown as MemberRecord;

test.each<[string, MemberRecord, Parameters<typeof findVendorKeys>[1], string]>([
  ['no employer key', known, { memberKey: 'M' }, 'employer key'],
  ['no label', { id: 1 }, { employerKey: 'E', memberKey: 'M' }, 'vendor tenant label'],
  ['no member key', { id: 1 }, { employerKey: 'E', vendorTenantLabel: 'L' }, 'member key'],
])('with %s it reports what is missing', (_name, record, typed, missing) => {
  expect(() => findVendorKeys(record, typed)).toThrow(
    expect.objectContaining({ code: 'sync.placeUnknown', details: { missing } }),
  );
});

test('typed keys precede known ones, and an unknown label is used unchanged', () => {
  const place = { employerKey: 'E', memberKey: 'M', vendorTenantLabel: 'L' };
  expect(findVendorKeys(known, place)).toEqual([place]);
  expect(findVendorKeys(known, {})).toEqual([]);
});

test('a connection’s claims arrive in smaller pages if the service refuses large ones, from where they were', async () => {
  const all = rows(1000, 620);
  const { store, paths, fetch } = await givenService((_path, page, perPage) => {
    const isRefused = perPage > 500 || (perPage > 250 && page > 1);
    if (isRefused) return { status: 400 };
    const pages = Math.ceil(all.length / perPage);
    const data = all.slice((page - 1) * perPage, page * perPage);
    return body({ data, page, pages, per_page: perPage, total: all.length, has_next: page < pages });
  });
  const result = await fetch({ kind: 'connection', policyHolderId: 500 });
  // 1,000 and the second page of 500 are refused; of 250 the third page comes.
  expect(paths).toHaveLength(4);
  expect(result).toMatchObject({ records: 620, added: 620, requests: 2 });
  expect(await readAll(store, 'claims')).toHaveLength(claims.length + 620);
});
