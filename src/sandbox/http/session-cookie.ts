import type { FastifyRequest } from 'fastify';
import type { Service } from '../service.ts';

export const SESSION_COOKIE = 'session';

/** Interface document, Connect API rule 9: clients must discard cookies entirely. */
export function complainAboutCookie(service: Service, request: FastifyRequest): void {
  if (request.headers.cookie === undefined) return;
  service.journal.complain({
    kind: 'cookie',
    requestId: request.id,
    message: 'A cookie came back; clients must discard cookies',
  });
}
