import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../../../../src/main/lib/loopback/loopback-server.ts';
import { ask } from '../../../../support/loopback-client.ts';

const listen = async (preferredPort?: number) => {
  const server = await listenOnLoopback((_request, response) => response.end('here'), preferredPort);
  onTestFinished(() => server.close());
  return server;
};

test('answers under both addresses of this computer, if it has both', async () => {
  const { port } = await listen();
  expect((await ask(port, '/')).text).toBe('here');
  const overSix = await ask(port, '/', { host: '::1' }).catch((error: NodeJS.ErrnoException) => error.code);
  expect([expect.objectContaining({ text: 'here' }), 'EADDRNOTAVAIL']).toContainEqual(overSix);
});

test('takes the port that is wanted, and another where it is taken', async () => {
  const first = await listen();
  const second = await listen(first.port);
  expect(second.port).not.toBe(first.port);
  await first.close();
  expect((await listen(first.port)).port).toBe(first.port);
});

test('a port that another program has on ::1 only is not taken either', async () => {
  const other = createServer();
  const isThere = await new Promise((resolve) => {
    other.once('error', () => resolve(false));
    other.listen({ host: '::1', port: 0 }, () => resolve(true));
  });
  onTestFinished(() => void other.close());
  // Where a computer has no ::1, nobody can be there.
  const taken = isThere ? (other.address() as AddressInfo).port : (await listen()).port;
  expect((await listen(taken)).port).not.toBe(taken);
});

test('closing cuts what is open', async () => {
  const server = await listenOnLoopback(() => undefined);
  const socket = connect(server.port, '127.0.0.1');
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server.close();
  await ended;
});

test('what is no HTTP is cut off without an answer', async () => {
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
