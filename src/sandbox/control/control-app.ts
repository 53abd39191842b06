import { timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { z } from 'zod';
import { listOrders } from '../data/ordered-list.ts';
import type { World } from '../data/world.ts';
import { faultSchema } from '../faults/fault-schema.ts';
import { ApiError, errorBody } from '../http/api-error.ts';
import type { Service } from '../service.ts';
import { addConnectControlRoutes } from './connect-control.ts';
import { editsSchema, scheduleSchema } from './edit-schema.ts';
import { applyEdits } from './edits.ts';
import { listSpecialClaims } from './list-special-claims.ts';
import { readBody } from './read-body.ts';
import { addStateRoutes, type ControlPorts } from './state-routes.ts';

const CHUNK = 200;

/** All records at this moment, exactly as the API would return them. */
function addTruthRoutes(app: FastifyInstance, service: Service): void {
  const { world } = service;
  app.get('/truth/claims', (_request, reply) => streamTruth(reply, world, 'claims'));
  app.get('/truth/members', (_request, reply) => streamTruth(reply, world, 'members'));
  app.get('/truth/employers', async () => ({
    data: [...world.employers, ...world.createdEmployers].map((record) => ({
      employer_id: record.employer.id,
      employer_key: record.employerKey,
      vendor_tenant_label: record.vendorTenantLabel,
    })),
  }));
  app.get('/truth/special-claims', async () => listSpecialClaims(world));
}

const streamTruth = (reply: FastifyReply, world: World, list: 'claims' | 'members'): FastifyReply =>
  reply
    .type('application/x-ndjson; charset=utf-8')
    .header('x-total', world[list].length)
    .send(Readable.from(truthLines(world, list), { objectMode: false }));

async function* truthLines(world: World, list: 'claims' | 'members'): AsyncGenerator<string> {
  const { version } = world;
  for (let at = 0; at < world[list].length; at += CHUNK) {
    if (world.version !== version) throw new Error('The data changed while its truth was read');
    const indices = world[list].slice(at, CHUNK);
    const records = indices.map((index) =>
      list === 'claims' ? world.claimAt(index) : world.memberAt(index),
    );
    yield `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
    await nextTurn();
  }
}

const clockSchema = z.strictObject({
  /** The server's clock minus the machine's: sent as `Date` and used for the JWT check. */
  skewSeconds: z.number().min(-1e9).max(1e9).optional(),
  /** Days to add to the data's clock. */
  advanceDays: z.int().min(1).max(3650).optional(),
});
const orderSchema = z.strictObject({
  claims: z.enum(listOrders).optional(),
  members: z.enum(listOrders).optional(),
});

/** Time and change. */
function addChangeRoutes(app: FastifyInstance, service: Service): void {
  const { clock, world, schedule } = service;
  app.post('/clock', async (request) => {
    const { skewSeconds, advanceDays } = readBody(clockSchema, request.body);
    if (skewSeconds !== undefined) {
      clock.setSkewSeconds(skewSeconds);
      service.connect.validations.clockMoved();
      service.connect.crawls.clockMoved();
    }
    if (advanceDays !== undefined) world.advanceDays(advanceDays);
    return {
      skewSeconds: clock.skewSeconds,
      advancedDays: clock.days,
      dataNow: new Date(clock.dataNowMs()).toISOString(),
      serverNow: new Date(clock.serverNowMs()).toISOString(),
    };
  });
  app.post('/edits', async (request) => ({
    data: applyEdits(world, readBody(editsSchema, request.body).edits),
  }));
  app.get('/schedule', async () => schedule.state());
  app.post('/schedule', async (request) => {
    schedule.set(readBody(scheduleSchema, request.body).steps);
    return schedule.state();
  });
  app.delete('/schedule', async () => {
    schedule.set([]);
    return schedule.state();
  });
  app.post('/order', async (request) => {
    const { claims, members } = readBody(orderSchema, request.body);
    if (claims !== undefined) world.setOrder('claims', claims);
    if (members !== undefined) world.setOrder('members', members);
    return { claims: world.claims.order, members: world.members.order };
  });
}

const BODY_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The control address: a separate HTTP server on loopback, with JSON requests and replies, protected by
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

/** The active faults: each is one object of faults/fault-schema.ts. */
function addFaultRoutes(app: FastifyInstance, service: Service): void {
  const { faults } = service;
  app.get('/faults', async () => ({ data: faults.list() }));
  app.put('/faults', async (request) => {
    const newFaults = readBody(faultListSchema, request.body);
    faults.clear();
    for (const fault of newFaults) faults.add(fault);
    return { data: faults.list() };
  });
  app.post('/faults', async (request) => ({ id: faults.add(readBody(faultSchema, request.body)) }));
  app.delete('/faults', async () => {
    faults.clear();
    return { data: [] };
  });
}
