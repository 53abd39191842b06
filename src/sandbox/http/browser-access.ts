import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The headers of docs/service.md, "Connect requests", and others that the published client adds. */
const REQUEST_HEADERS =
  'Content-Type, X-Service-Token, X-Connect-API-Version, X-Connect-Access-Token, X-Tenant-Label, ' +
  'X-Tenant-Key, X-Connect-State-Id, X-SDK-State-Id, X-SDK-Version, X-Is-Demo';
const REPLY_HEADERS = ['X-Request-Id', 'X-Set-Connect-Access-Token'];

/**
 * Lets pages of any origin call the routes of this scope, without cookies. A preflight contains no key, so every origin
 * may send one; the request itself is checked against the key's allowlist (docs/service.md, "Connect requests").
 */
export function addBrowserAccess(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers: { origin } }, reply) => {
    if (origin === undefined) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', REPLY_HEADERS.join(', '))
      .header('vary', 'Origin');
  });
  app.options('/*', async ({ headers }: FastifyRequest, reply): Promise<FastifyReply | undefined> => {
    if (headers.origin === undefined || headers['access-control-request-method'] === undefined) {
      reply.callNotFound();
      return undefined;
    }
    return reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, PUT')
      .header('access-control-allow-headers', REQUEST_HEADERS)
      .header('access-control-max-age', '600')
      .send();
  });
}
