import { net } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { createElectronTransport } from '../../../../../src/main/engine/service/electron-transport.ts';
import { replyLimitBytes } from '../../../../../src/main/engine/service/transport.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));

const transport = createElectronTransport();
const wanted = {
  method: 'GET',
  url: new URL('https://service.example/api/v2/claims?page=1'),
  headers: { authorization: 'SSH-JWT abc' },
  timeoutMs: 5_000,
} as const;
const answerWith = (reply: () => Promise<Response>) => vi.spyOn(net, 'fetch').mockImplementation(reply);

beforeEach(() => {
  vi.restoreAllMocks();
});

test('sends no cookies, cache, redirects, referrer or Origin, and returns the reply unchanged', async () => {
  const fetched = answerWith(async () => new Response('{"data":[]}', { headers: { 'X-Request-Id': 'r1' } }));
  const reply = await transport(wanted);
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({ 'x-request-id': 'r1' });
  expect(new TextDecoder().decode(reply.body)).toBe('{"data":[]}');
  const [address, init] = fetched.mock.calls[0] ?? [];
  expect(address).toBe('https://service.example/api/v2/claims?page=1');
  expect(init).toMatchObject({
    method: 'GET',
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    headers: { 'user-agent': 'Claimdesk', accept: 'application/json', authorization: 'SSH-JWT abc' },
  });
  expect(Object.keys(init?.headers ?? {}).map((name) => name.toLowerCase())).not.toContain('origin');
  expect(init).not.toHaveProperty('body');
});

test('sends a body if there is one, and accepts a reply without', async () => {
  const fetched = answerWith(async () => new Response(null, { status: 204 }));
  const reply = await transport({ ...wanted, method: 'POST', body: '{"a":1}' });
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"a":1}' });
  expect(reply).toMatchObject({ status: 204 });
  expect(reply.body).toHaveLength(0);
});

test.each([
  ['Redirect was cancelled', 'service.redirected'],
  ["Attempted to redirect, but redirect policy was 'error'", 'service.redirected'],
  ['net::ERR_NAME_NOT_RESOLVED', 'service.nameUnknown'],
  ['net::ERR_CONNECTION_TIMED_OUT', 'service.timeout'],
  ['net::ERR_CERT_AUTHORITY_INVALID', 'service.tlsRefused'],
  ['net::ERR_CONNECTION_RESET', 'service.connectionLost'],
  ['net::ERR_CONNECTION_REFUSED', 'service.unreachable'],
  ['net::ERR_INTERNET_DISCONNECTED', 'service.unreachable'],
  ['net::ERR_TUNNEL_CONNECTION_FAILED', 'service.unreachable'],
])('%s is %s', async (message, code) => {
  answerWith(async () => {
    throw new Error(message);
  });
  await expect(transport(wanted)).rejects.toMatchObject({ code });
});

test('a thrown value that is not an error is unreachable', async () => {
  answerWith(() => Promise.reject('odd'));
  await expect(transport(wanted)).rejects.toMatchObject({ code: 'service.unreachable' });
});

/** Answers as net.fetch does: rejects when its signal fires. */
const hang = () =>
  vi.spyOn(net, 'fetch').mockImplementation(
    (_address, init) =>
      new Promise((_resolve, reject) => {
        const signal = (init as RequestInit).signal;
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  );

test('a reply that does not arrive is a timeout; one that is no longer wanted is canceled', async () => {
  hang();
  await expect(transport({ ...wanted, timeoutMs: 10 })).rejects.toMatchObject({ code: 'service.timeout' });
  const controller = new AbortController();
  const asked = transport({ ...wanted, signal: controller.signal });
  controller.abort();
  await expect(asked).rejects.toMatchObject({ code: 'sync.canceled' });
});

test('a reply larger than any page is cut off', async () => {
  const chunk = new Uint8Array(8 * 1024 * 1024);
  let sent = 0;
  answerWith(
    async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += chunk.length;
            controller.enqueue(chunk);
          },
        }),
      ),
  );
  await expect(transport(wanted)).rejects.toMatchObject({ code: 'service.replyTooLarge' });
  expect(sent).toBeLessThan(replyLimitBytes + 4 * chunk.length);
});
