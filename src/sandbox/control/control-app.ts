import { timingSafeEqual } from 'node:crypto';
import type { FastifyError, FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { ApiError, errorBody } from '../http/api-error.ts';
import type { Service } from '../service.ts';

export type ControlPorts = { readonly token: string; readonly shutDown: () => void };

/**
 * The control address: an HTTP server of its own, on loopback, guarded by `Authorization: Bearer <controlToken>`.
 * It speaks JSON. Tests steer the sandbox with it; the service's own addresses know nothing of it.
 */
export async function createControlApp(service: Service, ports: ControlPorts): Promise<FastifyInstance> {
  const app = fastify({ logger: false, bodyLimit: 8 * 1024 * 1024, forceCloseConnections: true });
  app.addHook('onRequest', async (request) => {
    if (!isToken(request.headers.authorization, ports.token))
      throw new ApiError(401, 'The control token is required');
    if (request.headers.origin !== undefined) throw new ApiError(403, 'The control address takes no browser');
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error instanceof ApiError ? error.status : (error.statusCode ?? 500);
    return reply.code(status).type('application/json; charset=utf-8').send(errorBody(error.message));
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('application/json').send(errorBody('No such address')),
  );
  app.get('/state', async () => ({
    seed: service.options.seed,
    claims: service.world.claims.length,
    members: service.world.members.length,
    requests: service.journal.requestCount,
    keys: service.account.keys.length,
    skewSeconds: service.clock.skewSeconds,
    advancedDays: service.clock.days,
    dataNow: new Date(service.clock.dataNowMs()).toISOString(),
  }));
  app.get('/requests', async () => ({ data: service.journal.listRequests() }));
  app.get('/complaints', async () => ({ data: service.journal.listComplaints() }));
  app.post('/shutdown', async (_request, reply) => {
    reply.raw.once('finish', ports.shutDown);
    return { stopping: true };
  });
  return app;
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
