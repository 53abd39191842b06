import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectClient } from './connect-client.ts';
import { connectClient, join, mint } from './connect-client.ts';
import { dataClient } from './data-client.ts';
import { givenSandbox } from './given-sandbox.ts';

type Json = Record<string, unknown>;

const TERMS = '/terms_of_service?email=dana@x.example';
const sandbox = givenSandbox('--members', '5', '--claims', '20');
let client: ConnectClient;
let bent: ConnectClient;

beforeAll(async () => {
  client = connectClient(sandbox);
  bent = connectClient(sandbox, { isChecked: false });
  await join(client, 'dana@x.example');
});
afterEach(() => sandbox.control('DELETE', '/faults'));

const lay = (...faults: Json[]) => sandbox.control('PUT', '/faults', faults);

describe('issue: bad days of Connect', () => {
  it('500 with event_id, a number of times; then everything works', async () => {
    await lay({ kind: 'status', status: 500, route: 'connect', times: 2 });
    const replies = [
      await client.call('GET', TERMS),
      await client.call('GET', TERMS),
      await client.call('GET', TERMS),
    ];
    expect(replies.map(({ status }) => status)).toEqual([500, 500, 200]);
    expect(replies[0]?.body.event_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('a fault without a route affects only the data API, one on connect only Connect', async () => {
    const data = await dataClient(sandbox);
    await lay({ kind: 'status', status: 500 });
    expect([(await bent.call('GET', TERMS)).status, (await data.get('/claims')).status]).toEqual([200, 500]);
    await lay({ kind: 'status', status: 500, route: 'connect' });
    expect([(await bent.call('GET', TERMS)).status, (await data.get('/claims')).status]).toEqual([500, 200]);
  });

  it.each([
    ['connect-bootstrap', 'POST', '/bootstrap'],
    ['connect-payer', 'GET', '/payer/1/2'],
    ['connect-terms', 'GET', '/terms_of_service'],
    ['connect-submit', 'POST', '/policy_holder'],
    ['connect-submit', 'PUT', '/policy_holder'],
    ['connect-submit', 'PUT', '/policy_holder/1'],
    ['connect-policy-holder', 'GET', '/policy_holder/1'],
    ['connect-validation', 'GET', '/validate-credentials/1/2'],
    ['connect-answer', 'PUT', '/validate-credentials/1/2'],
    ['connect-fix', 'GET', '/fix-credentials'],
    ['connect-interop', 'POST', '/interop'],
    ['connect-interop', 'GET', '/interop'],
  ] as const)('%s affects %s %s before the caller is checked', async (route, method, path) => {
    await lay({ kind: 'status', status: 503, body: 'html', route });
    const headers = { 'x-service-token': null };
    const reply = await bent.call(method, path, method === 'GET' ? undefined : {}, headers);
    expect(reply.status).toBe(503);
  });

  it('connect-mint affects minting', async () => {
    await lay({ kind: 'status', status: 500, route: 'connect-mint', times: 1 });
    await expect(mint(sandbox)).rejects.toThrow();
    expect(await mint(sandbox)).toMatch(/^ey/);
  });

  it('expired-token: the access token counts as expired, and a later one works', async () => {
    await lay({ kind: 'expired-token', route: 'connect-fix', times: 1 });
    const headers = { 'x-connect-access-token': await mint(sandbox) };
    const fix = () => client.call('GET', '/fix-credentials?email=dana@x.example', undefined, headers);
    const replies = [await fix(), await fix()];
    expect(replies.map(({ status }) => status)).toEqual([422, 200]);
    expect(replies[0]?.body.error_code).toBe('expired_connect_token');
  });

  it('slow', async () => {
    await lay({ kind: 'latency', ms: 150, route: 'connect-terms', times: 1 });
    const started = performance.now();
    await client.get(TERMS);
    expect(performance.now() - started).toBeGreaterThan(140);
  });

  it.each([
    [{ kind: 'truncated' }],
    [{ kind: 'replace-body', body: 'html' }],
    [{ kind: 'replace-body', body: 'empty' }],
  ])('%j: no JSON arrives', async (fault) => {
    await lay({ ...fault, route: 'connect' });
    const { status, body } = await bent.call('GET', TERMS);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('data.html_string', expect.stringContaining('<h1>Terms of use</h1>'));
  });

  it('bytes that are not UTF-8', async () => {
    await lay({ kind: 'broken-utf8', route: 'connect' });
    expect(JSON.stringify((await bent.call('GET', TERMS)).body)).toContain('\ufffd');
  });

  it('a reset, before anything or in the middle', async () => {
    for (const afterBytes of [0, 40]) {
      await lay({ kind: 'reset', afterBytes, route: 'connect' });
      await expect(bent.call('GET', TERMS)).rejects.toThrow();
    }
  });

  it('a redirect elsewhere, and limits', async () => {
    await lay({ kind: 'rate-limit', seconds: 7, route: 'connect', times: 1 });
    const limited = await bent.call('GET', TERMS);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    await lay({ kind: 'redirect', location: `${sandbox.baseUrl}/openapi.json`, route: 'connect', times: 1 });
    expect((await bent.call('GET', TERMS)).body.openapi).toBe('3.1.0');
  });

  it('unknown and missing fields under data', async () => {
    await lay({ kind: 'unknown-fields', route: 'connect' });
    expect((await bent.call('GET', TERMS)).body.data).toMatchObject({
      html_string: expect.any(String),
      x_flag: true,
    });
    await lay({ kind: 'missing-fields', route: 'connect' });
    const { data } = (await bent.call('GET', '/payer/10000/13?email=dana@x.example')).body as { data: Json };
    expect(data).toHaveProperty('id');
    expect(data).not.toHaveProperty('name');
  });
});

describe('issue: the first line’s secrets and what is sent in confidence', () => {
  it('a password is in no reply, in no list of the control address, on neither stdout nor stderr', async () => {
    let said = '';
    for (const stream of [sandbox.child.stdout, sandbox.child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    const canary = 'canary-5f2e-password';
    const dana = await join(client, 'dana@x.example');
    const replies = [
      await client.call('POST', '/policy_holder', dana.submit(15, 'kept.fast', { password: canary })),
      await client.call('POST', '/policy_holder', dana.submit(15, '', { password: canary })),
      await client.call('POST', '/policy_holder', dana.submit(13, 'x', { password: canary })),
      await client.call('POST', '/policy_holder', `{"password": "${canary}", }`),
      await client.call('POST', '/policy_holder', dana.submit(15, 'x', { password: [canary] })),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 422, 422, 400, 422]);
    const told = await Promise.all(
      ['/connect', '/requests', '/complaints', '/state', '/faults'].map((path) =>
        sandbox.control('GET', path),
      ),
    );
    expect(JSON.stringify([replies, told, said])).not.toContain(canary);
    expect(JSON.stringify(told)).not.toContain(sandbox.connect.secretKey);
  });
});

describe('the control address', () => {
  it('GET /connect shows what Connect has', async () => {
    const told = await sandbox.control<Record<string, Json[]>>('GET', '/connect');
    expect(told.members).toContainEqual(
      expect.objectContaining({ realm: 'production', email: 'dana@x.example', hasAccepted: true }),
    );
    expect(told.integrations?.map((one) => one.publicToken)).toEqual([
      sandbox.connect.publicToken,
      sandbox.connect.multiTenantToken,
    ]);
  });

  it.each([
    ['PUT', '/connect/settings', { stepMs: -1 }, /422.*stepMs/],
    ['PUT', '/connect/settings', { unknown: 1 }, /422/],
    ['PUT', '/connect/integration', { token: 'pk_x' }, /404/],
    ['POST', '/connect/expire', { kind: 'all' }, /422/],
    ['POST', '/connect/drop-streams', { how: 'gently' }, /422/],
    ['PUT', '/connect/policy-holders/1', { loginProblem: null }, /404/],
  ])('%s %s %j is refused', async (method, path, body, pattern) => {
    await expect(sandbox.control(method, path, body)).rejects.toThrow(pattern);
  });
});
