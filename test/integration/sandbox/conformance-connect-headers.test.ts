import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectClient, Joined } from './connect-client.ts';
import { connectClient, join, mint, naming } from './connect-client.ts';
import { givenSandbox } from './given-sandbox.ts';

const sandbox = givenSandbox('--members', '20', '--claims', '100');
let client: ConnectClient;
let dana: Joined;

beforeAll(async () => {
  client = connectClient(sandbox);
  dana = await join(client, 'dana@x.example');
});

const TERMS = '/terms_of_service?email=dana@x.example';

describe('interface, Common Connect request headers', () => {
  it.each([
    ['x-service-token', null, /X-Service-Token/],
    ['x-service-token', ' ', /X-Service-Token/],
    ['x-connect-api-version', null, /X-Connect-API-Version/],
    ['x-connect-api-version', '2', /X-Connect-API-Version/],
    ['x-is-demo', 'yes', /X-Is-Demo/],
  ])('%s = %j: 400 that names it', async (name, value, pattern) => {
    const { status, body } = await client.call('GET', TERMS, undefined, { [name]: value });
    expect(status).toBe(400);
    expect(body.message).toMatch(pattern);
  });

  it('a write without Content-Type: application/json is 400', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      const { status } = await client.call('POST', '/bootstrap', 'user_email=dana@x.example', {
        'content-type': type,
      });
      expect(status, type).toBe(400);
    }
    const body = naming('dana@x.example');
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await client.call('POST', '/bootstrap', body, headers)).status).toBe(200);
  });

  it.each([['{'], ['[]'], ['"text"'], ['null'], ['{"password": hunter2}']])(
    'the body %s: 400, and nothing of it is returned',
    async (text) => {
      const { status, body } = await client.call('POST', '/bootstrap', text);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).not.toContain('hunter2');
    },
  );

  it('every response has X-Request-Id, including errors, each its own', async () => {
    const replies = await Promise.all([
      client.call('GET', TERMS),
      client.call('GET', '/terms_of_service'),
      client.call('GET', TERMS, undefined, { 'x-service-token': null }),
    ]);
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
  });
});

describe('interface, Errors: 401 for an inactive token', () => {
  afterEach(() =>
    sandbox.control('PUT', '/connect/integration', { token: sandbox.connect.publicToken, isActive: true }),
  );

  it('a token that was switched off and an unknown one get the same answer', async () => {
    const unknown = await client.call('GET', TERMS, undefined, { 'x-service-token': 'pk_nobody' });
    await sandbox.control('PUT', '/connect/integration', {
      token: sandbox.connect.publicToken,
      isActive: false,
    });
    const inactive = await client.call('GET', TERMS);
    expect([unknown.status, inactive.status]).toEqual([401, 401]);
    expect(unknown.body).toEqual(inactive.body);
  });
});

describe('interface, Member identification', () => {
  const sentence = 'Cannot provide empty user outside of initial post.';

  it.each([
    ['GET', '/terms_of_service', undefined],
    ['GET', '/terms_of_service?email=', undefined],
    ['GET', '/policy_holder/1?employer_id=1', undefined],
    ['GET', '/fix-credentials', undefined],
    ['POST', '/policy_holder', {}],
    ['POST', '/policy_holder?email=dana@x.example', {}],
    ['PUT', '/policy_holder/1', { user: {} }],
    ['PUT', '/policy_holder', { email: 'dana@x.example' }],
    ['PUT', '/validate-credentials/1/2', { code: '1' }],
    ['POST', '/interop', {}],
  ] as const)('%s %s without the required email: 403', async (method, path, body) => {
    const headers = { 'x-connect-access-token': await mint(sandbox) };
    const reply = await client.call(method, path, body, headers);
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({ message: sentence });
  });

  it('user.email identifies the member like user_email, ignoring case', async () => {
    const { user_email: _email, ...body } = dana.submit(15, 'nested.fast');
    const reply = await client.call('POST', '/policy_holder', { ...body, user: { email: 'DANA@X.example' } });
    expect(reply.status).toBe(200);
  });

  it('a member that this token has not bootstrapped: 403 (docs/service.md, "Connect calls")', async () => {
    const stranger = await client.call('GET', '/terms_of_service?email=nobody@x.example');
    expect(stranger.status).toBe(403);
    expect(stranger.body.message).not.toBe(sentence);
    // Bootstrapped, but under another token.
    const [tenant] = sandbox.connect.tenants;
    const other = await client.call('GET', TERMS, undefined, {
      'x-service-token': sandbox.connect.multiTenantToken,
      'x-tenant-label': tenant?.label ?? '',
      'x-tenant-key': tenant?.key ?? '',
    });
    expect(other.status).toBe(403);
  });
});

