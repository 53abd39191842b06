import { beforeAll, describe, expect, it } from 'vitest';
import type { DataClient } from './data-client.ts';
import { dataClient, readAll } from './data-client.ts';
import { givenSandbox } from './given-sandbox.ts';
import { startSandbox } from './start-sandbox.ts';

type Row = Record<string, unknown>;
type Employer = { employer_id: number; employer_key: string; vendor_tenant_label: string };

const sandbox = givenSandbox('--members', '60', '--claims', '1230', '--seed', '7');
let client: DataClient;

beforeAll(async () => {
  client = await dataClient(sandbox);
});

describe('interface, Data API: five routes', () => {
  it('GET /claims answers an envelope whose data is an array of claims', async () => {
    const page = await client.page('/claims');
    expect(page.data).toHaveLength(10);
    expect(page.total).toBe(1230);
  });

  it('GET /vendor-tenant/{label}/employer/{key}/member/{key}/claims answers exactly the claims that name the member', async () => {
    const claims = await sandbox.truth<Row>('claims');
    const { data: employers } = await sandbox.control<{ data: Employer[] }>('GET', '/truth/employers');
    let compared = 0;
    for (const member of await sandbox.truth<Row>('members')) {
      const path = vendorPath(member, employers);
      if (path === undefined) continue;
      const rows = await readAll(client, path);
      expect(rows.map((row) => row.id)).toEqual(
        claims.filter((claim) => namesMember(claim, member.id)).map((claim) => claim.id),
      );
      compared += rows.length;
    }
    expect(compared).toBeGreaterThan(500);
  });

  it('GET /policy_holder/{id}/claims answers exactly the claims of that connection', async () => {
    const claims = await sandbox.truth<Row>('claims');
    const holderOf = (claim: Row): unknown => (claim.policy_holder as Row | null)?.id;
    const holders = [...new Set(claims.map(holderOf).filter((id) => id !== undefined))];
    expect(holders.length).toBeGreaterThan(50);
    for (const id of holders) {
      const rows = await readAll(client, `/policy_holder/${id}/claims`);
      expect(rows.map((row) => row.id)).toEqual(
        claims.filter((claim) => holderOf(claim) === id).map((claim) => claim.id),
      );
    }
  });

  it('GET /member answers the paginated member list of the account (docs/service.md, "Lists and values")', async () => {
    const rows = await readAll(client, '/member', 7);
    expect(rows).toEqual(await sandbox.truth('members'));
  });

  it('GET /employer/{employer_id}/member/{member_id} answers only data', async () => {
    const member = (await sandbox.truth<Row>('members')).find((row) => row.employer !== null) as Row;
    const path = `/employer/${(member.employer as Row).id}/member/${member.id}`;
    const body = (await (await client.get(path)).json()) as Row;
    expect(body).toEqual({ data: member });
  });

  it('the single-member route is 404 for a member of another employer', async () => {
    const member = (await sandbox.truth<Row>('members')).find((row) => row.employer !== null) as Row;
    const other = ((member.employer as Row).id as number) === 200 ? 201 : 200;
    expect((await client.get(`/employer/${other}/member/${member.id}`)).status).toBe(404);
  });

  it('the vendor-tenant route is 404 if the label, the employer key or the member key is different', async () => {
    const { data: employers } = await sandbox.control<{ data: Employer[] }>('GET', '/truth/employers');
    const member = (await sandbox.truth<Row>('members')).find(
      (row) => vendorPath(row, employers) !== undefined,
    ) as Row;
    const parts = (vendorPath(member, employers) as string).split('/');
    for (const index of [2, 4, 6]) {
      const bent = parts.with(index, 'other').join('/');
      const reply = await client.get(bent);
      expect(reply.status, bent).toBe(404);
    }
  });
});

