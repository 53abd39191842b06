import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAddressAllowed } from '../auth/cidr.ts';
import { checkSshJwt } from '../auth/ssh-jwt.ts';
import { readPaging } from '../http/paging.ts';
import type { Service } from '../service.ts';
import {
  getMember,
  listClaims,
  listMembers,
  listPolicyHolderClaims,
  listVendorMemberClaims,
} from './data-replies.ts';

export const SESSION_COOKIE = 'session';

/** The five routes of the data API. Interface document, "Data API (base `{base_url}/api/v2`)". */
export async function addDataRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { world } = service;

  app.addHook('onRequest', async (request, reply) => {
    reply.header('set-cookie', `${SESSION_COOKIE}=${request.id}; Path=/; HttpOnly; SameSite=Lax`);
    complainAboutCookie(service, request);
    await checkSshJwt(request.headers.authorization, service.account, service.clock.serverNowMs());
    const ranges = service.account.cidrAllowlist;
    // Field notes §1: outside the allowlist is 403, perhaps without a body.
    if (ranges !== null && !isAddressAllowed(request.ip, ranges)) return reply.code(403).send();
  });

  app.get('/claims', (request, reply) =>
    answer(service, request, reply, () => listClaims(world, readPaging(request.query))),
  );
  app.get('/member', (request, reply) =>
    answer(service, request, reply, () => listMembers(world, readPaging(request.query))),
  );
  app.get<{ Params: { id: string } }>('/policy_holder/:id/claims', (request, reply) =>
    answer(service, request, reply, () =>
      listPolicyHolderClaims(world, request.params.id, readPaging(request.query)),
    ),
  );
  app.get<{ Params: { label: string; employerKey: string; memberKey: string } }>(
    '/vendor-tenant/:label/employer/:employerKey/member/:memberKey/claims',
    (request, reply) =>
      answer(service, request, reply, () =>
        listVendorMemberClaims(world, request.params, readPaging(request.query)),
      ),
  );
  app.get<{ Params: { employerId: string; memberId: string } }>(
    '/employer/:employerId/member/:memberId',
    (request, reply) =>
      answer(service, request, reply, () =>
        getMember(world, request.params.employerId, request.params.memberId),
      ),
  );
}

function answer(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => object,
): FastifyReply {
  const started = performance.now();
  const body = JSON.stringify(make());
  const record = service.journal.find(request.id);
  if (record !== undefined) record.ownMs = performance.now() - started;
  return reply.type('application/json; charset=utf-8').send(body);
}

/** Interface document, Connect API rule 9: clients must discard cookies entirely. */
function complainAboutCookie(service: Service, request: FastifyRequest): void {
  if (request.headers.cookie === undefined) return;
  service.journal.complain({
    kind: 'cookie',
    requestId: request.id,
    message: 'A cookie came back; clients must discard cookies',
  });
}
