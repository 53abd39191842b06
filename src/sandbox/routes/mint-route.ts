import type { FastifyInstance } from 'fastify';
import { readConnectBody } from '../connect/connect-call.ts';
import { deliver } from '../faults/delivery-faults.ts';
import { applyEarlyFaults } from '../faults/early-faults.ts';
import { ApiError } from '../http/api-error.ts';
import { writeBody } from '../http/body-writer.ts';
import { complainAboutCookie } from '../http/session-cookie.ts';
import { mintBodySchema } from '../schemas/connect-requests.ts';
import type { Service } from '../service.ts';

/** `POST /api/create-connect-token`. docs/service.md, "Connect access token". */
export async function addMintRoute(app: FastifyInstance, service: Service): Promise<void> {
  const { integrations, tokens } = service.connect;
  app.post('/create-connect-token', async (request, reply) => {
    complainAboutCookie(service, request);
    const faults = service.faults.forRequest('connect-mint');
    if (await applyEarlyFaults(faults, service.clock, request, reply)) return reply;
    const keys = readConnectBody(mintBodySchema, request.body);
    const integration = integrations.find(keys.connect_access_key);
    // The same answer for an unknown public token and for a wrong secret, so that nobody can probe for tokens.
    if (!integrations.isSecretKey(keys.connect_secret_key) || integration?.isActive !== true)
      throw new ApiError(401, 'The keys do not belong together, or the token is inactive');
    const data = await tokens.mint('access', integration.publicToken, service.clock.serverNowMs());
    return deliver(faults, writeBody({ data }), request, reply);
  });
}