describe('interface, Pagination envelope', () => {
  it('data, has_next, has_prev, next_num, prev_num, page, pages, per_page and total are present', async () => {
    expect(Object.keys(await client.page('/claims')).sort()).toEqual(
      ['data', 'has_next', 'has_prev', 'next_num', 'page', 'pages', 'per_page', 'prev_num', 'total'].sort(),
    );
  });

  it('the numbers of the first, a middle and the last page agree', async () => {
    const pick = ({ data: _data, ...rest }: Awaited<ReturnType<DataClient['page']>>) => rest;
    const common = { per_page: 500, pages: 3, total: 1230 };
    expect(pick(await client.page('/claims?per_page=500'))).toEqual({
      ...common,
      page: 1,
      has_prev: false,
      prev_num: null,
      has_next: true,
      next_num: 2,
    });
    expect(pick(await client.page('/claims?per_page=500&page=2'))).toEqual({
      ...common,
      page: 2,
      has_prev: true,
      prev_num: 1,
      has_next: true,
      next_num: 3,
    });
    const last = await client.page('/claims?per_page=500&page=3');
    expect(pick(last)).toEqual({
      ...common,
      page: 3,
      has_prev: true,
      prev_num: 2,
      has_next: false,
      next_num: null,
    });
    expect(last.data).toHaveLength(230);
  });

  it('a page past the end is empty and says so', async () => {
    const page = await client.page('/claims?per_page=500&page=9');
    expect(page.data).toEqual([]);
    expect(page).toMatchObject({ has_next: false, next_num: null, has_prev: true, prev_num: 3, total: 1230 });
  });

  it.each([1, 7, 10, 999, 1000])(
    'pages of %i together are the whole list, each record once',
    async (perPage) => {
      const rows = await readAll(client, '/claims', perPage === 1 ? 111 : perPage);
      const truth = await sandbox.truth<Row>('claims');
      expect(rows.map((row) => row.id)).toEqual(truth.map((row) => row.id));
      expect(rows.at(-1)).toEqual(truth.at(-1));
    },
  );
});

describe('docs/service.md, "Lists and values": page and per_page', () => {
  it('page starts at 1 and per_page is 10 when left out', async () => {
    expect(await client.page('/claims')).toMatchObject({ page: 1, per_page: 10 });
  });

  it('per_page is limited to 1000 and the reply has the value used', async () => {
    const page = await client.page('/claims?per_page=5000');
    expect(page).toMatchObject({ per_page: 1000, pages: 2 });
    expect(page.data).toHaveLength(1000);
  });

  it.each([
    'page=0',
    'page=-1',
    'page=abc',
    'page=',
    'page=1.5',
    'page=1e2',
    'page=%31%20',
    'page=99999999999999999999',
    'per_page=0',
    'per_page=-5',
    'per_page=ten',
    'per_page=',
    'page=1&page=2',
    'per_page=٣',
  ])('%s is a malformed number: 400 with a message', async (query) => {
    const reply = await client.get(`/claims?${query}`);
    expect(reply.status).toBe(400);
    const body = (await reply.json()) as Row;
    expect(body.message).toContain(query.startsWith('per_page') ? 'per_page' : 'page');
  });

  it('unknown query parameters are ignored', async () => {
    expect((await client.page('/claims?color=red&page=2')).page).toBe(2);
  });
});

describe('interface, Errors: 404', () => {
  it.each([
    '/policy_holder/abc/claims',
    '/policy_holder/0/claims',
    '/policy_holder/-1/claims',
    '/policy_holder/1.5/claims',
    '/policy_holder/20000000x/claims',
    '/policy_holder/99999999999999999999/claims',
    '/policy_holder/1/claims',
    '/employer/abc/member/1000000',
    '/employer/200/member/abc',
    '/employer/9999/member/1000000',
    '/employer/200/member/1000001',
  ])('%s: unknown record or malformed path parameter', async (path) => {
    const reply = await client.get(path);
    expect(reply.status).toBe(404);
  });
});

function vendorPath(member: Row, employers: readonly Employer[]): string | undefined {
  const vendor = (member.vendor_members as { key: string; vendor_tenant: { label: string } }[] | null)?.[0];
  const employer = employers.find((known) => known.employer_id === (member.employer as Row | null)?.id);
  if (vendor === undefined || employer === undefined) return undefined;
  const parts = [vendor.vendor_tenant.label, employer.employer_key, vendor.key].map(encodeURIComponent);
  return `/vendor-tenant/${parts[0]}/employer/${parts[1]}/member/${parts[2]}/claims`;
}

function namesMember(claim: Row, id: unknown): boolean {
  return ((claim.members as Row[] | null) ?? []).some((member) => member.id === id);
}

describe('issue: page 900 of a million claims costs what page 1 costs', () => {
  it('any page of a million is answered, and a thousand claims are on it', async () => {
    const large = await startSandbox('--members', '50000', '--claims', '1000000');
    try {
      const own = await dataClient(large, false);
      for (const page of [1, 900, 1000]) {
        const reply = await own.page(`/claims?page=${page}&per_page=1000`);
        expect(reply).toMatchObject({ total: 1_000_000, pages: 1000, has_next: page < 1000 });
        expect(reply.data).toHaveLength(1000);
      }
      const { memoryBytes } = await large.control<{ memoryBytes: number }>('GET', '/state');
      expect(memoryBytes).toBeLessThan(600e6);
    } finally {
      await large.stop();
    }
  });
});
