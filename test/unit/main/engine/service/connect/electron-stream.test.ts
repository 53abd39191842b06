import { net } from 'electron';
import { expect, test, vi } from 'vitest';
import { connectHeadersSchema } from '../../../../../../src/contract/connect-settings.ts';
import { createConnectApi } from '../../../../../../src/main/engine/service/connect/connect-api.ts';
import { followProgress } from '../../../../../../src/main/engine/service/connect/progress-stream.ts';
import type {
  ConnectCall,
  Integration,
} from '../../../../../../src/main/engine/service/connect/send-connect.ts';
import { createElectronTransport } from '../../../../../../src/main/engine/service/electron-transport.ts';
import { systemClock } from '../../../../../../src/main/lib/clock.ts';

vi.mock('electron', () => import('../../../../../support/fake-electron/electron-module.ts'));

const integration: Integration = {
  baseUrl: 'https://service.example',
  publicToken: 'pk_1',
  tenantLabel: 'Ünïted/HR',
  tenantKey: 'TK',
  isDemo: false,
  base: 'current',
  headers: connectHeadersSchema.parse({}),
};
const calls: ConnectCall[] = [];
const ports = {
  transport: createElectronTransport(),
  clock: systemClock,
  onCall: (call: ConnectCall) => calls.push(call),
};
const optionsOf = (fetched: ReturnType<typeof answerWith>, index: number): RequestInit =>
  fetched.mock.calls[index]?.[1] as RequestInit;
const answerWith = (reply: () => Response) => vi.spyOn(net, 'fetch').mockImplementation(async () => reply());

test('in Electron: no cookie, no Origin, no redirect, no cache; what one member got is not sent with the next', async () => {
  const fetched = answerWith(
    () =>
      new Response('{"data":{"html_string":"x"}}', {
        headers: { 'set-cookie': 'session=poison-of-a; Path=/' },
      }),
  );
  const api = createConnectApi(integration, ports, { readSecret: null, correction: 'path' });
  await api.readTerms('a@newco.example');
  await api.readTerms('b@newco.example');
  await api
    .submitLogin({ email: 'b@newco.example', employerId: 1, payerId: 2, fields: {}, tenantIds: [3] })
    .catch(() => undefined);
  expect(fetched).toHaveBeenCalledTimes(3);
  for (const index of [0, 1, 2]) {
    const options = optionsOf(fetched, index);
    expect(options).toMatchObject({
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
    });
    const names = [...new Headers(options.headers).keys()];
    for (const name of ['cookie', 'origin', 'referer']) expect(names).not.toContain(name);
    expect(JSON.stringify([...new Headers(options.headers)])).not.toContain('poison');
  }
});

test('in Electron: the stream is read as it arrives, with its token in no reported call', async () => {
  const pieces = [
    ': hi\n\nevent: sta',
    'te\ndata: {"status":"PENDING"}\n\n',
    'event: ping\ndata: {}\n\n',
    'event: timeout\ndata: {}\n\n',
  ];
  answerWith(
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
            controller.close();
          },
        }),
      ),
  );
  const heard: unknown[] = [];
  const wanted = { taskId: 't', taskToken: 'task-token-canary', signal: new AbortController().signal };
  const end = await followProgress(integration, ports, wanted, (news) => heard.push(news));
  expect(end).toEqual({ how: 'timeout' });
  expect(heard).toMatchObject([
    { kind: 'state', news: { state: 'PENDING' } },
    { kind: 'alive' },
    { kind: 'alive' },
  ]);
  expect(calls.at(-1)?.route).toBe('/v3/connect/progress/{task_id}/stream');
  expect(JSON.stringify(calls)).not.toContain('canary');
});

test.each([
  [401, '{"message":"Task not available"}', 'over'],
  [401, '{"message":"Task token has expired"}', 'over'],
  [422, '{"message":"bad token"}', 'over'],
  [403, '{"message":"Not your task"}', 'lost'],
  [404, '', 'lost'],
  [500, '<html>', 'lost'],
])('a stream refused with %i %s is %s', async (status, body, how) => {
  answerWith(() => new Response(body, { status }));
  const wanted = { taskId: 't', taskToken: 'k', signal: new AbortController().signal };
  expect(await followProgress(integration, ports, wanted, () => undefined)).toMatchObject({ how });
});

test('a stream that breaks, or is no longer wanted, is lost', async () => {
  answerWith(
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.error(new Error('net::ERR_CONNECTION_RESET')),
        }),
      ),
  );
  const leaving = new AbortController();
  const wanted = { taskId: 't', taskToken: 'k', signal: leaving.signal };
  expect(await followProgress(integration, ports, wanted, () => undefined)).toMatchObject({
    how: 'lost',
    error: { code: 'service.connectionLost' },
  });
});