describe('interface, Connect API rule 7: a token that spans several tenants', () => {
  const of = (label: string | null, key: string | null): Record<string, string | null> => ({
    'x-service-token': sandbox.connect.multiTenantToken,
    'x-tenant-label': label,
    'x-tenant-key': key,
  });

  it('needs both headers: 400 without', async () => {
    const { label = '', key = '' } = sandbox.connect.tenants[1] ?? {};
    for (const headers of [of(null, null), of(label, null), of(null, key)]) {
      expect((await client.call('POST', '/bootstrap', naming('t@x.example'), headers)).status).toBe(400);
    }
  });

  it('accepts each tenant, and answers for that one', async () => {
    for (const { label, key } of sandbox.connect.tenants) {
      const data = await client.post('/bootstrap', naming('t@x.example'), of(label, key));
      expect(data.tenant).toEqual({ id: Number(key.slice(3)), name: expect.any(String) });
    }
    // A member who was bootstrapped within one tenant counts there only.
    const [first, second] = sandbox.connect.tenants;
    await client.post('/bootstrap', naming('one@x.example'), of(first?.label ?? '', first?.key ?? ''));
    const path = '/terms_of_service?email=one@x.example';
    const at = (tenant: typeof first) =>
      client.call('GET', path, undefined, of(tenant?.label ?? '', tenant?.key ?? ''));
    expect([(await at(first)).status, (await at(second)).status]).toEqual([200, 403]);
  });

  it('a label sent as UTF-8 is understood as well as one in Latin-1', async () => {
    const odd = sandbox.connect.tenants[2];
    const label = Buffer.from(odd?.label ?? '', 'utf8').toString('latin1');
    expect(
      (await client.call('POST', '/bootstrap', naming('t@x.example'), of(label, odd?.key ?? ''))).status,
    ).toBe(200);
  });

  it('a tenant that is not its own, or a key that is not the label’s: 403', async () => {
    const [first, second] = sandbox.connect.tenants;
    const crossed = of(first?.label ?? '', second?.key ?? '');
    expect((await client.call('POST', '/bootstrap', naming('t@x.example'), crossed)).status).toBe(403);
    const foreign = {
      ...of(second?.label ?? '', second?.key ?? ''),
      'x-service-token': sandbox.connect.publicToken,
    };
    expect((await client.call('POST', '/bootstrap', naming('t@x.example'), foreign)).status).toBe(403);
  });
});

describe('interface, Connect API rule 8: the embed-origin allowlist', () => {
  const set = (origins: string[] | null) =>
    sandbox.control('PUT', '/connect/integration', { token: sandbox.connect.publicToken, origins });
  afterEach(() => set(null));

  it('without one, any origin is allowed', async () => {
    expect((await client.call('GET', TERMS, undefined, { origin: 'https://any.example' })).status).toBe(200);
  });

  it('with one, another origin is 403 origin_not_allowed; a listed one and none at all are allowed', async () => {
    await set(['https://portal.example']);
    for (const origin of ['https://other.example', 'null', 'https://portal.example.evil.example']) {
      const refused = await client.call('GET', TERMS, undefined, { origin });
      expect(refused.status, origin).toBe(403);
      expect(refused.body.error_code).toBe('origin_not_allowed');
    }
    expect((await client.call('GET', TERMS, undefined, { origin: 'https://portal.example' })).status).toBe(
      200,
    );
    expect((await client.call('GET', TERMS)).status).toBe(200);
  });
});

