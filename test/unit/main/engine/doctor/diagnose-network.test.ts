import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnoseNetwork } from '../../../../../src/main/engine/doctor/diagnose-network.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { listen, type OddServer } from '../../../../integration/doctor/odd-servers.ts';
import { type Answer, createFakeClock, createFakeTransport } from '../../../../support/engine-service.ts';
import { codesOf } from './network-observations.ts';

let server: OddServer;
beforeAll(async () => {
  server = await listen(createServer());
});
afterAll(() => server?.close());

/** Diagnoses over a network path that is open where it is checked; the transport answers as given. */
async function diagnose(
  answer: (request: { headers: Readonly<Record<string, string>> }, index: number) => Answer | DeskError,
  options: {
    baseUrl?: string;
    header?: string;
    mayKnowOtherPaths?: boolean;
    getToken?: () => Promise<string>;
  } = {},
) {
  const { transport, requests } = createFakeTransport(answer);
  const offsets: number[] = [];
  const diagnosis = await diagnoseNetwork(
    {
      baseUrl: options.baseUrl ?? `http://127.0.0.1:${server.port}/`,
      header: options.header ?? 'Authorization',
      scheme: 'SSH-JWT',
    },
    {
      transport,
      clock: createFakeClock(),
      environment: {},
      mayKnowOtherPaths: options.mayKnowOtherPaths ?? false,
      getToken: async (offsetSeconds) => {
        offsets.push(offsetSeconds);
        return options.getToken === undefined ? 'a.b.c' : options.getToken();
      },
    },
  );
  return { ...diagnosis, codes: codesOf(diagnosis.findings), requests, offsets };
}

const refused: Answer = { status: 401, body: '{"message":"Who?"}' };

test('asks without a token, then with one signed in the service’s time', async () => {
  const date = 'Mon, 01 Jun 2026 13:00:00 GMT';
  const { codes, requests, offsets, offsetSeconds, isAnswerTheSame } = await diagnose((_, index) =>
    index === 0 ? { ...refused, headers: { date } } : { headers: { date } },
  );
  expect(codes).toMatchObject({ clock: 'clock.off', acceptance: 'acceptance.accepted' });
  expect([offsets, offsetSeconds]).toEqual([[3600], 3600]);
  expect(requests.map(({ url }) => url.pathname + url.search)).toEqual(
    Array(2).fill('/api/v2/member?page=1&per_page=1'),
  );
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'SSH-JWT a.b.c']);
  expect(isAnswerTheSame).toBe(false);
});

test('with a custom header the token is sent there, and nowhere else', async () => {
  const wants = ({ headers }: { headers: Readonly<Record<string, string>> }): Answer =>
    headers['x-desk-token'] === 'SSH-JWT a.b.c' ? {} : refused;
  const { codes, requests } = await diagnose(wants, { header: 'X-Desk-Token' });
  expect(codes).toMatchObject({ acceptance: 'acceptance.accepted' });
  expect(requests[1]?.headers).not.toHaveProperty('authorization');
  const usual = await diagnose(wants);
  expect(usual.codes).toMatchObject({ acceptance: 'acceptance.refused' });
  expect(usual.isAnswerTheSame).toBe(true);
});

test.each<[string, Answer]>([
  ['a log-in page', { status: 200, body: '<html>' }],
  ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }],
  ['a limit', { status: 429 }],
  ['a fault', { status: 500 }],
])('no token is sent to %s', async (_, answer) => {
  const { requests, offsets } = await diagnose(() => answer);
  expect([requests.length, offsets.length]).toEqual([1, 0]);
});

test('without a token there is no second request, and main explains the token’s step', async () => {
  const { codes, requests } = await diagnose(() => refused, {
    getToken: () => Promise.reject(new DeskError('keychain.locked')),
  });
  expect(requests).toHaveLength(1);
  expect(codes).toMatchObject({ http: 'http.answered', acceptance: 'acceptance.noToken' });
});

test('a token that does not arrive is not waited for', async () => {
  const began = performance.now();
  const { codes } = await diagnose(() => refused, { getToken: () => new Promise(() => undefined) });
  expect(codes.acceptance).toBe('acceptance.noToken');
  expect(performance.now() - began).toBeLessThan(4_500);
});

test('the same answer with a token as without one', async () => {
  expect((await diagnose(() => refused)).isAnswerTheSame).toBe(true);
});

const closed = 'http://127.0.0.1:1';

test('if the path is closed, no request is sent', async () => {
  const { codes, requests } = await diagnose(() => ({}), { baseUrl: closed });
  expect(requests).toEqual([]);
  expect(codes).toMatchObject({ tcp: 'tcp.refused', http: 'step.notTried' });
});

test('but if the transport may know another path, its result counts', async () => {
  const other = { baseUrl: closed, mayKnowOtherPaths: true };
  const passed = await diagnose((_, index) => (index === 0 ? refused : {}), other);
  expect(passed.codes).toMatchObject({ tcp: 'step.bypassed', acceptance: 'acceptance.accepted' });
  const blocked = await diagnose(() => new DeskError('service.unreachable'), other);
  expect(blocked.codes).toMatchObject({ tcp: 'tcp.refused', http: 'step.notTried' });
});
