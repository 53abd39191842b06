import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsIdentity } from '../tls/certificates.ts';

/** The only address that the sandbox ever listens on. */
const LOOPBACK = '127.0.0.1';
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 65_000;

export type Handle = (request: IncomingMessage, response: ServerResponse) => void;
export type Listener = { readonly url: string; readonly close: () => Promise<void> };

/**
 * Listens on loopback and passes requests on.
 *
 * @param broken answers bytes that are no HTTP request
 */
export async function listen(
  handle: Handle,
  port: number,
  broken: (error: Error & { code?: string }, socket: Socket) => void,
  tls?: TlsIdentity,
): Promise<Listener> {
  const server: Server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', (error: Error & { code?: string }, socket) => broken(error, socket as Socket));
  // CONNECT and upgrades never reach a route: they are answered as broken requests.
  server.on('connect', (_request, socket) => broken(new Error('CONNECT'), socket as Socket));
  server.on('upgrade', (_request, socket) => broken(new Error('Upgrade'), socket as Socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
