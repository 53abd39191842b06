import type { FastifyRequest } from 'fastify';
import type { Service } from '../service.ts';

export const SESSION_COOKIE = 'session';

/** Sets a cookie, because clients must discard cookies entirely. docs/service.md, "Connect requests". */
export function complainAboutCookie(service: Service, request: FastifyRequest): void {
  if (request.headers.cookie === undefined) return;
  service.journal.complain({
    kind: 'cookie',
    requestId: request.id,
    message: 'A cookie came back; clients must discard cookies',
  });
}
