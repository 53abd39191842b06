import type { FastifyRequest } from 'fastify';

/** Returns the origin that a request was sent to, never a host name that the caller made up. */
export function ownOrigin(request: FastifyRequest): string {
  const hosts = ownHosts(request);
  const host = (request.headers.host ?? '').toLowerCase();
  return `${request.protocol}://${hosts.includes(host) ? host : hosts[0]}`;
}

/** Returns the host names of this listener. */
function ownHosts(request: FastifyRequest): readonly string[] {
  const port = request.socket.localPort;
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Returns whether a request comes from a page of another origin, or was sent to a host name that is not loopback's. */
export function isForeign(request: FastifyRequest): boolean {
  const hosts = ownHosts(request);
  const { origin, host } = request.headers;
  if (!hosts.includes((host ?? '').toLowerCase())) return true;
  return origin !== undefined && !hosts.some((ownHost) => origin === `${request.protocol}://${ownHost}`);
}
