import { expect, test } from 'vitest';
import { emptyUserMessage } from '../../../../../../src/contract/connect-members.ts';
import { connectHeadersSchema } from '../../../../../../src/contract/connect-settings.ts';
import { createConnectApi } from '../../../../../../src/main/engine/service/connect/connect-api.ts';
import type {
  ConnectCall,
  Integration,
} from '../../../../../../src/main/engine/service/connect/send-connect.ts';
import type { HttpRequest } from '../../../../../../src/main/engine/service/transport.ts';
import { DeskError } from '../../../../../../src/main/lib/errors.ts';
import { type Answer, createFakeClock, createFakeTransport } from '../../../../../support/engine-service.ts';

const email = 'dana@newco.example';
const integration: Integration = {
  baseUrl: 'https://service.example',
  publicToken: 'pk_1',
  tenantLabel: null,
  tenantKey: null,
  isDemo: false,
  base: 'current',
  headers: connectHeadersSchema.parse({}),
};
const usual: Answer = { body: '{"data":{}}', headers: { 'x-request-id': 'req-00001' } };

function open(
  answer: (request: HttpRequest, index: number) => Answer | DeskError | Promise<Answer | DeskError>,
  changes: Partial<Integration> = {},
  options: { readSecret?: (() => Promise<string>) | null; correction?: 'path' | 'body' } = {},
) {
  const { transport, requests } = createFakeTransport(answer);
  const calls: ConnectCall[] = [];
  const waits: number[] = [];
  const api = createConnectApi(
    { ...integration, ...changes },
    {
      transport,
      clock: createFakeClock(),
      onCall: (call) => calls.push(call),
      sleep: async (ms) => void waits.push(ms),
      random: () => 1,
    },
    { readSecret: async () => 'sk_1', correction: 'path', ...options },
  );
  return { api, requests, calls, waits };
}

const login = {
  email,
  employerId: 7,
  payerId: 15,
  fields: { username: 'dana99', password: 'hunter2!' },
  tenantIds: [30],
};
const bootstrapBody = {
  system_key: 'K',
  vendor: 'v',
  employer_name: 'N',
  user_email: email,
  user_first_name: 'Dana',
  user_last_name: 'Reyes',
};
const task = { email, policyHolderId: 3, taskId: 't/1' };
type Api = ReturnType<typeof open>['api'];

/** Each endpoint: how it is asked, and where under both bases; what it gives is not the point here. */
const endpoints: [string, (api: Api) => Promise<unknown>, string, string, string][] = [
  [
    'bootstrap',
    (api) => api.bootstrap(bootstrapBody),
    'POST',
    '/connect/v1/bootstrap',
    '/sdk-api/tpastream_sdk',
  ],
  [
    'payer',
    (api) => api.readPayer({ email, employerId: 7, payerId: 15 }),
    'GET',
    '/connect/v1/payer/7/15',
    '/sdk-api/payer/7/15',
  ],
  [
    'terms',
    (api) => api.readTerms(email),
    'GET',
    '/connect/v1/terms_of_service',
    '/sdk-api/terms_of_service',
  ],
  [
    'submit',
    (api) => api.submitLogin(login),
    'POST',
    '/connect/v1/policy_holder',
    '/sdk-api/policy_holder_sdk/policy_holder',
  ],
  [
    'correct',
    (api) => api.correctLogin({ ...login, policyHolderId: 3 }),
    'PUT',
    '/connect/v1/policy_holder/3',
    '/sdk-api/policy_holder_sdk/policy_holder/3',
  ],
  [
    'policy holder',
    (api) => api.readPolicyHolder({ email, employerId: 7, policyHolderId: 3 }),
    'GET',
    '/connect/v1/policy_holder/3',
    '/sdk-api/policy_holder_sdk/policy_holder/3',
  ],
  [
    'validation',
    (api) => api.readValidation(task),
    'GET',
    '/connect/v1/validate-credentials/3/t%2F1',
    '/sdk-api/validate-credentials/3/t%2F1',
  ],
  [
    'method',
    (api) => api.answerValidation(task, { method: 'Text' }),
    'PUT',
    '/connect/v1/validate-credentials/3/t%2F1',
    '/sdk-api/validate-credentials/3/t%2F1',
  ],
  [
    'interop begun',
    (api) => api.beginPatientAccess({ email, payerId: 17, tenantIds: [30], stateId: 's1' }),
    'POST',
    '/connect/v1/interop',
    '/sdk-api/interop',
  ],
  [
    'interop',
    (api) => api.readPatientAccess({ email, stateId: 's1' }),
    'GET',
    '/connect/v1/interop',
    '/sdk-api/interop',
  ],
];

