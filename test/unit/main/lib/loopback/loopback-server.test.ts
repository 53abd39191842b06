import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  chooseLoopbackHost,
  listenOnLoopback,
} from '../../../../../src/main/lib/loopback/loopback-server.ts';
import { ask } from '../../../../support/loopback-client.ts';

const listen = async (preferredPort?: number, hostname = 'somewhere.localhost') => {
  const server = await listenOnLoopback(
    (_request, response) => response.end('here'),
    hostname,
    preferredPort,
  );
  onTestFinished(() => server.close());
  return server;
};

test('a name is answered under both addresses of this computer, if it has both', async () => {
  const { port } = await listen();
  expect((await ask(`http://localhost:${port}`, '/')).text).toBe('here');
  const overSix = await ask(`http://localhost:${port}`, '/', { host: '::1' }).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  expect([expect.objectContaining({ text: 'here' }), 'EADDRNOTAVAIL']).toContainEqual(overSix);
});

test('the host of a window is different each time, and no name server is asked for it', async () => {
  const hosts = await Promise.all(Array.from({ length: 8 }, chooseLoopbackHost));
  expect(new Set(hosts).size).toBe(hosts.length);
  for (const host of hosts) {
    expect(host).toMatch(/^127\.\d+\.\d+\.\d+$|^[0-9a-f]{32}\.localhost$/);
    const { port } = await listen(0, host);
    expect((await ask(`http://${host}:${port}`, '/')).text).toBe('here');
  }
});

test('it listens on the given address and no other', async () => {
  const host = await chooseLoopbackHost();
  const { port } = await listen(0, host);
  if (host.startsWith('127.'))
    await expect(ask(`http://127.0.0.1:${port}`, '/')).rejects.toThrow('ECONNREFUSED');
});

test('uses the requested port, or another if it is taken', async () => {
  const first = await listen();
  const second = await listen(first.port);
  expect(second.port).not.toBe(first.port);
  await first.close();
  expect((await listen(first.port)).port).toBe(first.port);
});

test('a port that another program has only on ::1 is not used either', async () => {
  const other = createServer();
  const isThere = await new Promise((resolve) => {
    other.once('error', () => resolve(false));
    other.listen({ host: '::1', port: 0 }, () => resolve(true));
  });
  onTestFinished(() => void other.close());
  // A computer without ::1 can have no listener there.
  const taken = isThere ? (other.address() as AddressInfo).port : (await listen()).port;
  expect((await listen(taken)).port).not.toBe(taken);
});

test('closing ends what is open', async () => {
  const server = await listenOnLoopback(() => undefined, '127.0.0.1');
  const socket = connect(server.port, '127.0.0.1');
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server.close();
  await ended;
});

test('what is not HTTP is cut off without an answer', async () => {
  const { port } = await listen();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined);
  socket.write('nonsense\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  expect(text).toBe('');
});