describe('browsers of another origin', () => {
  const origin = 'https://portal.example';
  const preflight = (path: string, headers: Record<string, string>) =>
    fetch(`${sandbox.baseUrl}${path}`, { method: 'OPTIONS', headers });
  const asked = { origin, 'access-control-request-method': 'POST' };

  it.each(['/connect/v1/bootstrap', '/sdk-api/tpastream_sdk', '/v3/connect/progress/1/stream'])(
    'a preflight for %s is allowed, with every header of Connect',
    async (path) => {
      const { status, headers } = await preflight(path, asked);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          ...['content-type', 'x-service-token', 'x-connect-api-version', 'x-connect-access-token'],
          ...['x-tenant-label', 'x-tenant-key', 'x-connect-state-id', 'x-sdk-state-id', 'x-is-demo'],
        ]),
      );
    },
  );

  it('an OPTIONS that is not a preflight, and one for the data API or the mint: 404', async () => {
    const { 'access-control-request-method': _method, ...bare } = asked;
    expect((await preflight('/connect/v1/bootstrap', bare)).status).toBe(404);
    for (const path of ['/api/v2/claims', '/api/create-connect-token', '/settings/ssh'])
      expect((await preflight(path, asked)).status, path).toBe(404);
  });

  it('a page may read the reply, its request id and the replaced access token, also of an error', async () => {
    const ok = await client.call('GET', TERMS, undefined, { origin });
    const refused = await client.call('GET', '/terms_of_service?email=nobody@x.example', undefined, {
      origin,
    });
    expect([ok.status, refused.status]).toEqual([200, 403]);
    for (const { headers } of [ok, refused]) {
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-expose-headers')).toBe('X-Request-Id, X-Set-Connect-Access-Token');
      expect(headers.get('vary')).toBe('Origin');
    }
    expect((await client.call('GET', TERMS)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('interface, Connect API rule 9: cookies', () => {
  type Complaint = { kind: string; requestId: string; message: string };
  const complaints = async () => (await sandbox.control<{ data: Complaint[] }>('GET', '/complaints')).data;

  it('a session cookie is set; a client that discards it is not reported', async () => {
    await sandbox.control('DELETE', '/requests');
    const { headers } = await client.call('GET', TERMS);
    expect(headers.get('set-cookie')).toMatch(/^session=[^;]+; Path=\//);
    expect(await complaints()).toEqual([]);
  });

  it('a cookie that is sent back is reported; with another member’s request, by name', async () => {
    await join(client, 'erin@x.example');
    await sandbox.control('DELETE', '/requests');
    const first = await client.call('GET', TERMS);
    const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const own = await client.call('GET', TERMS, undefined, { cookie });
    expect(await complaints()).toEqual([
      { kind: 'cookie', requestId: own.headers.get('x-request-id'), message: expect.any(String) },
    ]);
    const path = '/terms_of_service?email=erin@x.example';
    const other = await client.call('GET', path, undefined, { cookie: `theme=dark; ${cookie}` });
    expect(other.status).toBe(200);
    expect((await complaints()).slice(1).map(({ kind, requestId }) => [kind, requestId])).toEqual([
      ['cookie', other.headers.get('x-request-id')],
      ['cookie-of-another-member', other.headers.get('x-request-id')],
    ]);
  });
});

describe('X-Is-Demo', () => {
  it('demo data is separate: neither knows the other’s members, and the data API has none of the demo’s', async () => {
    const demo = connectClient(sandbox, { headers: { 'x-is-demo': '1' } });
    expect((await demo.call('GET', TERMS)).status).toBe(403);
    const before = (await sandbox.truth('members')).length;
    const member = await join(demo, 'only.demo@x.example');
    expect((await client.call('GET', '/terms_of_service?email=only.demo@x.example')).status).toBe(403);
    expect(await sandbox.truth('members')).toHaveLength(before);
    const ids = await demo.post('/policy_holder', member.submit(15, 'demo.fast'));
    const path = `/policy_holder/${ids.policy_holder_id}?email=only.demo@x.example&employer_id=${member.employerId}`;
    expect((await demo.get(path)).login_problem).toBe('valid');
    expect((await client.call('GET', path)).status).toBe(403);
    // 0 means production.
    expect((await client.call('GET', TERMS, undefined, { 'x-is-demo': '0' })).status).toBe(200);
  });

  it('a GET on the bootstrap path returns the demo member; without the header it is not an address', async () => {
    const demo = connectClient(sandbox, { headers: { 'x-is-demo': '1' } });
    const { user } = await demo.get('/bootstrap');
    expect(user).toMatchObject({
      email: 'demo.member@demo.example',
      policy_holders: [
        { payer_id: 11, login_needs_correction: false },
        { payer_id: 13, login_problem: 'invalid', login_needs_correction: true },
      ],
    });
    const legacy = connectClient(sandbox, { base: '/sdk-api', headers: { 'x-is-demo': '1' } });
    expect((await legacy.get('/tpastream_sdk')).user).toEqual(user);
    expect((await client.call('GET', '/bootstrap')).status).toBe(404);
  });
});