test.each(endpoints)(
  '%s: method, address, headers, and the member where the method requires it',
  async (_name, ask, method, current, legacy) => {
    for (const [base, path] of [
      ['current', current],
      ['legacy', legacy],
    ] as const) {
      const { api, requests, calls } = open(() => usual, { base });
      await ask(api).catch(() => undefined);
      const [request] = requests;
      expect(request).toMatchObject({ method });
      expect(request?.url.pathname).toBe(path);
      expect(request?.headers).toMatchObject({ 'x-service-token': 'pk_1', 'x-connect-api-version': '1' });
      for (const name of [
        'cookie',
        'origin',
        'referer',
        'x-is-demo',
        'x-tenant-label',
        'x-connect-access-token',
      ])
        expect(request?.headers).not.toHaveProperty(name);
      if (method === 'GET') {
        expect(request?.url.searchParams.get('email')).toBe(email);
        expect(request?.body).toBeUndefined();
      } else {
        expect(request?.url.search).toBe('');
        expect(request?.headers['content-type']).toBe('application/json');
        expect(JSON.parse(String(request?.body))).toMatchObject({ user_email: email });
      }
      // The record of a call contains no personal data.
      expect(calls[0]?.route).toMatch(/^\/(connect\/v1|sdk-api)(\/([a-z_-]+|\{[a-z_]+\}))+$/);
      expect(JSON.stringify(calls)).not.toContain('dana');
    }
  },
);

test('the state id has its old spelling under the old base, and headers those of the workspace', async () => {
  const ask = (api: Api) => api.readPatientAccess({ email, stateId: 's1' });
  const current = open(() => usual);
  await ask(current.api);
  expect(current.requests[0]?.headers).toMatchObject({ 'x-connect-state-id': 's1' });
  const legacy = open(() => usual, { base: 'legacy', isDemo: true, tenantLabel: 'Ünïted', tenantKey: 'TK' });
  await ask(legacy.api);
  expect(legacy.requests[0]?.headers).toMatchObject({
    'x-sdk-state-id': 's1',
    'x-is-demo': '1',
    'x-tenant-key': 'TK',
    'x-tenant-label': Buffer.from('Ünïted').toString('latin1'),
  });
  const headers = connectHeadersSchema.parse({ serviceToken: 'X-Other-Token', stateId: 'X-My-State' });
  const renamed = open(() => usual, { base: 'legacy', headers });
  await ask(renamed.api);
  expect(renamed.requests[0]?.headers).toMatchObject({ 'x-other-token': 'pk_1', 'x-my-state': 's1' });
  expect(renamed.requests[0]?.headers).not.toHaveProperty('x-service-token');
});

test('a correction may identify its connection in the body', async () => {
  const body = '{"data":{"policy_holder_id":3,"task_id":9}}';
  const { api, requests } = open(() => ({ body }), {}, { correction: 'body' });
  expect((await api.correctLogin({ ...login, policyHolderId: 3 })).data).toMatchObject({ task_id: '9' });
  expect(requests[0]?.url.pathname).toBe('/connect/v1/policy_holder');
  expect(JSON.parse(String(requests[0]?.body))).toMatchObject({
    policy_holder_id: 3,
    accept: true,
    tenants_accept: [30],
  });
});

