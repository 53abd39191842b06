import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { emptyUserMessage } from '../../contract/connect-members.ts';
import type { RequestFaults } from '../faults/active-faults.ts';
import { ApiError } from '../http/api-error.ts';
import type { Service } from '../service.ts';
import type { ConnectTenant } from './directory.ts';
import type { TokenIntegration } from './integrations.ts';
import type { BootstrappedMember, Realm } from './realm.ts';

/** The base of a call: both have the same surface, but the legacy one accepts the old spellings too. */
export type Base = 'current' | 'legacy';

/** A call with valid headers. */
export type AnsweredCall = {
  readonly service: Service;
  readonly base: Base;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly integration: TokenIntegration;
  readonly tenant: ConnectTenant;
  readonly realm: Realm;
};

const EXPIRED_TOKEN = 'The Connect access token has expired';

/**
 * Checks the headers that every Connect request needs. docs/service.md, "Connect requests" and "Connect API" rules 1
 * to 8.
 *
 * @throws ApiError 400 for a missing header, 401 for an inactive token, 403 for an origin or a tenant
 */
export function checkHeaders(
  service: Service,
  request: FastifyRequest,
): { readonly integration: TokenIntegration; readonly tenant: ConnectTenant; readonly realm: Realm } {
  const publicToken = headerOf(request, 'x-service-token');
  if (publicToken === undefined) throw new ApiError(400, 'The header X-Service-Token is required');
  if (headerOf(request, 'x-connect-api-version') !== '1')
    throw new ApiError(400, 'The header X-Connect-API-Version is required and must be 1');
  const demo = headerOf(request, 'x-is-demo') ?? '0';
  if (demo !== '0' && demo !== '1') throw new ApiError(400, 'The header X-Is-Demo must be 0 or 1');
  const integration = service.connect.integrations.find(publicToken);
  // The same answer for an unknown token and for one that was switched off.
  if (integration?.isActive !== true) throw new ApiError(401, 'The token is inactive');
  const { origin } = request.headers;
  if (origin !== undefined && integration.origins !== null && !integration.origins.includes(origin))
    throw new ApiError(403, 'Requests from this origin are not allowed', 'origin_not_allowed');
  if (request.method !== 'GET' && !/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new ApiError(400, 'The header Content-Type must be application/json');
  const tenant = readTenant(request, integration);
  const realm = demo === '1' ? service.connect.demo : service.connect.production;
  return { integration, tenant, realm };
}

function readTenant(request: FastifyRequest, integration: TokenIntegration): ConnectTenant {
  const label = headerOf(request, 'x-tenant-label');
  const key = headerOf(request, 'x-tenant-key');
  const only = integration.tenants.length === 1 ? integration.tenants[0] : undefined;
  if (label === undefined && key === undefined && only !== undefined) return only;
  if (label === undefined || key === undefined)
    throw new ApiError(400, 'The headers X-Tenant-Label and X-Tenant-Key are required for this token');
  const allowedTenant = integration.tenants.find(
    (tenant) => spellings(label).includes(tenant.label) && tenant.key === key,
  );
  if (allowedTenant === undefined) throw new ApiError(403, 'The token is not for this tenant');
  return allowedTenant;
}

/** Possible texts of a header: it is received as Latin-1, but the client may have written UTF-8. */
const spellings = (text: string): readonly string[] => [text, Buffer.from(text, 'latin1').toString('utf8')];

/**
 * Reads the access token, if there is one, and issues a new one. docs/service.md, "Connect calls".
 *
 * @throws ApiError 422 where it is missing, of another integration, or expired
 */
export async function checkAccessToken(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  given: {
    readonly integration: TokenIntegration;
    readonly faults: RequestFaults;
    readonly isRequired: boolean;
  },
): Promise<void> {
  const { connect, clock } = service;
  const token = headerOf(request, 'x-connect-access-token');
  if (token === undefined) {
    if (given.isRequired) throw new ApiError(422, 'The header X-Connect-Access-Token is required');
    return;
  }
  const read = await connect.tokens.read('access', token, clock.serverNowMs());
  if (read.verdict === 'bad' || read.subject !== given.integration.publicToken)
    throw new ApiError(422, 'The Connect access token is not valid');
  const record = service.journal.find(request.id);
  if (record !== undefined) record.accessTokenId = read.id;
  if (read.verdict === 'expired' || given.faults.find('expired-token') !== undefined)
    throw new ApiError(422, EXPIRED_TOKEN, 'expired_connect_token');
  if (connect.settings.rolling === 'always') {
    const { publicToken } = given.integration;
    reply.header(
      'x-set-connect-access-token',
      await connect.tokens.mint('access', publicToken, clock.serverNowMs()),
    );
  }
}

const emailInQuerySchema = z.looseObject({ email: z.string().trim().min(1) });
/** The nested spelling is tried first: with it, `user_email` may be a field of the carrier's own form. */
const emailInBodySchema = z.union([
  z
    .looseObject({ user: z.looseObject({ email: z.string().trim().min(1) }) })
    .transform((body) => body.user.email),
  z.looseObject({ user_email: z.string().trim().min(1) }).transform((body) => body.user_email),
]);

/** The email of a request, in the query of a GET or the body of a POST or PUT. */
export function namedEmail(request: FastifyRequest): string | undefined {
  if (request.method === 'GET') return emailInQuerySchema.safeParse(request.query).data?.email;
  return emailInBodySchema.safeParse(request.body).data;
}

/**
 * The member of a request.
 *
 * @throws ApiError 403 without an email, or for a member that this token has not bootstrapped
 */
export function findMember(call: AnsweredCall): BootstrappedMember {
  const email = namedEmail(call.request);
  if (email === undefined) throw new ApiError(403, emptyUserMessage);
  const member = call.realm.findMember(call.integration, call.tenant, email);
  if (member === undefined) throw new ApiError(403, 'This token has not bootstrapped that member');
  return member;
}

/**
 * The state id of a Patient Access call; the old spelling only at the legacy base.
 *
 * @throws ApiError 400 where it is missing
 */
export function readStateId({ request, base }: AnsweredCall): string {
  const stateId =
    headerOf(request, 'x-connect-state-id') ??
    (base === 'legacy' ? headerOf(request, 'x-sdk-state-id') : undefined);
  if (stateId === undefined) throw new ApiError(400, 'The header X-Connect-State-Id is required');
  return stateId;
}

/**
 * Reads a body.
 *
 * @throws ApiError 400 for anything but an object, 422 with details per field
 */
export function readConnectBody<T>(schema: z.ZodType<T>, body: unknown): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError(400, 'The body must be a JSON object');
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalidFields(fieldErrorsOf(parsed.error));
}

export function fieldErrorsOf(error: z.ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const name = issue.path.join('.');
    fields[name] = [...(fields[name] ?? []), issue.message];
  }
  return fields;
}

export const invalidFields = (fields: Record<string, string[]>): ApiError =>
  new ApiError(422, `Validation failed: ${Object.keys(fields).join(', ')}`, undefined, fields);

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === '' ? undefined : text;
}
