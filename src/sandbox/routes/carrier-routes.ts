import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CARRIER_ENTRY_PATH, CARRIER_PATH } from '../connect/carrier-address.ts';
import type { SignInFlow } from '../connect/patient-access.ts';
import { ApiError } from '../http/api-error.ts';
import { isForeign } from '../http/own-origin.ts';
import type { Service } from '../service.ts';
import { escapeHtml, PAGE_HEADERS, PAGE_STYLE } from './page.ts';

/** The carrier's own pages of a Patient Access flow: sign in, agree, done. They work by keyboard, without scripts. */
function renderCarrierPage(flow: SignInFlow, action: string, error?: string): string {
  if (flow.status === 'SUCCESS')
    return page(
      flow,
      'Connected',
      '<p role="status" id="carrier-note">You are connected. You can close this window.</p>',
    );
  if (flow.status === 'FAILURE')
    return page(
      flow,
      'Not connected',
      `<p role="alert" class="error" id="carrier-note">${escapeHtml(flow.error ?? '')}</p><p>You can close this window.</p>`,
    );
  return flow.username === null ? renderSignIn(flow, action, error) : renderConsent(flow, action);
}

function renderSignIn(flow: SignInFlow, action: string, error?: string): string {
  const alert =
    error === undefined ? '' : `<p class="error" role="alert" id="carrier-error">${escapeHtml(error)}</p>`;
  const invalid = error === undefined ? '' : ' aria-invalid="true" aria-describedby="carrier-error"';
  return page(
    flow,
    `${error === undefined ? '' : 'Error: '}Sign in`,
    `${alert}
<form method="post" action="${action}/sign-in">
<label for="username">Username</label>
<input id="username" name="username" required maxlength="200" autocomplete="username"${invalid}>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password"${invalid}>
<button type="submit">Sign in</button>
</form>`,
  );
}

const renderConsent = (flow: SignInFlow, action: string): string =>
  page(
    flow,
    'Share your data?',
    `<p><strong>${escapeHtml(flow.member.tenant.name)}</strong> asks to read:</p>
<ul><li>your claims</li><li>the names of the people your plan covers</li></ul>
<form method="post" action="${action}/decide">
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Do not allow</button>
</form>`,
  );

function page(flow: SignInFlow, title: string, body: string): string {
  const name = escapeHtml(flow.payer.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – ${name}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<p>${name}</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

const signInSchema = z.looseObject({
  username: z.string().trim().min(1).max(200),
  password: z.string().min(1),
});
const decisionSchema = z.looseObject({ decision: z.enum(['allow', 'deny']) });

const REFUSED = 'This username and password do not fit. Please try again.';

/** Adds the carrier's pages that a member visits in the system browser (docs/service.md, "Patient Access"). */
export async function addCarrierRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { patientAccess } = service.connect;
  const path = `${CARRIER_PATH}/:flowId`;
  const flowOf = (request: FastifyRequest): SignInFlow => {
    const flow = patientAccess.findById((request.params as { flowId: string }).flowId);
    if (flow === undefined) throw new ApiError(404, 'No such record');
    return flow;
  };
  const send = (reply: FastifyReply, status: number, flow: SignInFlow, error?: string): FastifyReply =>
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
    // Only the username is passed on; the password is not kept.
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

const actionOf = (flow: SignInFlow): string => `${CARRIER_PATH}/${flow.id}`;
