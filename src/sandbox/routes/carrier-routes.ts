import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CARRIER_ENTRY_PATH, CARRIER_PATH } from '../connect/carrier-address.ts';
import type { Flow } from '../connect/patient-access.ts';
import { ApiError } from '../http/api-error.ts';
import { isForeign } from '../http/own-origin.ts';
import type { Service } from '../service.ts';
import { renderCarrierPage } from './carrier-page.ts';
import { PAGE_HEADERS } from './page.ts';

const signInSchema = z.looseObject({
  username: z.string().trim().min(1).max(200),
  password: z.string().min(1),
});
const decisionSchema = z.looseObject({ decision: z.enum(['allow', 'deny']) });

const REFUSED = 'This username and password do not fit. Please try again.';

/** The carrier's pages that a member visits in the system browser (docs/service.md, "Patient Access"). */
export async function addCarrierRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { patientAccess } = service.connect;
  const path = `${CARRIER_PATH}/:flowId`;
  const flowOf = (request: FastifyRequest): Flow => {
    const flow = patientAccess.findById((request.params as { flowId: string }).flowId);
    if (flow === undefined) throw new ApiError(404, 'No such record');
    return flow;
  };
  const send = (reply: FastifyReply, status: number, flow: Flow, error?: string): FastifyReply =>
    reply
      .code(status)
      .headers(PAGE_HEADERS)
      .send(renderCarrierPage(flow, actionOf(flow), error));
  app.addHook('onRequest', async (request) => {
    if (isForeign(request)) throw new ApiError(403, 'This page answers only itself', 'origin_not_allowed');
  });
  app.get<{ Params: { addressId: string } }>(`${CARRIER_ENTRY_PATH}/:addressId`, (request, reply) => {
    const flow = patientAccess.enter(request.params.addressId, service.connect.settings.flowMs);
    if (flow === undefined) throw new ApiError(404, 'No such record');
    return reply.code(303).header('location', actionOf(flow)).send();
  });
  app.get(path, (request, reply) => send(reply, 200, flowOf(request)));
  app.post(`${path}/sign-in`, (request, reply) => {
    const flow = flowOf(request);
    const form = signInSchema.safeParse(request.body);
    // Only the username is passed on: the password is not kept.
    if (!form.success || patientAccess.signIn(flow, form.data.username) === 'refused')
      return send(reply, 422, flow, REFUSED);
    return reply.code(303).header('location', actionOf(flow)).send();
  });
  app.post(`${path}/decide`, (request, reply) => {
    const flow = flowOf(request);
    const decision = decisionSchema.safeParse(request.body).data?.decision;
    if (decision !== undefined) patientAccess.decide(flow, decision === 'allow');
    return reply.code(303).header('location', actionOf(flow)).send();
  });
}

const actionOf = (flow: Flow): string => `${CARRIER_PATH}/${flow.id}`;
