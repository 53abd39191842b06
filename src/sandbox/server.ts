import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { createControlApp } from './control/control-app.ts';
import { plantedTruth } from './control/planted-truth.ts';
import type { Listener } from './http/listener.ts';
import { listen } from './http/listener.ts';
import { answerBrokenRequest, createServiceApp } from './http/service-app.ts';
import type { SandboxOptions } from './options.ts';
import { addDataRoutes } from './routes/data-routes.ts';
import { addOpenApiRoute } from './routes/openapi-route.ts';
import { addSettingsRoutes } from './routes/settings-routes.ts';
import { createService } from './service.ts';
import type { TlsMode } from './tls/certificates.ts';
import { CertificateMaker } from './tls/certificates.ts';

export type RunningSandbox = {
  readonly baseUrl: string;
  readonly account: { readonly email: string };
  readonly controlUrl: string;
  readonly controlToken: string;
  /** The authority to trust, when the service speaks TLS. */
  readonly caPem?: string;
  readonly close: () => Promise<void>;
};

/** Builds the service and its control address and listens on both. */
export async function startSandbox(options: SandboxOptions, shutDown: () => void): Promise<RunningSandbox> {
  const service = createService(options);
  const app = await createServiceApp(service);
  await app.register(async (scope: FastifyInstance) => addDataRoutes(scope, service), { prefix: '/api/v2' });
  await app.register(async (scope: FastifyInstance) => addSettingsRoutes(scope, service));
  await app.register(async (scope: FastifyInstance) => addOpenApiRoute(scope));
  await app.ready();
  if (options.truthFile !== undefined) {
    await writeFile(options.truthFile, `${JSON.stringify(plantedTruth(service.world), null, 2)}\n`);
  }

  const certificates = new CertificateMaker();
  const listeners: Listener[] = [];
  const open = async (port: number, mode: TlsMode | 'off'): Promise<string> => {
    const identity = mode === 'off' ? undefined : certificates.issue(mode);
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
    openTls: async (mode) => ({ baseUrl: await open(0, mode), caPem: certificates.caPem }),
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
    ...(options.tls === 'off' ? {} : { caPem: certificates.caPem }),
    close: async () => {
      await Promise.all([...listeners, controlListener].map((listener) => listener.close()));
      await Promise.all([app.close(), control.close()]);
    },
  };
}
