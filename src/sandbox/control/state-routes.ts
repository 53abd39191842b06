import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RegisteredKey } from '../auth/account.ts';
import { isCidr } from '../auth/cidr.ts';
import { KeyRefused } from '../auth/public-keys.ts';
import { ApiError } from '../http/api-error.ts';
import { type TlsMode, tlsModes } from '../options.ts';
import type { Service } from '../service.ts';
import { readBody } from './read-body.ts';

/** The parts of the program that the control address may use. */
export type ControlPorts = {
  readonly token: string;
  readonly shutDown: () => void;
  /** Opens one more address of the same service, over TLS. */
  readonly openTls: (mode: TlsMode) => Promise<{ baseUrl: string; caPem: string }>;
};

const accountSchema = z.strictObject({
  /** CIDR ranges that data API calls may come from; null for no allowlist. */
  cidrAllowlist: z.array(z.string().refine(isCidr, 'not a CIDR range')).max(1000).nullable(),
});
const keySchema = z.strictObject({ name: z.string().default(''), publicKey: z.string() });
const tlsSchema = z.strictObject({ mode: z.enum(tlsModes) });
const sinceSchema = z.looseObject({
  since: z
    .string()
    .regex(/^\d{1,15}$/)
    .default('0'),
});

/** The state of the service, and the requests it has received. */
export function addStateRoutes(app: FastifyInstance, service: Service, ports: ControlPorts): void {
  const { world, clock, journal, account } = service;
  app.get('/state', async () => ({
    seed: service.options.seed,
    claims: world.claims.length,
    members: world.members.length,
    order: { claims: world.claims.order, members: world.members.order },
    requests: journal.requestCount,
    complaints: journal.listComplaints().length,
    keys: account.keys.length,
    cidrAllowlist: account.cidrAllowlist,
    skewSeconds: clock.skewSeconds,
    serverNow: new Date(clock.serverNowMs()).toISOString(),
    advancedDays: clock.days,
    dataNow: new Date(clock.dataNowMs()).toISOString(),
    dataVersion: world.version,
    schedule: service.schedule.state(),
    memoryBytes: process.memoryUsage().rss,
  }));
  app.get('/requests', async (request) => {
    const since = Number(readBody(sinceSchema, request.query).since);
    return { data: journal.listRequests().filter((record) => record.number > since) };
  });
  app.delete('/requests', async () => {
    journal.clear();
    return { cleared: true };
  });
  app.get('/complaints', async () => ({ data: journal.listComplaints() }));
  app.put('/account', async (request) => {
    account.cidrAllowlist = readBody(accountSchema, request.body).cidrAllowlist;
    return { cidrAllowlist: account.cidrAllowlist };
  });
  app.get('/keys', async () => ({ data: account.keys.map(describeKey) }));
  app.post('/keys', async (request) => {
    const { name, publicKey } = readBody(keySchema, request.body);
    try {
      return describeKey(await account.addKey(name, publicKey, clock.serverNowMs()));
    } catch (error) {
      if (error instanceof KeyRefused) throw new ApiError(422, error.message);
      throw error;
    }
  });
  app.delete('/keys', async () => {
    account.deleteAllKeys();
    return { keys: 0 };
  });
  app.post('/tls', async (request) => ports.openTls(readBody(tlsSchema, request.body).mode));
  app.post('/shutdown', async (_request, reply) => {
    reply.raw.once('finish', ports.shutDown);
    return { stopping: true };
  });
}

const describeKey = (key: RegisteredKey) => ({
  id: key.id,
  name: key.name,
  type: key.type,
  fingerprint: key.fingerprint,
  createdAt: new Date(key.createdMs).toISOString(),
  lastAccessed: key.lastAccessedMs === null ? null : new Date(key.lastAccessedMs).toISOString(),
});