test('a carrier’s form can’t set the subject of a submit', async () => {
  const { api, requests } = open(() => usual);
  await expect(async () => api.submitLogin({ ...login, fields: { employer_id: 9 } })).rejects.toMatchObject({
    code: 'usage.invalid',
  });
  expect(requests).toEqual([]);
});

test('form fields with the names of submit fields are sent next to them, which use their other spelling', async () => {
  const body = '{"data":{"policy_holder_id":3,"task_id":9}}';
  const { api, requests } = open(() => ({ body }), {}, { correction: 'body' });
  const fields = {
    user_email: 'at-carrier@x.example',
    payer_id: 'P-7',
    policy_holder_id: 'H-1',
    accept: true,
  };
  await api.submitLogin({ ...login, fields });
  await api.correctLogin({ ...login, fields, policyHolderId: 3 });
  for (const request of requests)
    expect(JSON.parse(String(request.body))).toEqual({
      ...fields,
      user: { email: login.email },
      payer: { id: login.payerId },
      employer_id: login.employerId,
      tenants_accept: login.tenantIds,
    });
  expect(requests.map(({ url }) => url.pathname)).toEqual([
    '/connect/v1/policy_holder',
    '/connect/v1/policy_holder/3',
  ]);
  // The same value says the same.
  await api.submitLogin({ ...login, fields: { payer_id: login.payerId } });
  expect(JSON.parse(String(requests[2]?.body))).toMatchObject({
    payer_id: login.payerId,
    user_email: login.email,
  });
  await expect(async () => api.submitLogin({ ...login, fields: { accept: false } })).rejects.toMatchObject({
    code: 'usage.invalid',
  });
});

test.each([
  [400, { message: 'The header X-Connect-API-Version is required' }, 'connect.badRequest'],
  [400, { message: 'The headers X-Tenant-Label and X-Tenant-Key are required' }, 'connect.tenantNeeded'],
  [401, { message: 'The token is inactive' }, 'connect.tokenInactive'],
  [403, { message: emptyUserMessage }, 'connect.memberMissing'],
  [403, { message: 'unrecognized member email' }, 'connect.memberUnknown'],
  [403, { message: 'x', error_code: 'origin_not_allowed' }, 'connect.originRefused'],
  [403, {}, 'connect.forbidden'],
  [404, {}, 'connect.notFound'],
  [422, { message: 'no', errors: { username: ['is required'] } }, 'connect.invalid'],
  [422, { message: 'no' }, 'connect.invalid'],
  [500, { message: 'x', event_id: 'e' }, 'service.fault'],
  [429, {}, 'service.rateLimited'],
  [302, {}, 'service.redirected'],
])('%i %j is %s, with the request id', async (status, body, code) => {
  const { api, calls } = open(() => ({ ...usual, status, body: JSON.stringify(body) }));
  const error = await api.readTerms(email).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, requestId: 'req-00001', details: { status } });
  expect(calls.at(-1)).toMatchObject({ status, code, requestId: 'req-00001' });
});

test.each([
  ...endpoints.map(([name, ask]) => [name, ask] as const),
  ['fix', (api: Api) => api.readConnections(email)] as const,
])('%s: each refusal has its code, and only safe requests are retried', async (name, ask) => {
  const isSubmit = name === 'submit' || name === 'correct';
  const isUnsafe = isSubmit || name === 'method' || name === 'interop begun';
  for (const [status, message, code] of [
    [400, 'no', 'connect.badRequest'],
    [401, 'no', 'connect.tokenInactive'],
    [403, emptyUserMessage, 'connect.memberMissing'],
    [403, 'unrecognized member', 'connect.memberUnknown'],
    [404, 'no', 'connect.notFound'],
    [422, 'no', 'connect.invalid'],
    [500, 'no', isSubmit ? 'connect.submitUncertain' : 'service.fault'],
    [302, '', 'service.redirected'],
  ] as const) {
    const { api, requests } = open(({ url }) =>
      url.pathname.startsWith('/api/')
        ? { body: '{"data":"token"}' }
        : { ...usual, status, body: JSON.stringify({ message }) },
    );
    await expect(ask(api), `${status}`).rejects.toMatchObject({ code, requestId: 'req-00001' });
    const tries = requests.filter(({ url }) => !url.pathname.startsWith('/api/')).length;
    expect(tries, `${status}`).toBe(status === 500 && !isUnsafe ? 4 : 1);
  }
});

