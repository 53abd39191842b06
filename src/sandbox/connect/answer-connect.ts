import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { RequestFaults } from '../faults/active-faults.ts';
import { deliver } from '../faults/delivery-faults.ts';
import { applyEarlyFaults } from '../faults/early-faults.ts';
import type { ConnectRoute } from '../faults/fault-schema.ts';
import { addUnknownFields, dropFields } from '../faults/record-faults.ts';
import { writeBody } from '../http/body-writer.ts';
import { complainAboutCookie, SESSION_COOKIE } from '../http/session-cookie.ts';
import type { Service } from '../service.ts';
import type { AnsweredCall, Base } from './connect-call.ts';
import { checkAccessToken, checkHeaders, findMember, namedEmail } from './connect-call.ts';
import type { BootstrappedMember } from './realm.ts';

/**
 * An endpoint: its path, the function that makes the reply's `data`, its requirements beyond the headers of every
 * request, and its entry in the OpenAPI document.
 */
export type Endpoint = {
  readonly method: 'get' | 'post' | 'put';
  /** The path in docs/service.md, "Connect calls". */
  readonly path: string;
  /** The old spelling, which only the legacy base accepts. */
  readonly legacyPath?: string;
  /** `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  /** Parameters of the query, after the `email` that every GET about a member needs. */
  readonly query?: readonly string[];
  readonly optionalQuery?: readonly string[];
  readonly body?: z.ZodType;
  readonly reply: z.ZodType;
  readonly route: ConnectRoute;
  readonly needsAccessToken?: boolean;
  readonly needsStateId?: boolean;
} & (
  | { readonly about: 'anyone'; readonly answer: (call: AnsweredCall) => unknown }
  | {
      readonly about: 'member';
      readonly answer: (call: AnsweredCall, member: BootstrappedMember) => unknown;
    }
);

/**
 * Answers one Connect request: checks faults, cookie, headers, access token and member in this order, then calls the
 * endpoint.
 */
export async function answerConnect(
  service: Service,
  { base, endpoint }: { readonly base: Base; readonly endpoint: Endpoint },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  watchCookies(service, request, reply);
  const faults = service.faults.forRequest(endpoint.route);
  if (await applyEarlyFaults(faults, service.clock, request, reply)) return reply;
  const started = performance.now();
  const headers = checkHeaders(service, request);
  const { integration } = headers;
  const isRequired = endpoint.needsAccessToken === true;
  await checkAccessToken(service, request, reply, { integration, faults, isRequired });
  const call: AnsweredCall = { service, base, request, reply, ...headers };
  const data = await (endpoint.about === 'anyone'
    ? endpoint.answer(call)
    : endpoint.answer(call, findMember(call)));
  const record = service.journal.find(request.id);
  if (record !== undefined) record.ownMs = performance.now() - started;
  return deliver(faults, writeBody({ data: alterRecord(faults, data) }), request, reply);
}

/**
 * Sets a cookie with each reply, and records a complaint when a client sends one back (docs/service.md, "Connect
 * requests").
 */
function watchCookies(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const { cookies } = service.connect;
  const value = cookies.issue();
  reply.header('set-cookie', `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax`);
  complainAboutCookie(service, request);
  const email = namedEmail(request);
  if (email === undefined) return;
  if (cookies.isOfAnother(request.headers.cookie ?? '', email)) {
    service.journal.complain({
      kind: 'cookie-of-another-member',
      requestId: request.id,
      message: 'A cookie that was set for one member came with another member’s request',
    });
  }
  cookies.own(value, email);
}

function alterRecord(faults: RequestFaults, data: unknown): unknown {
  if (faults.isEmpty || typeof data !== 'object' || data === null) return data;
  const kept = faults.find('missing-fields') === undefined ? data : dropFields(data);
  return faults.find('unknown-fields') === undefined ? kept : addUnknownFields(kept);
}
