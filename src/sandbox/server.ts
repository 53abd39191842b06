import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { SamplePerson } from '../contract/sample-person.ts';
import { readConnectBody } from './connect/connect-call.ts';
import { addSamplePeople } from './connect/sample-people.ts';
import { createControlApp } from './control/control-app.ts';
import { listSpecialClaims } from './control/list-special-claims.ts';
import { chooseCorpus, isHostile } from './data/corpus.ts';
import { deliver } from './faults/delivery-faults.ts';
import { applyEarlyFaults } from './faults/early-faults.ts';
import { ApiError } from './http/api-error.ts';
import { writeBody } from './http/body-writer.ts';
import { answerBrokenRequest, createServiceApp } from './http/service-app.ts';
import { complainAboutCookie } from './http/session-cookie.ts';
import type { SandboxOptions, TlsMode } from './options.ts';
import { addCarrierRoutes } from './routes/carrier-routes.ts';
import { addConnectRoutes } from './routes/connect-routes.ts';
import { addDataRoutes } from './routes/data-routes.ts';
import { addOpenApiRoute } from './routes/openapi-route.ts';
import { addProgressRoutes } from './routes/progress-routes.ts';
import { addSettingsRoutes } from './routes/settings-routes.ts';
import { mintBodySchema } from './schemas/connect-requests.ts';
import { createService, type Service } from './service.ts';
import type { createCertificateMaker, TlsIdentity } from './tls/make-certificates.ts';

/** The only address that the sandbox ever listens on. */
const LOOPBACK = '127.0.0.1';
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 65_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;
type Listener = { readonly url: string; readonly close: () => Promise<void> };

/**
 * Listens on loopback and passes requests on.
 *
 * @param broken answers bytes that are not an HTTP request
 */
async function listen(
  handle: Handle,
  port: number,
  broken: (error: Error & { code?: string }, socket: Socket) => void,
  tls?: TlsIdentity,
): Promise<Listener> {
  const server: Server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', (error: Error & { code?: string }, socket) => broken(error, socket as Socket));
  // CONNECT and upgrades never reach a route: they are answered as broken requests.
  server.on('connect', (_request, socket) => broken(new Error('CONNECT'), socket as Socket));
  server.on('upgrade', (_request, socket) => broken(new Error('Upgrade'), socket as Socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** `POST /api/create-connect-token`. docs/service.md, "Connect access token". */
async function addMintRoute(app: FastifyInstance, service: Service): Promise<void> {
  const { integrations, tokens } = service.connect;
  app.post('/create-connect-token', async (request, reply) => {
    complainAboutCookie(service, request);
    const faults = service.faults.forRequest('connect-mint');
    if (await applyEarlyFaults(faults, service.clock, request, reply)) return reply;
    const keys = readConnectBody(mintBodySchema, request.body);
    const integration = integrations.find(keys.connect_access_key);
    // The same answer for an unknown public token and for a wrong secret, so that tokens can't be probed.
    if (!integrations.isSecretKey(keys.connect_secret_key) || integration?.isActive !== true)
      throw new ApiError(401, 'The keys do not belong together, or the token is inactive');
    const data = await tokens.mint('access', integration.publicToken, service.clock.serverNowMs());
    return deliver(faults, writeBody({ data }), request, reply);
  });
}

type RunningSandbox = {
  readonly baseUrl: string;
  readonly account: { readonly email: string };
  readonly controlUrl: string;
  readonly controlToken: string;
  /** The Connect integrations: a token for one tenant, one for all of them, and the secret key of both. */
  readonly connect: {
    readonly publicToken: string;
    readonly secretKey: string;
    readonly multiTenantToken: string;
    readonly tenants: readonly { readonly label: string; readonly key: string }[];
    /** Members who were added before, with their connections; empty with hostile data. */
    readonly people: readonly SamplePerson[];
  };
  /** The certificate authority to trust, when the service uses TLS. */
  readonly caPem?: string;
  readonly close: () => Promise<void>;
};

/** Connect at both of its bases, with its other routes. docs/service.md, "Connect calls". */
async function addConnectSide(app: FastifyInstance, service: Service): Promise<void> {
  const at = (prefix: string, add: (scope: FastifyInstance) => Promise<void>) =>
    app.register(async (scope: FastifyInstance) => add(scope), { prefix });
  await at('/connect/v1', (scope) => addConnectRoutes(scope, service, 'current'));
  await at('/sdk-api', (scope) => addConnectRoutes(scope, service, 'legacy'));
  await at('/api', (scope) => addMintRoute(scope, service));
  await at('/v3/connect', (scope) => addProgressRoutes(scope, service));
  await at('/v3/sdk', (scope) => addProgressRoutes(scope, service));
  await at('', (scope) => addCarrierRoutes(scope, service));
}

/** Builds the service and its control address, and listens on both. */
export async function startSandbox(options: SandboxOptions, shutDown: () => void): Promise<RunningSandbox> {
  chooseCorpus(options.corpus);
  const service = createService(options);
  const app = await createServiceApp(service);
  await app.register(async (scope: FastifyInstance) => addDataRoutes(scope, service), { prefix: '/api/v2' });
  await app.register(async (scope: FastifyInstance) => addSettingsRoutes(scope, service));
  await addConnectSide(app, service);
  await app.register(async (scope: FastifyInstance) => addOpenApiRoute(scope));
  await app.ready();
  if (options.truthFile !== undefined)
    await writeFile(options.truthFile, `${JSON.stringify(listSpecialClaims(service.world), null, 2)}\n`);

  // Loaded only where TLS is requested, because the library is larger than the rest of the sandbox.
  let made: ReturnType<typeof createCertificateMaker> | undefined;
  const getCertificates = async () => {
    const { createCertificateMaker } = await import('./tls/make-certificates.ts');
    made ??= createCertificateMaker();
    return made;
  };
  const listeners: Listener[] = [];
  const open = async (port: number, mode: TlsMode | 'off'): Promise<string> => {
    const identity = mode === 'off' ? undefined : await (await getCertificates()).issue(mode);
    const broken = answerBrokenRequest.bind(undefined, service);
    const listener = await listen(
      (request, response) => app.routing(request, response),
      port,
      broken,
      identity,
    );
    listeners.push(listener);
    return listener.url;
  };
  const controlToken = randomBytes(24).toString('base64url');
  const control = await createControlApp(service, {
    token: controlToken,
    shutDown,
    openTls: async (mode) => ({ baseUrl: await open(0, mode), caPem: (await getCertificates()).caPem }),
  });
  await control.ready();
  const baseUrl = await open(options.port, options.tls);
  const controlListener = await listen(
    (request, response) => control.routing(request, response),
    options.controlPort,
    answerBrokenRequest.bind(undefined, service),
  );
  return {
    baseUrl,
    account: { email: options.email },
    controlUrl: controlListener.url,
    controlToken,
    connect: describeIntegrations(service),
    ...(options.tls === 'off' ? {} : { caPem: (await getCertificates()).caPem }),
    close: async () => {
      await Promise.all([...listeners, controlListener].map((listener) => listener.close()));
      await Promise.all([app.close(), control.close()]);
    },
  };
}

function describeIntegrations({ connect, world }: Service): RunningSandbox['connect'] {
  const { integrations } = connect;
  return {
    publicToken: integrations.single.publicToken,
    secretKey: integrations.secretKey,
    multiTenantToken: integrations.multi.publicToken,
    tenants: integrations.multi.tenants.map(({ label, key }) => ({ label, key })),
    people: isHostile() ? [] : addSamplePeople(world, connect),
  };
}
