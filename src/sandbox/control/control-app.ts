import { timingSafeEqual } from 'node:crypto';
import type { FastifyError, FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { z } from 'zod';
import { faultSchema } from '../faults/fault-schema.ts';
import { ApiError, errorBody } from '../http/api-error.ts';
import type { Service } from '../service.ts';
import { addChangeRoutes } from './change-routes.ts';
import { addConnectControlRoutes } from './connect-routes.ts';
import { readBody } from './read-body.ts';
import { addStateRoutes, type ControlPorts } from './state-routes.ts';
import { addTruthRoutes } from './truth-routes.ts';

const BODY_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The control address: an HTTP server of its own on loopback, with JSON requests and replies, protected by
 * `Authorization: Bearer <controlToken>`. Tests control the sandbox with it; it is separate from the service's own
 * addresses. Its calls: README.md, "The control address".
 */
export async function createControlApp(service: Service, ports: ControlPorts): Promise<FastifyInstance> {
  const app = fastify({ logger: false, bodyLimit: BODY_LIMIT_BYTES, return503OnClosing: false });
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
    reply.code(404).type('application/json; charset=utf-8').send(errorBody('No such address')),
  );
  addStateRoutes(app, service, ports);
  addFaultRoutes(app, service);
  addChangeRoutes(app, service);
  addConnectControlRoutes(app, service);
  addTruthRoutes(app, service);
  return app;
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const faultListSchema = z.array(faultSchema).max(1000);

/**
 * The active faults. A fault is one object of faults/fault-schema.ts.
 *
 * - `GET /faults` → `{data: [fault + {id, seen, applied}]}`
 * - `PUT /faults` `[fault, …]` replaces all; `POST /faults` `fault` adds one; `DELETE /faults` removes all
 */
function addFaultRoutes(app: FastifyInstance, service: Service): void {
  const { faults } = service;
  app.get('/faults', async () => ({ data: faults.list() }));
  app.put('/faults', async (request) => {
    const wanted = readBody(faultListSchema, request.body);
    faults.clear();
    for (const fault of wanted) faults.add(fault);
    return { data: faults.list() };
  });
  app.post('/faults', async (request) => ({ id: faults.add(readBody(faultSchema, request.body)) }));
  app.delete('/faults', async () => {
    faults.clear();
    return { data: [] };
  });
}
