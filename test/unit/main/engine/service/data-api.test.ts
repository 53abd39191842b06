import { expect, test } from 'vitest';
import { createDataApi, type DataApi, sleepFor } from '../../../../../src/main/engine/service/data-api.ts';
import { createRequestBudget } from '../../../../../src/main/engine/service/request-budget.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { type Answer, createFakeClock, createFakeTransport } from '../../../../support/engine-service.ts';

interface Setup {
  readonly api: DataApi;
  readonly requests: ReturnType<typeof createFakeTransport>['requests'];
  readonly waits: number[];
  readonly tokens: { offsetSeconds: number; isFresh: boolean }[];
  readonly retries: string[];
}

function setUp(
  answer: Parameters<typeof createFakeTransport>[0],
  options: { random?: () => number; baseUrl?: string; header?: string; scheme?: string } = {},
): Setup {
  const { transport, requests } = createFakeTransport(answer);
  const clock = createFakeClock();
  const waits: number[] = [];
  const tokens: Setup['tokens'] = [];
  const retries: string[] = [];
  const api = createDataApi({
    baseUrl: options.baseUrl ?? 'https://claims.example.com',
    header: options.header ?? 'Authorization',
    scheme: options.scheme ?? 'SSH-JWT',
    transport,
    clock,
    random: options.random ?? (() => 0.5),
    async getToken(wanted) {
      tokens.push(wanted);
      return `token-${tokens.length}`;
    },
    async sleep(ms) {
      waits.push(ms);
    },
    onRetry: (error) => retries.push(error.code),
  });
  return { api, requests, waits, tokens, retries };
}

const inTurn =
  (...answers: (Answer | DeskError)[]) =>
  (_request: unknown, index: number): Answer | DeskError =>
    answers[Math.min(index, answers.length - 1)] as Answer | DeskError;

test('sends GET with the token in the scheme of the workspace and nothing else', async () => {
  const { api, requests } = setUp(inTurn({}));
  await api.readClaimPage(3, 100);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.method).toBe('GET');
  expect(requests[0]?.url.href).toBe('https://claims.example.com/api/v2/claims?page=3&per_page=100');
  expect(requests[0]?.headers).toEqual({ authorization: 'SSH-JWT token-1' });
});

test('a custom header carries the token if the workspace says so, and Authorization is not sent', async () => {
  const { api, requests } = setUp(inTurn({}), { header: 'X-Desk-Token', scheme: 'Key' });
  await api.probe();
  expect(requests[0]?.headers).toEqual({ 'x-desk-token': 'Key token-1' });
});

test('each route has its address; parts of a path can’t change it', async () => {
  const { api, requests } = setUp(inTurn({}), { baseUrl: 'https://claims.example.com/prefix/' });
  await api.readMemberPage(1, 10);
  await api.readMember(5, 6);
  await api.readPolicyHolderClaimPage(7, 2, 50);
  await api.readVendorClaimPage({ vendorTenantLabel: 'a/../b', employerKey: 'c?d', memberKey: 'é #' }, 1, 10);
  expect(requests.map(({ url }) => url.href.replace('https://claims.example.com/prefix/api/v2', ''))).toEqual(
    [
      '/member?page=1&per_page=10',
      '/employer/5/member/6',
      '/policy_holder/7/claims?page=2&per_page=50',
      '/vendor-tenant/a%2F..%2Fb/employer/c%3Fd/member/%C3%A9%20%23/claims?page=1&per_page=10',
    ],
  );
});

test.each([
  [400, 'service.badRequest'],
  [401, 'service.unauthorized'],
  [403, 'service.forbidden'],
  [404, 'service.notFound'],
  [410, 'service.badRequest'],
  [422, 'service.unprocessable'],
  [302, 'service.redirected'],
])('%i is reported immediately and not retried', async (status, code) => {
  const headers = { 'x-request-id': 'req-1', location: 'https://elsewhere.example/' };
  const { api, requests, waits } = setUp(inTurn({ status, headers }));
  await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({ code, requestId: 'req-1' });
  expect(requests).toHaveLength(1);
  expect(waits).toEqual([]);
});

test('a redirect is never followed: every request goes to the host of the workspace', async () => {
  const headers = { location: 'https://elsewhere.example/api/v2/claims' };
  const { api, requests } = setUp((_request, index) => ({ status: 301 + (index % 8), headers }));
  for (let index = 0; index < 8; index += 1) {
    await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({ code: 'service.redirected' });
  }
  expect(new Set(requests.map(({ url }) => url.host))).toEqual(new Set(['claims.example.com']));
});

test.each([
  [500, 'service.fault'],
  [502, 'service.fault'],
  [429, 'service.rateLimited'],
  [408, 'service.timeout'],
])('%i is tried five times with growing pauses, then reported', async (status, code) => {
  const { api, requests, waits, retries } = setUp(inTurn({ status }), { random: () => 1 });
  await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(5);
  expect(waits).toEqual([800, 1600, 3200, 6400]);
  expect(retries).toEqual([code, code, code, code]);
});

