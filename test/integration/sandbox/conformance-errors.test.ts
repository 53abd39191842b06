import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DataClient } from './data-client.ts';
import { dataClient } from './data-client.ts';
import { givenSandbox } from './given-sandbox.ts';

const sandbox = givenSandbox('--members', '20', '--claims', '50');
let client: DataClient;

beforeAll(async () => {
  client = await dataClient(sandbox);
});
afterEach(async () => {
  // Whatever was thrown at it, it goes on serving.
  expect((await client.page('/claims')).total).toBe(50);
});

/** Bytes as they are, and what comes back until the connection closes. */
function rawBytes(bytes: Buffer | string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(sandbox.baseUrl);
    const socket = connect(Number(port), hostname);
    let got = '';
    socket.setTimeout(8000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => {
      got += chunk.toString('latin1');
    });
    socket.once('close', () => resolve(got));
    socket.once('error', reject);
    socket.write(bytes);
  });
}

async function expectRawError(bytes: Buffer | string, statuses: readonly number[]): Promise<void> {
  const got = await rawBytes(bytes);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(got)?.[1]);
  expect(statuses, got.slice(0, 200)).toContain(status);
  expect(got.toLowerCase()).toContain('x-request-id: ');
  const body = got.slice(got.indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String) });
}

const get = (path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: SSH-JWT ${client.token}\r\nConnection: close\r\n${more}\r\n`;

describe('interface, Errors: shape', () => {
  it.each([
    ['/claims?page=x', 400],
    ['/policy_holder/x/claims', 404],
  ])('%s: %i with a message', async (path, status) => {
    const reply = await client.get(path);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toContain('application/json');
  });

  it('500: a server fault has a message and an event_id (docs/service.md, "Lists and values")', async () => {
    await sandbox.control('PUT', '/faults', [{ kind: 'status', status: 500, times: 1 }]);
    const reply = await client.get('/claims');
    expect(reply.status).toBe(500);
    const body = (await reply.json()) as Record<string, unknown>;
    expect(body.event_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('an address that does not exist: 404 with a message', async () => {
    for (const path of ['/nowhere', '/api/v2', '/api/v2/claims/1', '/api/v3/claims']) {
      const reply = await fetch(sandbox.baseUrl + path);
      expect(reply.status, path).toBe(404);
      expect(await reply.json()).toEqual({ message: expect.any(String) });
    }
  });
});

describe('interface, Errors: X-Request-Id on all responses', () => {
  it('successes, errors, pages and documents each have their own', async () => {
    const paths = ['/api/v2/claims', '/api/v2/nowhere', '/settings/ssh', '/openapi.json', '/'];
    const ids = await Promise.all(
      paths.map(async (path) => (await fetch(sandbox.baseUrl + path)).headers.get('x-request-id')),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(paths.length);
  });
});

describe('interface, Connect API rule 9: a session cookie as a by-product', () => {
  it('is set on data API replies', async () => {
    expect((await client.get('/claims')).headers.get('set-cookie')).toMatch(/^session=[^;]+; Path=\//);
  });

  it('a client that sends it back is reported; one that does not is not', async () => {
    await sandbox.control('DELETE', '/requests');
    await client.get('/claims');
    expect((await sandbox.control<{ data: unknown[] }>('GET', '/complaints')).data).toEqual([]);
    const reply = await client.get('/claims', { cookie: 'session=abc' });
    expect((await sandbox.control<{ data: unknown[] }>('GET', '/complaints')).data).toEqual([
      { kind: 'cookie', requestId: reply.headers.get('x-request-id'), message: expect.any(String) },
    ]);
  });
});

describe('issue: bad input gets an error as the interface shapes it', () => {
  it('a huge body on a GET is not read and does no harm', async () => {
    const body = 'x'.repeat(200_000);
    const got = await rawBytes(`${get('/api/v2/claims', `Content-Length: ${body.length}\r\n`)}${body}`);
    expect(got).toMatch(/^HTTP\/1\.1 (200|400)/);
  });

  it.each([
    ['/settings/ssh', 'application/x-www-form-urlencoded', `public_key=${'A'.repeat(3_000_000)}`],
    ['/settings/ssh', 'application/json', '{'],
    ['/settings/ssh', 'text/xml', '<a/>'],
    ['/settings/ssh', 'multipart/form-data; boundary=x', '--x'],
  ])('POST %s with %s: 4xx with a message', async (path, type, body) => {
    const reply = await fetch(sandbox.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    }).catch((error: unknown) => error as Error);
    // A body that is too long can meet a closed connection before the answer is read.
    if (reply instanceof Error) {
      expect(body.length).toBeGreaterThan(1_000_000);
      return;
    }
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(await reply.json()).toEqual({ message: expect.any(String) });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'PURGE'])(
    '%s on a data route: an error with a message',
    async (method) => {
      await expectRawError(get('/api/v2/claims').replace('GET', method), [400, 404]);
    },
  );

  it.each(['FOO', 'get', '\u0016\u0003\u0001'])('the method %j: 400', async (method) => {
    await expectRawError(get('/api/v2/claims').replace('GET', method), [400]);
  });

  it.each([
    '/api/v2/../../etc/passwd',
    '/api/v2/%2e%2e/%2e%2e/etc/passwd',
    '/api/v2//claims',
    '/api/v2/claims/',
    '/api/v2/claims%00',
    '/api/v2/policy_holder/%00/claims',
    '/api/v2/policy_holder/..%2f..%2f/claims',
    '/api/v2/policy_holder/%ff%fe/claims',
    '/api/v2/policy_holder/%zz/claims',
    '/%',
    `/api/v2/policy_holder/${'9'.repeat(3000)}/claims`,
    `/${'a/'.repeat(4000)}`,
    '\\..\\windows',
    'http://[::1',
  ])('the path %.40s: 400 or 404 with a message', async (path) => {
    await expectRawError(get(path), [400, 404]);
  });

  it('broken UTF-8 in a query', async () => {
    await expectRawError(get('/api/v2/claims?page=%ff'), [400]);
  });

  it.each([
    ['no request at all', '\r\n\r\nhello\r\n\r\n'],
    ['binary', Buffer.from([0xff, 0x00, 0x16, 0x03, 0x0d, 0x0a, 0x0d, 0x0a])],
    [
      'two lengths',
      'POST /settings/ssh HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'length and chunks',
      'POST /settings/ssh HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a bad chunk',
      'POST /settings/ssh HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['headers beyond all measure', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`],
    [
      'an upgrade',
      'GET /api/v2/claims HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ])('%s: 400 with a message', async (_name, bytes) => {
    await expectRawError(bytes, [400, 403, 404]);
  });

  it('a connection that opens and sends nothing, or half a request, does no harm', async () => {
    const { hostname, port } = new URL(sandbox.baseUrl);
    for (const bytes of ['', 'GET /api/v2/cl']) {
      const socket = connect(Number(port), hostname);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(bytes);
      socket.resetAndDestroy();
    }
  });
});
