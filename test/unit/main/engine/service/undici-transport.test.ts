import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer, get } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toTransportError } from '../../../../../src/main/engine/service/transport.ts';
import { createUndiciTransport } from '../../../../../src/main/engine/service/undici-transport.ts';
import { createCertificateMaker } from '../../../../../src/sandbox/tls/make-certificates.ts';

interface Listening {
  readonly url: URL;
  readonly seen: IncomingMessage[];
}

async function listen(handle: RequestListener, tls?: { key: string; cert: string }): Promise<Listening> {
  const seen: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request);
    handle(request, response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/api`), seen };
}

function openTransport(environment: NodeJS.ProcessEnv = {}) {
  const { transport, close } = createUndiciTransport(environment);
  onTestFinished(close);
  return (
    url: URL,
    rest: { timeoutMs?: number; signal?: AbortSignal; headers?: Record<string, string> } = {},
  ) => transport({ method: 'GET', url, headers: {}, timeoutMs: 10_000, ...rest });
}

test('sends what was requested and nothing that reveals more', async () => {
  const { url, seen } = await listen((_request, response) => response.end('{"a":1}'));
  const answer = await openTransport()(url, { headers: { authorization: 'SSH-JWT abc' } });
  expect(answer.status).toBe(200);
  expect(Buffer.from(answer.body).toString()).toBe('{"a":1}');
  const names = Object.keys(seen[0]?.headers ?? {}).sort();
  expect(names).toEqual(['accept', 'accept-encoding', 'authorization', 'connection', 'host', 'user-agent']);
  expect(seen[0]?.headers).toMatchObject({ authorization: 'SSH-JWT abc', 'user-agent': 'Claimdesk' });
});

test('never sends a cookie back, nor an Origin or a Referer', async () => {
  const { url, seen } = await listen((_request, response) => {
    response.setHeader('set-cookie', ['session=abc; Path=/', 'other=1; Path=/; HttpOnly']);
    response.end('{}');
  });
  const send = openTransport();
  for (let index = 0; index < 3; index += 1) await send(url);
  for (const request of seen) {
    expect(request.headers.cookie).toBeUndefined();
    expect(request.headers.origin).toBeUndefined();
    expect(request.headers.referer).toBeUndefined();
  }
  expect(seen).toHaveLength(3);
});

test('reads past very large cookies', async () => {
  const cookies = Array.from({ length: 20 }, (_none, index) => `filler${index}=${'c'.repeat(4000)}; Path=/`);
  const { url } = await listen((_request, response) => {
    response.setHeader('set-cookie', cookies);
    response.end('{"ok":true}');
  });
  expect(Buffer.from((await openTransport()(url)).body).toString()).toBe('{"ok":true}');
});

test('headers without end are service.replyTooLarge', async () => {
  const { url } = await listen((_request, response) => {
    response.setHeader('x-much', 'x'.repeat(400_000));
    response.end('{}');
  });
  await expect(openTransport()(url)).rejects.toMatchObject({ code: 'service.replyTooLarge' });
});

test.each([301, 302, 303, 307, 308])('returns a %i without following it', async (status) => {
  const other = await listen((_request, response) => response.end('{}'));
  const { url } = await listen((_request, response) => {
    response.writeHead(status, { location: other.url.href });
    response.end();
  });
  const answer = await openTransport()(url, { headers: { authorization: 'SSH-JWT abc' } });
  expect(answer.status).toBe(status);
  expect(other.seen).toEqual([]);
});

test('a service that does not answer is service.timeout', async () => {
  const { url } = await listen(() => undefined);
  await expect(openTransport()(url, { timeoutMs: 150 })).rejects.toMatchObject({ code: 'service.timeout' });
});

test('a body that stops is service.timeout', async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"data":');
  });
  await expect(openTransport()(url, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'service.timeout' });
});

test('a body that arrives too slowly ends with the time of the request', async () => {
  const { url } = await listen((_request, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const began = performance.now();
  await expect(openTransport()(url, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'service.timeout' });
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('a connection that is reset in the middle of the body is service.connectionLost', async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('{"data":[');
    setTimeout(() => response.socket?.resetAndDestroy(), 30);
  });
  await expect(openTransport()(url)).rejects.toMatchObject({ code: 'service.connectionLost' });
});

test('a body shorter than declared is service.connectionLost', async () => {
  const { url } = await listen((_request, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"data":[]}');
  });
  await expect(openTransport()(url)).rejects.toMatchObject({ code: 'service.connectionLost' });
});

test('an answer that is not HTTP has a code of the service', async () => {
  const { url } = await listen((_request, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'));
  await expect(openTransport()(url)).rejects.toMatchObject({ code: 'service.connectionLost' });
});

test('a port where nothing listens is service.unreachable', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  await expect(openTransport()(new URL(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
    code: 'service.unreachable',
  });
});

test('an unknown name is service.nameUnknown', async () => {
  await expect(openTransport()(new URL('http://claims.invalid/'))).rejects.toMatchObject({
    code: 'service.nameUnknown',
  });
});

test('canceling ends a request in progress', async () => {
  const { url } = await listen(() => undefined);
  const controller = new AbortController();
  const waiting = openTransport()(url, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await expect(waiting).rejects.toMatchObject({ code: 'sync.canceled' });
  await expect(openTransport()(url, { signal: controller.signal })).rejects.toMatchObject({
    code: 'sync.canceled',
  });
});

test('a reply beyond the limit is not read to its end', async () => {
  let sent = 0;
  const { url } = await listen((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 120);
    function* chunks(): Generator<Buffer> {
      for (; sent < 400; sent += 1) yield chunk;
    }
    Readable.from(chunks(), { objectMode: false })
      .on('error', () => undefined)
      .pipe(response);
  });
  await expect(openTransport()(url, { timeoutMs: 30_000 })).rejects.toMatchObject({
    code: 'service.replyTooLarge',
  });
  expect(sent).toBeLessThan(300);
});

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['gzip, br', (data: Buffer) => brotliCompressSync(gzipSync(data))],
  ['identity', (data: Buffer) => data],
])('a reply compressed as %s is read', async (encoding, compress) => {
  const { url, seen } = await listen((_request, response) => {
    response.setHeader('content-encoding', encoding);
    response.end(compress(Buffer.from('{"data":[{"name":"Zoë"}]}')));
  });
  const { body } = await openTransport()(url);
  expect(Buffer.from(body).toString()).toBe('{"data":[{"name":"Zoë"}]}');
  expect(seen[0]?.headers['accept-encoding']).toBe('gzip, br');
});

test.each([
  ['of an encoding that was not offered', 'compress', Buffer.from('x'), 'service.badReply'],
  ['of more layers than a service sends', 'gzip, gzip, gzip', Buffer.from('x'), 'service.badReply'],
  ['that is not what it says', 'gzip', Buffer.from('{"data":[]}'), 'service.badReply'],
  ['cut off', 'gzip', gzipSync(Buffer.alloc(100_000, 'ab')).subarray(0, 60), 'service.connectionLost'],
  ['that grows beyond the limit', 'gzip', gzipSync(Buffer.alloc(140_000_000)), 'service.replyTooLarge'],
  ['without a body', 'gzip', Buffer.alloc(0), null],
])('a compressed reply %s', async (_what, encoding, sent, code) => {
  const { url } = await listen((_request, response) => {
    response.setHeader('content-encoding', encoding);
    response.end(sent);
  });
  const asked = openTransport()(url);
  if (code === null) expect((await asked).body).toHaveLength(0);
  else await expect(asked).rejects.toMatchObject({ code });
});

test('a compressed stream of events is read as it arrives', async () => {
  const { url } = await listen((_request, response) => {
    response.setHeader('content-encoding', 'gzip');
    const gzip = createGzip();
    gzip.pipe(response);
    gzip.write('event: ping\n\n');
    gzip.flush();
  });
  const { transport, close } = createUndiciTransport({});
  onTestFinished(close);
  const leaving = new AbortController();
  const first = new Promise<string>((resolve) => {
    void transport({
      ...{ method: 'GET', url, headers: {}, timeoutMs: 10_000, signal: leaving.signal },
      onChunk: (chunk) => resolve(Buffer.from(chunk).toString()),
    }).catch(() => undefined);
  });
  expect(await first).toBe('event: ping\n\n');
  leaving.abort();
});

/** Trusts an authority as a computer behind a company's proxy does. */
function trust(maker: { readonly caPem: string }): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, maker.caPem]);
  onTestFinished(() => setDefaultCACertificates(before));
}

test.each(['unknown-authority', 'wrong-host', 'expired'] as const)(
  'a certificate of %s is service.tlsRefused, and no token was sent',
  async (mode) => {
    const maker = await createCertificateMaker();
    trust(maker);
    const { url, seen } = await listen((_request, response) => response.end('{}'), await maker.issue(mode));
    await expect(openTransport()(url, { headers: { authorization: 'SSH-JWT abc' } })).rejects.toMatchObject({
      code: 'service.tlsRefused',
    });
    expect(seen).toEqual([]);
  },
);

test('NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing, directly and through a proxy', async () => {
  const maker = await createCertificateMaker();
  const { url, seen } = await listen(
    (_request, response) => response.end('{}'),
    await maker.issue('unknown-authority'),
  );
  const proxy = createServer();
  proxy.on('connect', (_request, socket) => {
    const target = connect(Number(url.port), '127.0.0.1');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    target.pipe(socket).pipe(target);
    for (const end of [target, socket]) end.on('error', () => undefined);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());

  const { port } = proxy.address() as AddressInfo;
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0', https_proxy: `http://127.0.0.1:${port}` };
  for (const target of [url, new URL('https://claims.example/api')]) {
    const asked = openTransport(environment)(target, { headers: { authorization: 'SSH-JWT abc' } });
    await expect(asked, target.host).rejects.toMatchObject({ code: 'service.tlsRefused' });
  }
  expect(seen).toEqual([]);
  // Node itself would have sent it.
  await new Promise<void>((resolve, reject) => {
    get(url, { agent: false }, (reply) => {
      reply.resume();
      resolve();
    }).on('error', reject);
  });
  expect(seen).toHaveLength(1);
});

