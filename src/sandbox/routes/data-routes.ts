import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAddressAllowed } from '../auth/cidr.ts';
import { checkSshJwt } from '../auth/ssh-jwt.ts';
import { deliver } from '../faults/delivery-faults.ts';
import { applyEarlyFaults } from '../faults/early-faults.ts';
import type { DrawnFaults } from '../faults/fault-box.ts';
import type { DataRoute } from '../faults/fault-schema.ts';
import type { ShapedReply } from '../faults/shape-faults.ts';
import { pagingUnder, shapeList, shapeRecord } from '../faults/shape-faults.ts';
import { writeBody, writeListBody } from '../http/body-writer.ts';
import type { Paging } from '../http/paging.ts';
import { readPaging } from '../http/paging.ts';
import { complainAboutCookie, SESSION_COOKIE } from '../http/session-cookie.ts';
import { PER_PAGE_DEFAULT } from '../schemas/reply.ts';
import type { Service } from '../service.ts';
import type { ListReply } from './data-replies.ts';
import {
  getMember,
  listClaims,
  listMembers,
  listPolicyHolderClaims,
  listVendorMemberClaims,
} from './data-replies.ts';

type Call = {
  readonly service: Service;
  readonly route: DataRoute;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** The five routes of the data API. docs/service.md, "Data API". */
export async function addDataRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { world } = service;
  app.get('/claims', (request, reply) =>
    answerList({ service, route: 'claims', request, reply }, (paging) => listClaims(world, paging)),
  );
  app.get('/member', (request, reply) =>
    answerList({ service, route: 'members', request, reply }, (paging) => listMembers(world, paging)),
  );
  app.get<{ Params: { id: string } }>('/policy_holder/:id/claims', (request, reply) =>
    answerList({ service, route: 'policy-holder-claims', request, reply }, (paging) =>
      listPolicyHolderClaims(world, request.params.id, paging),
    ),
  );
  app.get<{ Params: { label: string; employerKey: string; memberKey: string } }>(
    '/vendor-tenant/:label/employer/:employerKey/member/:memberKey/claims',
    (request, reply) =>
      answerList({ service, route: 'vendor-member-claims', request, reply }, (paging) =>
        listVendorMemberClaims(world, request.params, paging),
      ),
  );
  app.get<{ Params: { employerId: string; memberId: string } }>(
    '/employer/:employerId/member/:memberId',
    (request, reply) =>
      answer({ service, route: 'member', request, reply }, (faults) =>
        shapeRecord(faults, getMember(world, request.params.employerId, request.params.memberId)),
      ),
  );
}

function answerList(call: Call, read: (paging: Paging) => ListReply): Promise<FastifyReply> {
  return answer(call, (faults) => {
    const asked = readPaging(call.request.query);
    const used = pagingUnder(faults, asked);
    return shapeList(faults, read(used), { asked, used }, (page) => read({ ...used, page }).data);
  });
}

async function answer(
  call: Call,
  make: (faults: DrawnFaults) => ShapedReply | object,
): Promise<FastifyReply> {
  const { service, route, request, reply } = call;
  reply.header('set-cookie', `${SESSION_COOKIE}=${request.id}; Path=/; HttpOnly; SameSite=Lax`);
  complainAboutCookie(service, request);
  const faults = service.faults.draw(
    route,
    numberOf(request, 'page', 1),
    numberOf(request, 'per_page', PER_PAGE_DEFAULT),
  );
  if (await applyEarlyFaults(faults, service.clock, request, reply)) return reply;
  await checkSshJwt(request.headers.authorization, service.account, service.clock.serverNowMs());
  const ranges = service.account.cidrAllowlist;
  // docs/service.md, "SSH-JWT": outside the allowlist is 403, perhaps without a body.
  if (ranges !== null && !isAddressAllowed(request.ip, ranges)) return reply.code(403).send();
  const started = performance.now();
  const cpuBefore = process.threadCpuUsage();
  const body = write(make(faults));
  const record = service.journal.find(request.id);
  if (record !== undefined) {
    const cpu = process.threadCpuUsage(cpuBefore);
    record.ownMs = performance.now() - started;
    record.cpuMs = (cpu.user + cpu.system) / 1000;
  }
  service.schedule.answered(route, service.world);
  return deliver(faults, body, request, reply);
}

function write(made: object): Buffer {
  if (!('data' in made) || !isList(made.data)) return writeBody(made);
  const { data, ...rest } = made;
  return writeListBody(data, rest);
}

function isList(data: unknown): data is Iterable<unknown> {
  return typeof data === 'object' && data !== null && Symbol.iterator in data;
}

/** A number of the query, for faults of some pages only; a malformed one is reported later. */
function numberOf(request: FastifyRequest, name: 'page' | 'per_page', otherwise: number): number {
  const value = ((request.query ?? {}) as Record<string, unknown>)[name];
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : otherwise;
}
