import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  readonly port: number;
  /** Stops listening and cuts what is open. */
  close(): Promise<void>;
}

export type LoopbackHandler = (request: IncomingMessage, response: ServerResponse) => void;

const attempts = 20;

/**
 * Listens on one port of this computer and nowhere else: on 127.0.0.1 and, where there is one, on ::1, so
 * that whoever asks for `localhost` reaches us and no other program of that port. A preferred port that is
 * taken gives way to a free one.
 */
export async function listenOnLoopback(handle: LoopbackHandler, preferredPort = 0): Promise<LoopbackServer> {
  let port = preferredPort;
  for (let attempt = 0; attempt < attempts; attempt += 1, port = 0) {
    const first = await listen(handle, '127.0.0.1', port);
    if (first === null) continue;
    const second = await listen(handle, '::1', portOf(first));
    if (second === null) {
      await closeServer(first);
      continue;
    }
    const servers = second === 'absent' ? [first] : [first, second];
    return {
      port: portOf(first),
      close: async () => {
        await Promise.all(servers.map(closeServer));
      },
    };
  }
  throw new Error('No port of this computer is free.');
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** null: the port is taken. 'absent': this computer has no such address. */
function listen(handle: LoopbackHandler, host: '127.0.0.1', port: number): Promise<Server | null>;
function listen(handle: LoopbackHandler, host: '::1', port: number): Promise<Server | null | 'absent'>;
function listen(handle: LoopbackHandler, host: string, port: number): Promise<Server | null | 'absent'> {
  // A body that trickles, or headers that never end, hold a connection no longer than this.
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 30_000 });
  server.on('request', handle);
  server.on('clientError', (_error, socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else if (host === '::1') resolve('absent');
      else reject(error);
    });
    server.listen({ host, port, exclusive: true }, () => resolve(server));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
