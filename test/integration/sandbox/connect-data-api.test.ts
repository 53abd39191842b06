import { beforeAll, describe, expect, it } from 'vitest';
import type { ConnectClient } from './connect-client.ts';
import { connectClient, join, mint, naming } from './connect-client.ts';
import type { DataClient } from './data-client.ts';
import { dataClient } from './data-client.ts';
import { givenSandbox } from './given-sandbox.ts';

type Json = Record<string, unknown>;
type Member = Json & { id: number; email: string | null; employer: { id: number } | null };

const sandbox = givenSandbox('--members', '120', '--claims', '900');
let client: ConnectClient;
let data: DataClient;

beforeAll(async () => {
  client = connectClient(sandbox);
  data = await dataClient(sandbox);
});

describe('a member whom nobody knew', () => {
  it('is in the member list immediately, under their employer, with the keys of the bootstrap', async () => {
    const { total } = await data.page('/member');
    const joined = await join(client, 'zoe@x.example', {
      user_first_name: 'Zoë',
      date_of_birth: '1985-04-12',
      phone_number: '+12165550100',
      member_system_key: 'EMP/7 & co',
    });
    const list = await data.page(`/member?page=${total + 1}&per_page=1`);
    expect(list.total).toBe(total + 1);
    const [member] = list.data as Member[];
    expect(member).toMatchObject({
      email: 'zoe@x.example',
      first_name: 'Zoë',
      full_name_derived: 'Zoë Reyes',
      date_of_birth: '1985-04-12',
      phone_mobile: '+12165550100',
      archived: false,
      dependents: [],
      employer: { id: joined.employerId, name: 'Newly Founded, Inc.' },
      tenant: { id: joined.tenantId },
      vendor_members: [{ key: 'EMP/7 & co', vendor_tenant: { label: 'northwind-benefits' } }],
    });
    const one = await data.get(`/employer/${joined.employerId}/member/${member?.id}`);
    expect(((await one.json()) as Json).data).toEqual(member);
    expect((await data.get(`/employer/200/member/${member?.id}`)).status).toBe(404);
    const path = `/vendor-tenant/northwind-benefits/employer/NEWCO-1/member/${encodeURIComponent('EMP/7 & co')}/claims`;
    expect((await data.page(path)).total).toBe(0);
    const employers = await sandbox.control<{ data: Json[] }>('GET', '/truth/employers');
    expect(employers.data).toContainEqual({
      employer_id: joined.employerId,
      employer_key: 'NEWCO-1',
      vendor_tenant_label: 'northwind-benefits',
    });
  });

  it('their connection is a policy holder of the data API, without claims yet', async () => {
    const joined = await join(client, 'yan@x.example');
    const { policy_holder_id: id } = await client.post('/policy_holder', joined.submit(15, 'yan.fast'));
    expect((await data.page(`/policy_holder/${id}/claims`)).total).toBe(0);
    expect((await data.get(`/policy_holder/${Number(id) + 1}/claims`)).status).toBe(404);
    const { members } = await client.get(
      `/policy_holder/${id}?email=yan@x.example&employer_id=${joined.employerId}`,
    );
    const [{ id: memberId }] = members as [{ id: number }];
    expect((await data.get(`/employer/${joined.employerId}/member/${memberId}`)).status).toBe(200);
  });
});