test('the pause has full jitter: anything from nothing to its cap', async () => {
  const shares = [0, 0.25, 0.75, 1];
  let next = 0;
  const { api, waits } = setUp(inTurn({ status: 503 }), { random: () => shares[next++] ?? 0 });
  await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({ code: 'service.fault' });
  expect(waits).toEqual([0, 400, 2400, 6400]);
});

test.each([
  ['seconds', '7', 7000],
  ['a date', 'Mon, 01 Jun 2026 12:00:09 GMT', 9000],
])(
  'Retry-After as %s is obeyed, with a little more so that not all come at once',
  async (_name, value, least) => {
    const headers = { 'retry-after': value };
    for (const share of [0, 0.5, 1]) {
      const { api, waits } = setUp(inTurn({ status: 429, headers }, {}), { random: () => share });
      await api.readClaimPage(1, 10);
      expect(waits).toEqual([least + share * Math.min(1000, least / 10)]);
    }
  },
);

test('if a service asks for a long wait, the user is told, and it is not asked again', async () => {
  const { api, requests } = setUp(
    inTurn({ status: 429, headers: { 'retry-after': '9999', 'x-request-id': 'req-9' } }, {}),
  );
  await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({
    code: 'service.rateLimited',
    requestId: 'req-9',
    details: { retryAfterSeconds: 9999 },
  });
  expect(requests).toHaveLength(1);
});

test('while one request waits as asked, no other is sent to that host', async () => {
  const clock = createFakeClock();
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
    clock.advance(ms);
  };
  const budget = createRequestBudget({ clock, sleep });
  const { transport } = createFakeTransport(
    inTurn({ status: 429, headers: { 'retry-after': '10' } }, { status: 403 }, {}),
  );
  const make = (): ReturnType<typeof createDataApi> =>
    createDataApi({
      baseUrl: 'https://claims.example.com',
      header: 'Authorization',
      scheme: 'SSH-JWT',
      transport,
      clock,
      budget,
      sleep: () => new Promise(() => undefined),
      getToken: async () => 'token',
    });
  void make().readClaimPage(1, 10);
  await new Promise((resolve) => setTimeout(resolve, 10));
  await expect(make().readClaimPage(1, 10)).rejects.toMatchObject({ code: 'service.forbidden' });
  expect(waits).toEqual([10_000]);
});

test('a network that fails after the service answered is waited for; one that never worked is reported', async () => {
  const lost = new DeskError('service.nameUnknown');
  const back = setUp((_request, index) => (index === 0 || index > 4 ? {} : lost));
  await back.api.readClaimPage(1, 10);
  await back.api.readClaimPage(2, 10);
  expect(back.requests).toHaveLength(6);
  const never = setUp(inTurn(lost));
  await expect(never.api.readClaimPage(1, 10)).rejects.toMatchObject({ code: 'service.nameUnknown' });
  expect(never.requests).toHaveLength(1);
});

test.each(['service.connectionLost', 'service.timeout'] as const)('%s is tried again', async (code) => {
  const { api, requests } = setUp(inTurn(new DeskError(code), new DeskError(code), {}));
  await api.readClaimPage(1, 10);
  expect(requests).toHaveLength(3);
});

test.each([
  'service.unreachable',
  'service.nameUnknown',
  'service.tlsRefused',
  'service.replyTooLarge',
  'sync.canceled',
] as const)('%s is reported immediately', async (code) => {
  const { api, requests } = setUp(inTurn(new DeskError(code)));
  await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(1);
});

test.each([
  ['<!doctype html><h1>Bad Gateway</h1>', 'service.webPage'],
  ['', 'service.badReply'],
  ['OK', 'service.badReply'],
  ['[]', 'service.badReply'],
  ['\u0000{', 'service.badReply'],
])('a reply of %j is retried, then %s', async (body, code) => {
  const { api, requests } = setUp(inTurn({ body, headers: { 'x-request-id': 'req-9' } }));
  await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({
    code,
    requestId: 'req-9',
  });
  expect(requests).toHaveLength(5);
});

test('a body that begins like JSON is passed on, whatever its type and blanks', async () => {
  const body = '\ufeff \n{"data":[]}';
  const { api } = setUp(inTurn({ body, headers: { 'content-type': 'text/plain', 'x-request-id': 'req-2' } }));
  const page = await api.readClaimPage(1, 10);
  expect(Buffer.from(page.body).toString('utf8')).toBe(body);
  expect(page.requestId).toBe('req-2');
});

const skewed = (seconds: number): Record<string, string> => ({
  date: new Date(Date.parse('2026-06-01T12:00:00.000Z') + seconds * 1000).toUTCString(),
});

