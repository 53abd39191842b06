import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// An import statement reads all of its exports, and with one of them 25 ms of another HTTP client's code are loaded.
const { createServer } = process.getBuiltinModule('node:http');

interface LoopbackServer {
  readonly port: number;
  /** Stops listening and closes open connections. */
  close(): Promise<void>;
}

type LoopbackHandler = (request: IncomingMessage, response: ServerResponse) => void;

const attempts = 20;

/**
 * Chooses the host of a window's address: one that no page can have used before. Service workers, caches and cookies
 * of `localhost` are shared by all users of a computer and outlive the program that made them, so a page at a
 * guessable host could be answered by another program's service worker. The host is a random address of 127.0.0.0/8
 * where the system answers there, else (macOS) a random name of 128 bits, which browsers resolve to this computer
 * without DNS.
 */
export async function chooseLoopbackHost(): Promise<string> {
  const address = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
  const server = await listen(() => undefined, address, 0);
  if (typeof server === 'string') return `${randomBytes(16).toString('hex')}.localhost`;
  await closeServer(server);
  return address;
}

/**
 * Listens on one port of this computer: at the address itself, and for a name on 127.0.0.1 and, where there is one, on
 * ::1, so that a request for that name cannot reach another program. If the preferred port is taken, a free one is
 * used.
 */
export async function listenOnLoopback(
  handle: LoopbackHandler,
  hostname: string,
  preferredPort = 0,
): Promise<LoopbackServer> {
  const addresses = hostname.startsWith('127.') ? [hostname] : ['127.0.0.1', '::1'];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const servers: Server[] = [];
    let port = attempt === 0 ? preferredPort : 0;
    let isTaken = false;
    for (const address of addresses) {
      const server = await listen(handle, address, port);
      if (server === 'taken') isTaken = true;
      if (typeof server === 'string') continue;
      servers.push(server);
      port = portOf(server);
    }
    const close = async (): Promise<void> => void (await Promise.all(servers.map(closeServer)));
    if (!isTaken && servers.length > 0) return { port, close };
    await close();
  }
  throw new Error('No port of this computer is free.');
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** 'absent': this computer has no such address. */
function listen(handle: LoopbackHandler, host: string, port: number): Promise<Server | 'taken' | 'absent'> {
  // Limits how long a slow body, or headers that never end, hold a connection.
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 30_000,
    // Browsers send the cookies of every port of a host, at most about 750 kB.
    maxHeaderSize: 1_000_000,
  });
  server.on('request', handle);
  server.on('clientError', (_error, socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' ? 'taken' : 'absent'),
    );
    server.listen({ host, port, exclusive: true }, () => resolve(server));
  });
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
