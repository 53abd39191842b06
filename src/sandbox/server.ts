import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createControlApp } from './control/control-app.ts';
import { createServiceApp } from './http/service-app.ts';
import type { SandboxOptions } from './options.ts';
import { addDataRoutes } from './routes/data-routes.ts';
import { addSettingsRoutes } from './routes/settings-routes.ts';
import { createService } from './service.ts';

/** The only address that the sandbox ever listens on. */
const LOOPBACK = '127.0.0.1';

export type RunningSandbox = {
  readonly baseUrl: string;
  readonly account: { readonly email: string };
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly close: () => Promise<void>;
};

/** Builds the service and its control address and listens on both. */
export async function startSandbox(options: SandboxOptions, shutDown: () => void): Promise<RunningSandbox> {
  const service = createService(options);
  const app = await createServiceApp(service);
  await app.register(async (scope: FastifyInstance) => addDataRoutes(scope, service), { prefix: '/api/v2' });
  await app.register(async (scope: FastifyInstance) => addSettingsRoutes(scope, service));
  const controlToken = randomBytes(24).toString('base64url');
  const control = await createControlApp(service, { token: controlToken, shutDown });
  const baseUrl = await app.listen({ host: LOOPBACK, port: options.port });
  const controlUrl = await control.listen({ host: LOOPBACK, port: options.controlPort });
  return {
    baseUrl,
    account: { email: options.email },
    controlUrl,
    controlToken,
    close: async () => {
      await Promise.all([app.close(), control.close()]);
    },
  };
}