test.each([400, -400])(
  'a refusal by a service whose clock is %i s off is signed again, once',
  async (seconds) => {
    const { api, requests, tokens } = setUp(
      inTurn({ status: 401, headers: skewed(seconds) }, { headers: skewed(seconds) }),
    );
    await api.readClaimPage(1, 10);
    expect(tokens).toEqual([
      { offsetSeconds: 0, isFresh: false },
      { offsetSeconds: seconds, isFresh: true },
    ]);
    expect(requests[1]?.headers.authorization).toBe('SSH-JWT token-2');
  },
);

test('a refusal about time is signed again, once and not in a loop', async () => {
  const body = '{"message":"The token has expired"}';
  const { api, tokens, waits } = setUp(inTurn({ status: 401, body }));
  await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({ code: 'service.tokenExpired' });
  expect(tokens).toHaveLength(2);
  expect(waits).toEqual([]);
});

test('requests in progress when the clock moved are all signed again', async () => {
  // Each is refused by the exact clock without a word about time; the first reply teaches the offset.
  const good = new Set<string>();
  const { transport, requests } = createFakeTransport(async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return good.has(request.headers.authorization ?? '')
      ? { headers: skewed(400) }
      : { status: 401, headers: skewed(400) };
  });
  const api = createDataApi({
    baseUrl: 'https://claims.example.com',
    header: 'Authorization',
    scheme: 'SSH-JWT',
    transport,
    clock: createFakeClock(),
    async getToken({ offsetSeconds }) {
      if (offsetSeconds === 400) good.add('SSH-JWT right');
      return offsetSeconds === 400 ? 'right' : 'wrong';
    },
  });
  await Promise.all([1, 2].map((page) => api.readClaimPage(page, 10)));
  expect(requests).toHaveLength(4);
});

test('a Date beyond ten minutes is trusted only if main signs by it, and no longer than it does', async () => {
  const day = 86_400;
  let accepted = 0;
  let says = day;
  const offsets: number[] = [];
  const { transport, requests } = createFakeTransport(() => ({ headers: skewed(says) }));
  const api = createDataApi({
    baseUrl: 'https://claims.example.com',
    header: 'Authorization',
    scheme: 'SSH-JWT',
    transport,
    clock: createFakeClock(),
    async getToken({ offsetSeconds }) {
      if (offsetSeconds > 600 && offsetSeconds !== accepted) throw new DeskError('service.clockSkew');
      offsets.push(offsetSeconds);
      return 'token';
    },
  });
  const ask = () =>
    api.probe().then(
      ({ offsetSeconds }) => offsetSeconds,
      ({ code }: DeskError) => code,
    );
  expect([await ask(), await ask()]).toEqual(['service.clockSkew', 'service.clockSkew']);
  expect(offsets).toEqual([0, 0]);
  accepted = day;
  expect(await ask()).toBe(day);
  // Main is not asked again while the clock stays the same.
  offsets.length = 0;
  expect(await ask()).toBe(day);
  expect(offsets).toEqual([day]);
  accepted = 0;
  const before = requests.length;
  expect(await ask()).toBe('service.clockSkew');
  expect(requests).toHaveLength(before);
  says = 0;
  expect(await ask()).toBe(0);
  // Small steps do not lead beyond what main signs by.
  const steps: unknown[] = [];
  for (says of [598, 599, 600, 601, 602, 603, 604]) steps.push(await ask());
  expect(steps.slice(0, 3)).toEqual([598, 598, 598]);
  expect(steps.at(-1)).toBe('service.clockSkew');
});

test('probe returns the request ID and the offset of the clock', async () => {
  const { api } = setUp(inTurn({ headers: { ...skewed(120), 'x-request-id': 'req-5' } }));
  expect(await api.probe()).toEqual({ requestId: 'req-5', offsetSeconds: 120 });
});

test('a token that is not available is reported unchanged', async () => {
  const { transport, requests } = createFakeTransport(() => ({}));
  const api = createDataApi({
    baseUrl: 'https://claims.example.com',
    header: 'Authorization',
    scheme: 'SSH-JWT',
    transport,
    clock: createFakeClock(),
    getToken: () => Promise.reject(new DeskError('keychain.locked')),
  });
  await expect(api.readClaimPage(1, 10)).rejects.toMatchObject({ code: 'keychain.locked' });
  expect(requests).toEqual([]);
});

test('a pause ends immediately when the sync is canceled', async () => {
  const controller = new AbortController();
  const began = performance.now();
  const waiting = sleepFor(60_000, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'sync.canceled' });
  await expect(sleepFor(60_000, controller.signal)).rejects.toMatchObject({ code: 'sync.canceled' });
  expect(performance.now() - began).toBeLessThan(5_000);
});