test('a certificate of an authority that this computer trusts is good', async () => {
  const maker = await createCertificateMaker();
  trust(maker);
  const { url } = await listen((_request, response) => response.end('{"ok":1}'), await maker.issue('good'));
  expect((await openTransport()(url)).status).toBe(200);
});

test('TLS with a plain service is service.tlsRefused', async () => {
  const { url } = await listen((_request, response) => response.end('{}'));
  await expect(openTransport()(new URL(url.href.replace('http:', 'https:')))).rejects.toMatchObject({
    code: 'service.tlsRefused',
  });
});

test.each(['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'])(
  'requests to this computer do not use the proxy of %s',
  async (name) => {
    const proxy = await listen((_request, response) => response.end('{"proxy":true}'));
    const { url, seen } = await listen((_request, response) => response.end('{"direct":true}'));
    const send = openTransport({ [name]: proxy.url.origin, no_proxy: 'elsewhere.example' });
    for (const host of ['127.0.0.1', 'localhost']) {
      const target = new URL(url);
      target.hostname = host;
      expect(Buffer.from((await send(target)).body).toString()).toBe('{"direct":true}');
    }
    expect(proxy.seen).toEqual([]);
    expect(seen).toHaveLength(2);
  },
);

test('a remote service is reached through the proxy, which sees only the name', async () => {
  const tunnels: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    tunnels.push(`${request.url} ${request.headers.authorization ?? 'no token'}`);
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const send = openTransport({ https_proxy: `http://127.0.0.1:${port}` });
  await expect(
    send(new URL('https://claims.invalid/api'), { headers: { authorization: 'SSH-JWT abc' } }),
  ).rejects.toMatchObject({ code: 'service.proxyLogin' });
  expect(tunnels).toEqual(['claims.invalid:443 no token']);
});

