import type { FastifyRequest } from 'fastify';

/** The address that a request came by, as an origin; never a name that a caller made up. */
export function ownOrigin(request: FastifyRequest): string {
  const own = ownHosts(request);
  const host = (request.headers.host ?? '').toLowerCase();
  return `${request.protocol}://${own.includes(host) ? host : own[0]}`;
}

/** The names that this listener goes by. */
export function ownHosts(request: FastifyRequest): readonly string[] {
  const port = request.socket.localPort;
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** A page of another origin, or a name other than loopback's that was pointed here. */
export function isForeign(request: FastifyRequest): boolean {
  const hosts = ownHosts(request);
  const { origin, host } = request.headers;
  if (!hosts.includes((host ?? '').toLowerCase())) return true;
  return origin !== undefined && !hosts.some((own) => origin === `${request.protocol}://${own}`);
}