describe('a login that the carrier has accepted', () => {
  const crawl = (crawlMs: number): Promise<unknown> =>
    sandbox.control('PUT', '/connect/settings', { crawlMs });

  it('is valid without a success at first; a little later its first claims are in the data API', async () => {
    await crawl(0);
    await crawl(3_600_000);
    const joined = await join(client, 'vera@x.example', { member_system_key: 'V-1' });
    const { policy_holder_id: id } = await client.post('/policy_holder', joined.submit(15, 'vera.fast'));
    const path = `/policy_holder/${id}?email=vera@x.example&employer_id=${joined.employerId}`;
    const before = await data.page('/claims');
    expect(await client.get(path)).toMatchObject({
      login_problem: 'valid',
      login_needs_correction: false,
      last_successful_crawl_end: null,
      claims_synced_count: 0,
      most_recent_claim_date: null,
    });
    await crawl(0);
    const holder = await client.get(path);
    expect(holder).toMatchObject({
      login_problem: 'valid',
      last_successful_crawl_end: expect.any(String),
      claims_synced_count: 5,
      most_recent_claim_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    const own = await data.page(`/policy_holder/${id}/claims`);
    expect(own.total).toBe(5);
    const [{ id: memberId }] = holder.members as [{ id: number }];
    for (const claim of own.data) {
      expect(claim).toMatchObject({
        policy_holder: { id, first_name: 'Dana', last_name: 'Reyes' },
        members: [{ id: memberId, email: 'vera@x.example', employer: { id: joined.employerId } }],
      });
    }
    const after = await data.page('/claims');
    expect(after.total).toBe(before.total + 5);
    const all = await sandbox.truth<{ id: number }>('claims');
    expect(all.map((one) => one.id)).toEqual(
      expect.arrayContaining((own.data as { id: number }[]).map((one) => one.id)),
    );
    const byKey = `/vendor-tenant/northwind-benefits/employer/NEWCO-1/member/V-1/claims`;
    expect((await data.page(byKey)).total).toBe(5);
  });

  it('a second success brings no second first claims; one that broke meanwhile brings none', async () => {
    await crawl(3_600_000);
    const joined = await join(client, 'uma@x.example');
    const { policy_holder_id: id } = await client.post('/policy_holder', joined.submit(15, 'uma.fast'));
    await client.post('/policy_holder', joined.submit(15, 'uma.fast'));
    await sandbox.control('PUT', `/connect/policy-holders/${id}`, { loginProblem: 'locked' });
    await crawl(0);
    expect((await data.page(`/policy_holder/${id}/claims`)).total).toBe(0);
    for (let n = 0; n < 2; n += 1) await client.post('/policy_holder', joined.submit(15, 'uma.fast'));
    expect((await data.page(`/policy_holder/${id}/claims`)).total).toBe(5);
  });
});

describe('a carrier that is migrating', () => {
  it('has a group, returned with the carrier; in the lists only on request', async () => {
    const joined = await join(client, 'tess@x.example');
    const payer = (id: number) => client.get(`/payer/${joined.employerId}/${id}?email=tess@x.example`);
    const groups = await Promise.all([11, 19, 12].map(async (id) => (await payer(id)).payer_group_id));
    expect(groups).toEqual([501, 501, null]);
    const listed = async () => {
      const { payers } = await client.post('/bootstrap', naming('tess@x.example'));
      return (payers as Json[]).filter((one) => 'payer_group_id' in one).length;
    };
    expect(await listed()).toBe(0);
    await sandbox.control('PUT', '/connect/settings', { payerGroups: 'lists' });
    expect(await listed()).toBe(11);
    await sandbox.control('PUT', '/connect/settings', { payerGroups: 'carrier' });
  });
});

describe('a member who is there already', () => {
  async function someone(): Promise<{ member: Member; body: Json }> {
    const { data: employers } = await sandbox.control<{ data: Json[] }>('GET', '/truth/employers');
    const own = employers.filter((one) => one.vendor_tenant_label === 'northwind-benefits');
    const members = await sandbox.truth<Member>('members');
    for (const member of members) {
      const employer = own.find((one) => one.employer_id === member.employer?.id);
      if (employer === undefined || !/^member\d+@/.test(member.email ?? '')) continue;
      const body = naming(String(member.email).toUpperCase(), {
        system_key: employer.employer_key,
        user_first_name: 'Somebody',
      });
      const { user } = await client.post('/bootstrap', body);
      if ((user as { policy_holders: unknown[] }).policy_holders.length > 0) return { member, body };
    }
    throw new Error('nobody of this tenant has a connection');
  }

  it('is found by email and employer; their connections are those of their claims', async () => {
    const { member, body } = await someone();
    const total = (await data.page('/member')).total;
    const { user, employer } = (await client.post('/bootstrap', body)) as {
      user: { first_name: string; policy_holders: { id: number; payer_id: number }[] };
      employer: { id: number };
    };
    expect((await data.page('/member')).total).toBe(total);
    expect(user.first_name).not.toBe('Somebody');
    expect(employer.id).toBe(member.employer?.id);
    for (const holder of user.policy_holders) {
      const claims = await data.page(`/policy_holder/${holder.id}/claims?per_page=1000`);
      expect(claims.total).toBeGreaterThan(0);
      const status = await client.get(
        `/policy_holder/${holder.id}?email=${String(body.user_email)}&employer_id=${employer.id}`,
      );
      expect(status).toMatchObject({
        payer_id: holder.payer_id,
        claims_synced_count: claims.total,
        members: [{ id: member.id }],
      });
      const days = claims.data.map((claim) =>
        String((claim.date_of_service as { start?: unknown } | null)?.start ?? '').slice(0, 10),
      );
      expect(status.most_recent_claim_date).toBe(days.sort().at(-1));
    }
  });

  it('the control address can give a connection a login problem, which every list then shows', async () => {
    const { body } = await someone();
    const { user } = (await client.post('/bootstrap', body)) as {
      user: { policy_holders: { id: number }[] };
    };
    const id = user.policy_holders[0]?.id;
    await sandbox.control('PUT', `/connect/policy-holders/${id}`, {
      loginProblem: 'locked',
      correctionMessage: 'Call your carrier.',
      lastCrawlEnd: '2026-11-01T00:00:00Z',
    });
    const headers = { 'x-connect-access-token': await mint(sandbox) };
    const fixed = await client.get(`/fix-credentials?email=${String(body.user_email)}`, headers);
    expect((fixed.user as { policy_holders: Json[] }).policy_holders[0]).toMatchObject({
      id,
      login_problem: 'locked',
      login_needs_correction: true,
      last_successful_crawl_end: '2026-11-01T00:00:00Z',
    });
  });

  it('another employer’s member with that email is a different one', async () => {
    const { member, body } = await someone();
    const { user } = (await client.post('/bootstrap', { ...body, system_key: 'ELSEWHERE' })) as {
      user: { id: number };
    };
    const newest = (await sandbox.truth<Member>('members')).at(-1);
    expect(newest?.email?.toLowerCase()).toBe(member.email?.toLowerCase());
    expect(newest?.id).not.toBe(member.id);
    expect(user.id).toEqual(expect.any(Number));
  });
});
