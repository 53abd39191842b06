import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiPath } from '../team-protocol/api.ts';
import { newLeasesSchema, type TakenLeases } from '../team-protocol/leases.ts';
import { ApiError } from './api-error.ts';
import { createCallers } from './callers.ts';
import { createApp } from './create-app.ts';
import { createDiskWatch, type DiskWatch } from './disk-watch.ts';
import { addEntryRoutes } from './entry-routes.ts';
import { limitConnections } from './limit-connections.ts';
import { createBuckets, createGoodAddresses, defaultLimits, type Limits } from './limits.ts';
import { createLive } from './live.ts';
import { createLeases } from './live-leases.ts';
import { addLiveRoutes } from './live-routes.ts';
import type { ServerLog } from './log.ts';
import { addMemberRoutes } from './member-routes.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { RouteContext } from './route-context.ts';
import type { TeamDatabase } from './store/database.ts';
import { createTeamStore, type TeamStore } from './store/team-store.ts';
import { createTeams, digestSetupCode, type Teams } from './teams.ts';

/** The route to take leases. Who has which claim open is sent by `live-routes.ts`. */
function addLeaseRoutes(app: FastifyInstance, context: RouteContext): void {
  const { leases, live, limits, now } = context;
  const { callerOf, byMember } = context.callers;
  const buckets = createBuckets(limits.leases, now);

  app.post(`${apiPath}/:team/leases`, byMember, async (request): Promise<TakenLeases> => {
    const caller = callerOf(request);
    if (caller.role !== 'admin' && caller.role !== 'reviewer') throw new ApiError('role.notAllowed');
    if (!buckets.take(caller.computer)) throw new ApiError('request.tooMany');
    const { reply, isChanged } = await leases.take(caller, newLeasesSchema.parse(request.body));
    if (isChanged) void live.look(caller.team);
    return reply;
  });
}

/** How often to check for entries of other processes while there are listeners. */
const lookMs = 2_000;
const heartbeatMs = 15_000;
const endLeasesMs = 10_000;
const purgeMs = 3_600_000;
const diskMs = 60_000;
const setupCodeMs = 24 * 3_600_000;

export interface ServerSettings {
  readonly database: TeamDatabase;
  readonly port: number;
  /** Certificate and key as PEM; null for plain HTTP, on loopback only. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** The origin that computers reach the server at; its own address where null. */
  readonly origin: string | null;
  /** The maximum size of the database, for one whose disk can't be checked from here. */
  readonly sizeLimitBytes?: number | null;
  /** The token for reading `/metrics`. Null: only this computer may read it or, if there is an origin, no one. */
  readonly metricsToken: string | null;
  readonly log: ServerLog;
  readonly now?: () => number;
  readonly limits?: Partial<Limits>;
  /** Whether timers check the database and keep streams alive; tests call `look` and `beat`. */
  readonly hasTimers?: boolean;
}

export interface RunningServer {
  readonly origin: string;
  readonly port: number;
  readonly store: TeamStore;
  /** Checks for entries of other processes. */
  look(): Promise<void>;
  /** Sends a heartbeat to every event stream. */
  beat(): void;
  /** Ends event streams, finishes requests, and closes the database. */
  close(): Promise<void>;
}

/** A new set-up code: 80 random bits in groups of four, valid once and for 24 hours. */
export async function makeSetupCode(store: TeamStore, now: number): Promise<string> {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]);
  const code = (letters.join('').match(/.{4}/g) ?? []).join('-');
  await store.addSetupCode(digestSetupCode(code), now + setupCodeMs);
  return code;
}

/** Starts a team server on a database. */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const { database, log, tls, now = Date.now } = settings;
  const limits = { ...defaultLimits, ...settings.limits };
  const store = createTeamStore(database);
  const teams = createTeams(store, now, limits);
  const good = createGoodAddresses(now);
  const leases = createLeases(store, now);
  const live = createLive(store, teams.readState, leases.read);
  const proven = new WeakMap<FastifyRequest, string>();
  const beats = new Set<() => void>();
  const app = createApp(
    { limits, now, log, tls, isEnding: live.hasEnded, findComputer: (request) => proven.get(request) },
    () => metrics,
  );
  const connections = limitConnections(app.server, limits, good, tls === null);
  const watch = createDiskWatch(database, settings.sizeLimitBytes ?? null, log);
  const metrics = createMetrics({
    listeners: () => live.countListeners(),
    connections: connections.count,
    ...watch.gauges,
  });
  const isMetricsOpen = settings.origin === null;
  addOperation(app, { store, teams, watch, metrics }, settings.metricsToken, isMetricsOpen);
  // Set below, once the system has chosen the port.
  let address = '';
  const callers = createCallers({
    teams,
    limits,
    now,
    good,
    proven,
    origin: () => settings.origin ?? address,
  });
  const context = { store, teams, callers, live, leases, metrics, limits, now, beats };
  for (const add of [addMemberRoutes, addEntryRoutes, addLiveRoutes, addLeaseRoutes]) add(app, context);
  await watch.look();
  await store.onNotified((team) => void live.look(team));
  const listen = (host: string) => app.listen({ port: settings.port, host });
  if (tls === null) await listen('127.0.0.1');
  // IPv4 only where the system has no IPv6.
  else
    await listen('::').catch((thrown: { code?: string }) => {
      if (thrown.code !== 'EAFNOSUPPORT') throw thrown;
      return listen('0.0.0.0');
    });
  const { port } = app.server.address() as AddressInfo;
  address = tls === null ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  const beat = (): void => {
    for (const onBeat of beats) onBeat();
  };
  const timers =
    settings.hasTimers === false
      ? []
      : [
          setInterval(() => void live.lookAtAll(), lookMs),
          setInterval(beat, heartbeatMs),
          // If the database does not answer, it is asked again.
          setInterval(() => void store.endLeases(now()).catch(() => undefined), endLeasesMs),
          setInterval(() => void store.purge(now()).catch(() => undefined), purgeMs),
          setInterval(() => void watch.look(), diskMs),
        ];
  return {
    origin: settings.origin ?? address,
    port,
    store,
    look: live.lookAtAll,
    beat,
    async close() {
      for (const timer of timers) clearInterval(timer);
      live.endAll();
      await app.close();
      await store.close();
    },
  };
}

const isLoopback = (request: FastifyRequest): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') &&
  // Not a request that a proxy on this computer forwards.
  request.headers['x-forwarded-for'] === undefined &&
  request.headers.forwarded === undefined;

/** Routes for operators: health and metrics. */
function addOperation(
  app: FastifyInstance,
  { store, teams, watch, metrics }: { store: TeamStore; teams: Teams; watch: DiskWatch; metrics: Metrics },
  metricsToken: string | null,
  isMetricsOpen: boolean,
): void {
  app.get('/healthz', async () => ({ status: 'up' }));
  app.get('/readyz', async (_request, reply) => {
    await store.check();
    const isFolded = await teams.check().then(
      () => true,
      () => false,
    );
    if (!isFolded) return reply.code(503).send({ status: 'failing' });
    return { status: 'ready', ...(watch.isLow() ? { warning: 'store.nearlyFull' } : {}) };
  });
  app.get('/metrics', async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    const expected = Buffer.from(`Bearer ${metricsToken}`);
    const isAllowed =
      metricsToken === null
        ? isMetricsOpen && isLoopback(request)
        : given.length === expected.length && timingSafeEqual(given, expected);
    if (!isAllowed) return reply.callNotFound();
    return reply.type('application/openmetrics-text; version=1.0.0; charset=utf-8').send(metrics.write());
  });
}
