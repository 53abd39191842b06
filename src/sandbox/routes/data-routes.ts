import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isAddressAllowed } from '../auth/cidr.ts';
import { checkSshJwt } from '../auth/ssh-jwt.ts';
import type { World } from '../data/world.ts';
import type { RequestFaults } from '../faults/active-faults.ts';
import { deliver } from '../faults/delivery-faults.ts';
import { applyEarlyFaults } from '../faults/early-faults.ts';
import type { DataRoute } from '../faults/fault-schema.ts';
import type { ShapedReply } from '../faults/shape-faults.ts';
import { pagingUnder, shapeList, shapeRecord } from '../faults/shape-faults.ts';
import { writeBody, writeListBody } from '../http/body-writer.ts';
import type { Paging } from '../http/paging.ts';
import { PER_PAGE_DEFAULT, readPaging } from '../http/paging.ts';
import { complainAboutCookie, SESSION_COOKIE } from '../http/session-cookie.ts';
import { toRoutePath } from '../schemas/path.ts';
import { claimPageSchema, memberPageSchema, memberReplySchema } from '../schemas/reply.ts';
import type { Service } from '../service.ts';
import type { ListReply, PathParameters } from './data-replies.ts';
import {
  getMember,
  listClaims,
  listMembers,
  listPolicyHolderClaims,
  listVendorMemberClaims,
} from './data-replies.ts';

export type DataEndpoint = {
  /** The path as in docs/service.md, "Data API". */
  readonly path: string;
  /** `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly reply: z.ZodType;
  readonly route: DataRoute;
} & (
  | { readonly list: (world: World, paging: Paging, params: PathParameters) => ListReply }
  | { readonly record: (world: World, params: PathParameters) => { data: object } }
);

/** The five endpoints of the data API, for the routes and for the OpenAPI document. */
export const DATA_ENDPOINTS: readonly DataEndpoint[] = [
  {
    path: '/claims',
    id: 'listClaims',
    summary: 'Claims of the account',
    reply: claimPageSchema,
    route: 'claims',
    list: listClaims,
  },
  {
    path: '/vendor-tenant/{vendor_tenant_label}/employer/{employer_key}/member/{member_key}/claims',
    id: 'listVendorMemberClaims',
    summary: 'Claims of one member, named by the keys of a vendor',
    reply: claimPageSchema,
    route: 'vendor-member-claims',
    list: listVendorMemberClaims,
  },
  {
    path: '/policy_holder/{policy_holder_id}/claims',
    id: 'listPolicyHolderClaims',
    summary: 'Claims of one carrier connection',
    reply: claimPageSchema,
    route: 'policy-holder-claims',
    list: listPolicyHolderClaims,
  },
  {
    path: '/member',
    id: 'listMembers',
    summary: 'Members of the account',
    reply: memberPageSchema,
    route: 'members',
    list: listMembers,
  },
  {
    path: '/employer/{employer_id}/member/{member_id}',
    id: 'getMember',
    summary: 'One member',
    reply: memberReplySchema,
    route: 'member',
    record: getMember,
  },
];

type Call = {
  readonly service: Service;
  readonly endpoint: DataEndpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

export async function addDataRoutes(app: FastifyInstance, service: Service): Promise<void> {
  for (const endpoint of DATA_ENDPOINTS)
    app.get(toRoutePath(endpoint.path), (request, reply) => answer({ service, endpoint, request, reply }));
}

function makeReply({ service, endpoint, request }: Call, faults: RequestFaults): ShapedReply | object {
  const { world } = service;
  const params = request.params as PathParameters;
  if ('record' in endpoint) return shapeRecord(faults, endpoint.record(world, params));
  const asked = readPaging(request.query);
  const used = pagingUnder(faults, asked);
  const read = (paging: Paging): ListReply => endpoint.list(world, paging, params);
  return shapeList(faults, read(used), { asked, used }, (page) => read({ ...used, page }).data);
}

async function answer(call: Call): Promise<FastifyReply> {
  const { service, endpoint, request, reply } = call;
  reply.header('set-cookie', `${SESSION_COOKIE}=${request.id}; Path=/; HttpOnly; SameSite=Lax`);
  complainAboutCookie(service, request);
  const faults = service.faults.forRequest(
    endpoint.route,
    numberOf(request, 'page', 1),
    numberOf(request, 'per_page', PER_PAGE_DEFAULT),
  );
  if (await applyEarlyFaults(faults, service.clock, request, reply)) return reply;
  await checkSshJwt(request.headers.authorization, service.account, service.clock.serverNowMs());
  const ranges = service.account.cidrAllowlist;
  // A request from outside the allowlist is answered by 403, perhaps without a body. docs/service.md, "SSH-JWT".
  if (ranges !== null && !isAddressAllowed(request.ip, ranges)) return reply.code(403).send();
  const started = performance.now();
  const cpuBefore = process.threadCpuUsage();
  const body = write(makeReply(call, faults));
  const record = service.journal.find(request.id);
  if (record !== undefined) {
    const cpu = process.threadCpuUsage(cpuBefore);
    record.ownMs = performance.now() - started;
    record.cpuMs = (cpu.user + cpu.system) / 1000;
  }
  service.schedule.answered(endpoint.route, service.world);
  return deliver(faults, body, request, reply);
}

function write(made: object): Buffer {
  if (!('data' in made) || !isList(made.data)) return writeBody(made);
  const { data, ...rest } = made;
  return writeListBody(data, rest);
}

const isList = (data: unknown): data is Iterable<unknown> =>
  typeof data === 'object' && data !== null && Symbol.iterator in data;

/** Reads a number of the query, for faults of some pages only; malformed ones are refused later. */
function numberOf(request: FastifyRequest, name: 'page' | 'per_page', otherwise: number): number {
  const value = ((request.query ?? {}) as Record<string, unknown>)[name];
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : otherwise;
}