test.each([
  [{ code: 'ENOTFOUND' }, 'service.nameUnknown'],
  [{ code: 'EAI_AGAIN' }, 'service.nameUnknown'],
  [{ message: 'x', cause: { code: 'ECONNRESET' } }, 'service.connectionLost'],
  [{ code: 'EPIPE' }, 'service.connectionLost'],
  [{ errors: [{ code: 'ECONNREFUSED' }] }, 'service.unreachable'],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'service.timeout'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'service.tlsRefused'],
  [{ code: 'CERT_NOT_YET_VALID' }, 'service.certificateAhead'],
  [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'service.tlsRefused'],
  [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'service.tlsRefused'],
  [{ code: 'ERR_CERT_AUTHORITY_INVALID' }, 'service.tlsRefused'],
  [{ code: 'ERR_NAME_NOT_RESOLVED' }, 'service.nameUnknown'],
  [{ code: 'ERR_CONNECTION_TIMED_OUT' }, 'service.timeout'],
  [{ code: 'ERR_CONNECTION_CLOSED' }, 'service.connectionLost'],
  ['text', 'service.unreachable'],
  [undefined, 'service.unreachable'],
])('%j below HTTP is %s', (thrown, code) => {
  expect(toTransportError(thrown).code).toBe(code);
});

test('a cause that refers to itself is not an endless search', () => {
  const thrown: { cause?: unknown } = {};
  thrown.cause = thrown;
  expect(toTransportError(thrown).code).toBe('service.unreachable');
});