test.each([
  ['The member hasn’t accepted the terms of use', 'connect.termsNotAccepted'],
  ['Another connection holds this username', 'connect.usernameTaken'],
  ['This token has not bootstrapped that member', 'connect.memberUnknown'],
])('a submit refused with "%s" is %s', async (message, code) => {
  const { api } = open(() => ({ status: 403, body: JSON.stringify({ message }) }));
  await expect(api.submitLogin(login)).rejects.toMatchObject({ code });
});

test('the message about a field is returned, but not what was sent', async () => {
  const errors = {
    username: ['dana99 is not a username', 'nor is it short'],
    'bad name': 'x',
    password: '"hunter2!" is weak',
  };
  const { api } = open(() => ({ status: 422, body: JSON.stringify({ errors }) }));
  await expect(api.submitLogin(login)).rejects.toMatchObject({
    code: 'connect.invalid',
    details: {
      status: 422,
      'field.username': '… is not a username; nor is it short',
      'field.password': '"…" is weak',
    },
  });
});

test('fifty concurrent calls with an expired token cause one mint, and each is retried once', async () => {
  let minted = 0;
  const { api, requests } = open(async ({ url, headers }) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (url.pathname === '/api/create-connect-token') {
      minted += 1;
      return { body: JSON.stringify({ data: `token-${minted}` }) };
    }
    if (headers['x-connect-access-token'] === 'token-1')
      return { status: 422, body: '{"error_code":"expired_connect_token"}' };
    return { body: '{"data":{"user":{"policy_holders":[]}}}' };
  });
  await api.mint();
  const all = await Promise.all(Array.from({ length: 50 }, () => api.readConnections(email)));
  expect(all).toHaveLength(50);
  expect(minted).toBe(2);
  expect(requests).toHaveLength(2 + 100);
});

test('a token that is refused again is an error, never a loop', async () => {
  const { api, requests } = open(({ url }) =>
    url.pathname.startsWith('/api/')
      ? { body: '{"data":"token"}' }
      : { status: 422, body: '{"error_code":"expired_connect_token"}' },
  );
  await expect(api.readConnections(email)).rejects.toMatchObject({ code: 'connect.accessTokenRefused' });
  expect(requests.map(({ url }) => url.pathname)).toEqual([
    '/api/create-connect-token',
    '/connect/v1/fix-credentials',
    '/api/create-connect-token',
    '/connect/v1/fix-credentials',
  ]);
});

test('a token that a reply replaces is used with the next request', async () => {
  let count = 0;
  const { api, requests } = open(({ url }) => {
    if (url.pathname.startsWith('/api/')) return { body: '{"data":"minted"}' };
    count += 1;
    return {
      headers: { 'x-set-connect-access-token': `rolled-${count}` },
      body: '{"data":{"html_string":"x","user":{"policy_holders":[]}}}',
    };
  });
  await api.readTerms(email);
  await api.readConnections(email);
  await api.readTerms(email);
  expect(requests.map(({ headers }) => headers['x-connect-access-token'])).toEqual([
    undefined,
    'rolled-1',
    'rolled-2',
  ]);
});

test('without a secret key, calls that need an access token report that, and the others work', async () => {
  const { api, requests } = open(() => ({ body: '{"data":{"html_string":"x"}}' }), {}, { readSecret: null });
  await expect(api.readConnections(email)).rejects.toMatchObject({ code: 'connect.secretMissing' });
  await expect(api.mint()).rejects.toMatchObject({ code: 'connect.secretMissing' });
  expect((await api.readTerms(email)).data).toBe('x');
  expect(requests).toHaveLength(1);
});

