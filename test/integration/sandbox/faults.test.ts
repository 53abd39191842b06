import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DataClient, Page } from './data-client.ts';
import { dataClient } from './data-client.ts';
import { givenSandbox } from './given-sandbox.ts';

const sandbox = givenSandbox('--members', '30', '--claims', '95', '--seed', '3');
let client: DataClient;

beforeAll(async () => {
  client = await dataClient(sandbox, false);
});
afterEach(() => sandbox.control('DELETE', '/faults'));

const lay = (...faults: object[]) => sandbox.control('PUT', '/faults', faults);
const body = async (path = '/claims?page=2') =>
  (await (await client.get(path)).json()) as Page & Record<string, unknown>;
const ids = (page: Page) => page.data.map((row) => row.id);

describe('bad days before the reply', () => {
  it('latency', async () => {
    await lay({ kind: 'latency', ms: 300 });
    const started = performance.now();
    expect((await client.get('/claims')).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(290);
  });

  it.each([
    ['json', 'application/json'],
    ['html', 'text/html'],
    ['empty', null],
  ])('500 with %s', async (kind, type) => {
    await lay({ kind: 'status', status: 500, body: kind });
    const reply = await client.get('/claims');
    expect(reply.status).toBe(500);
    expect(reply.headers.get('content-type')?.split(';')[0] ?? null).toBe(type);
    expect(reply.headers.get('x-request-id')).toBeTruthy();
  });

  it('500s at a rate, the same ones for the same requests', async () => {
    const statuses = async () => {
      await lay({ kind: 'status', status: 503, rate: 0.4 });
      const seen: number[] = [];
      for (let n = 0; n < 30; n += 1) seen.push((await client.get('/claims')).status);
      return seen;
    };
    const seen = await statuses();
    expect(seen.filter((status) => status === 503).length).toBeGreaterThan(4);
    expect(seen.filter((status) => status === 200).length).toBeGreaterThan(4);
  });

  it('429 with Retry-After in seconds', async () => {
    await lay({ kind: 'rate-limit', seconds: 7, form: 'seconds' });
    const reply = await client.get('/claims');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('429 with Retry-After as a date', async () => {
    await lay({ kind: 'rate-limit', seconds: 60, form: 'date' });
    const reply = await client.get('/claims');
    const wait = Date.parse(reply.headers.get('retry-after') ?? '') - Date.now();
    expect(reply.status).toBe(429);
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThan(61_000);
  });

  it('a redirect to another host', async () => {
    await lay({ kind: 'redirect', location: 'http://other-host.example/api/v2/claims', status: 307 });
    const reply = await client.get('/claims');
    expect([reply.status, reply.headers.get('location')]).toEqual([
      307,
      'http://other-host.example/api/v2/claims',
    ]);
  });

  it('a reset before anything is sent', async () => {
    await lay({ kind: 'reset' });
    await expect(client.get('/claims')).rejects.toThrow();
  });

  it('oversized cookies', async () => {
    await lay({ kind: 'big-cookies', bytes: 9000 });
    expect(String((await client.get('/claims')).headers.getSetCookie()).length).toBeGreaterThan(9000);
    await lay({ kind: 'big-cookies', bytes: 200_000 });
    await expect(client.get('/claims')).rejects.toThrow();
  });
});

describe('bad days in the body and its delivery', () => {
  it('a reset mid-body', async () => {
    await lay({ kind: 'reset', afterBytes: 400 });
    const reply = await client.get('/claims');
    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow();
  });

  it('a body sent slowly arrives whole', async () => {
    await lay({ kind: 'drip', bytes: 4000, everyMs: 40 });
    const started = performance.now();
    const page = await body();
    expect(page.data).toHaveLength(10);
    expect(performance.now() - started).toBeGreaterThan(150);
  });

  it('truncated JSON', async () => {
    await lay({ kind: 'truncated', keep: 0.3 });
    const text = await (await client.get('/claims')).text();
    expect(text.startsWith('{"data":[')).toBe(true);
    expect(() => JSON.parse(text)).toThrow();
  });

  it.each([
    ['html', /^<!doctype html>/, 'text/html'],
    ['empty', /^$/, 'application/json'],
    ['text', /^OK$/, 'application/json'],
  ])('%s instead of JSON', async (kind, pattern, type) => {
    await lay({ kind: 'replace-body', body: kind });
    const reply = await client.get('/claims');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toContain(type);
    expect(await reply.text()).toMatch(pattern);
  });

  it('a wrong content type', async () => {
    await lay({ kind: 'content-type', value: 'text/csv' });
    const reply = await client.get('/claims');
    expect(reply.headers.get('content-type')).toBe('text/csv');
    expect(((await reply.json()) as Page).data).toHaveLength(10);
  });

  it('broken UTF-8', async () => {
    await lay({ kind: 'broken-utf8' });
    const bytes = await (await client.get('/claims')).arrayBuffer();
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
  });

  it('a 20 MB string', async () => {
    await lay({ kind: 'huge-string', megabytes: 20, times: 1 });
    const page = await body();
    expect(String(page.data[0]?.remarks)).toHaveLength(20_000_000);
  });
});

describe('bad days in the records', () => {
  it('unknown fields in the envelope, the records and the lines', async () => {
    await lay({ kind: 'unknown-fields' });
    const page = await body('/claims?per_page=50');
    expect(page.server_hint).toEqual({ shard: 7 });
    expect(page.data[0]).toMatchObject({ x_text: 'unknown', x_list: [1, 'two', { three: 3 }] });
    const lines = page.data.flatMap((row) => (row.claim_medical_lines as object[] | null) ?? []);
    expect(lines[0]).toMatchObject({ x_line: 'unknown' });
  });

  it('missing fields, but never the ID', async () => {
    await lay({ kind: 'missing-fields' });
    const [row] = (await body()).data;
    expect(Object.keys(row ?? {})).toContain('id');
    expect(Object.keys(row ?? {})).not.toContain('uuid');
  });

  it('records with wrong types, others unchanged', async () => {
    const clean = await body();
    await lay({ kind: 'wrong-types', every: 2 });
    const bent = await body();
    bent.data.forEach((row, n) => {
      if (n % 2 === 0) expect(row).not.toEqual(clean.data[n]);
      else expect(row).toEqual(clean.data[n]);
    });
  });

  it('wrong types on members and on the single member', async () => {
    const clean = await body('/member');
    const member = clean.data.find((row) => row.employer !== null) as Record<string, unknown>;
    await lay({ kind: 'wrong-types' });
    expect((await body('/member')).data[0]).not.toEqual(clean.data[0]);
    const path = `/employer/${(member.employer as { id: number }).id}/member/${member.id}`;
    expect((await body(path)).data).not.toEqual(member);
  });

  it('data as one object', async () => {
    const clean = await body();
    await lay({ kind: 'single-object' });
    expect((await body()).data).toEqual(clean.data[0]);
  });
});

describe('bad days in paging', () => {
  it('page ignored', async () => {
    const first = await body('/claims?page=1');
    await lay({ kind: 'ignore-paging' });
    const page = await body('/claims?page=3');
    expect(ids(page)).toEqual(ids(first));
    expect(page.page).toBe(1);
  });

  it('per_page ignored, and everything at once', async () => {
    await lay({ kind: 'ignore-paging', ignored: 'per_page' });
    expect(await body('/claims?page=2&per_page=50')).toMatchObject({ page: 2, per_page: 10 });
    await lay({ kind: 'ignore-paging', ignored: 'all-at-once' });
    expect((await body('/claims?page=2')).data).toHaveLength(95);
  });

  it('has_next that never ends', async () => {
    const last = await body('/claims?page=10');
    await lay({ kind: 'endless', data: 'repeat' });
    const page = await body('/claims?page=400');
    expect(page).toMatchObject({ has_next: true, next_num: 401 });
    expect(ids(page)).toEqual(ids(last));
    await lay({ kind: 'endless', data: 'empty' });
    expect(await body('/claims?page=400')).toMatchObject({ has_next: true, data: [] });
  });

  it('has_next that is false', async () => {
    await lay({ kind: 'lying-has-next', value: false, page: 2 });
    expect(await body('/claims?page=2')).toMatchObject({ has_next: false, next_num: null });
    expect(await body('/claims?page=3')).toMatchObject({ has_next: true });
    await lay({ kind: 'lying-has-next', value: true });
    expect(await body('/claims?page=10')).toMatchObject({ has_next: true, next_num: 11 });
  });

  it('a total that changes', async () => {
    await lay({ kind: 'moving-total', by: 3 });
    const totals = [(await body()).total, (await body()).total, (await body()).total];
    expect(totals).toEqual([98, 101, 104]);
  });

  it('repeated rows', async () => {
    const [first, second] = [await body('/claims?page=1'), await body('/claims?page=2')];
    await lay({ kind: 'repeat-rows', count: 2 });
    expect(ids(await body('/claims?page=2'))).toEqual([...ids(first).slice(-2), ...ids(second)]);
    expect(ids(await body('/claims?page=1'))).toEqual([...ids(first), ...ids(first).slice(0, 2)]);
  });

  it('missing rows', async () => {
    const clean = await body();
    await lay({ kind: 'missing-rows', count: 3 });
    const page = await body();
    expect(ids(page)).toEqual(ids(clean).slice(0, 7));
    expect(page.total).toBe(95);
  });

  it('0 instead of null for next_num and prev_num', async () => {
    await lay({ kind: 'zero-nums' });
    expect(await body('/claims?page=1')).toMatchObject({ prev_num: 0, next_num: 2 });
    expect(await body('/claims?page=10')).toMatchObject({ prev_num: 9, next_num: 0 });
  });
});

describe('laying faults', () => {
  it('per route', async () => {
    await lay({ kind: 'status', status: 500, route: 'members' });
    expect((await client.get('/member')).status).toBe(500);
    expect((await client.get('/claims')).status).toBe(200);
    expect((await client.get('/policy_holder/20000000/claims')).status).toBe(200);
  });

  it('after some requests and a number of times', async () => {
    await lay({ kind: 'status', status: 502, after: 1, times: 2 });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await client.get('/claims')).status);
    expect(statuses).toEqual([200, 502, 502, 200, 200]);
    const { data } = await sandbox.control<{ data: object[] }>('GET', '/faults');
    expect(data).toEqual([expect.objectContaining({ kind: 'status', seen: 5, applied: 2 })]);
  });

  it('several at once', async () => {
    await lay({ kind: 'unknown-fields' }, { kind: 'missing-rows', count: 4 });
    await sandbox.control('POST', '/faults', { kind: 'content-type', value: 'text/plain' });
    const reply = await client.get('/claims');
    expect(reply.headers.get('content-type')).toBe('text/plain');
    const page = (await reply.json()) as Page;
    expect(page.data).toHaveLength(6);
    expect(page.data[0]).toHaveProperty('x_text');
  });

  it('a fault that is unknown, or has an unknown parameter, is refused', async () => {
    await expect(lay({ kind: 'rain' })).rejects.toThrow('422');
    await expect(lay({ kind: 'latency', ms: 5, color: 'red' })).rejects.toThrow('422');
    await expect(lay({ kind: 'latency' })).rejects.toThrow('422');
  });

  it('the control address requires its token and refuses browsers', async () => {
    expect((await fetch(`${sandbox.controlUrl}/faults`)).status).toBe(401);
    const headers = { authorization: `Bearer ${sandbox.controlToken}` };
    const wrong = { authorization: `Bearer ${sandbox.controlToken.slice(1)}x` };
    expect((await fetch(`${sandbox.controlUrl}/faults`, { headers: wrong })).status).toBe(401);
    expect(
      (await fetch(`${sandbox.controlUrl}/faults`, { headers: { ...headers, origin: 'http://x.example' } }))
        .status,
    ).toBe(403);
    expect((await fetch(`${sandbox.baseUrl}/faults`, { headers })).status).toBe(404);
  });
});