test('a refused secret key is reported as such', async () => {
  const { api } = open(() => ({ status: 401, body: '{"message":"sk_1 is wrong"}' }));
  const error = await api.mint().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'connect.secretRefused' });
  expect(JSON.stringify(error)).not.toContain('sk_1');
});

test('faults are retried with growing pauses if repeating is safe', async () => {
  const { api, requests, waits } = open((_request, index) =>
    index < 3 ? { status: 500 } : { body: '{"data":{"html_string":"x"}}' },
  );
  await api.readTerms(email);
  expect(requests).toHaveLength(4);
  expect(waits).toEqual([500, 1_000, 2_000]);
});

test.each([
  ['bootstrap', (api: Api) => api.bootstrap(bootstrapBody), 4, 'service.fault'],
  ['submit', (api: Api) => api.submitLogin(login), 1, 'connect.submitUncertain'],
  ['correct', (api: Api) => api.correctLogin({ ...login, policyHolderId: 3 }), 1, 'connect.submitUncertain'],
  ['code', (api: Api) => api.answerValidation(task, { code: '1' }), 1, 'service.fault'],
] as const)('%s in a fault: as many tries as are safe', async (_name, ask, tries, code) => {
  const { api, requests } = open(() => ({ status: 500 }));
  await expect(ask(api)).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(tries);
});

test('a submit whose answer is lost may have arrived; one that could not be sent did not', async () => {
  for (const [code, told] of [
    ['service.connectionLost', 'connect.submitUncertain'],
    ['service.unreachable', 'service.unreachable'],
  ] as const) {
    const { api, requests } = open(() => new DeskError(code));
    await expect(api.submitLogin(login)).rejects.toMatchObject({ code: told });
    expect(requests).toHaveLength(1);
  }
});

test('odd replies: unknown fields, missing ones, wrong types and rows that make no sense', async () => {
  const user = {
    policy_holders: [
      { id: '4', payer_id: 'x', username: 5, login_problem: {}, x_new: [1] },
      { name: 'no id' },
      'text',
    ],
  };
  const data = {
    user,
    employer: { id: 7 },
    tenant: { id: 30, name: null },
    payers: { id: 15, name: 'One' },
    x: 1,
  };
  const { api } = open(() => ({ body: JSON.stringify({ data }) }));
  const reply = await api.bootstrap(bootstrapBody);
  expect(reply.data).toMatchObject({ employer: { id: 7, name: '' }, payers: [{ id: 15 }], x: 1 });
  expect(reply.data.user.policy_holders).toEqual([
    expect.objectContaining({ id: 4, payer_id: null, username: '5', login_problem: null, x_new: [1] }),
  ]);
});

test.each([
  ['', 'service.badReply'],
  ['[]', 'service.badReply'],
  ['{"data":null}', 'service.badReply'],
  ['{}', 'service.badReply'],
  [' <html>', 'service.webPage'],
])('a success with the body %j is %s', async (body, code) => {
  const { api } = open(() => ({ body }));
  await expect(api.readTerms(email)).rejects.toMatchObject({ code });
});

test('a web page is not an answer to a code that was sent', async () => {
  const { api } = open(() => ({ body: '<html>' }));
  const task = { email, policyHolderId: 4, taskId: 't' };
  await expect(api.answerValidation(task, { code: '1' })).rejects.toMatchObject({ code: 'service.webPage' });
});

test.each(['"https://carrier.example/a"', '{"authorization_url":"https://carrier.example/a"}'])(
  'the carrier’s address is returned as %s',
  async (data) => {
    const { api } = open(() => ({ body: `{"data":${data}}` }));
    const wanted = { email, payerId: 17, tenantIds: [30], stateId: 's1' };
    expect((await api.beginPatientAccess(wanted)).data).toBe('https://carrier.example/a');
  },
);

test('http only on this computer', () => {
  expect(() => open(() => usual, { baseUrl: 'http://service.example' })).toThrow(
    expect.objectContaining({ code: 'workspace.insecureUrl' }),
  );
  expect(() => open(() => usual, { baseUrl: 'http://127.0.0.1:1' })).not.toThrow();
});
