import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '../connect/answer-connect.ts';
import { pagingQuerySchema } from '../http/paging.ts';
import * as claim from '../schemas/claim.ts';
import * as connectReplies from '../schemas/connect-replies.ts';
import * as connectBodies from '../schemas/connect-requests.ts';
import { dateRange } from '../schemas/fields.ts';
import * as member from '../schemas/member.ts';
import { idTextSchema } from '../schemas/path.ts';
import * as reply from '../schemas/reply.ts';
import { CONNECT_ENDPOINTS } from './connect-routes.ts';
import { DATA_ENDPOINTS, type DataEndpoint } from './data-routes.ts';

type Json = Record<string, unknown>;

/** `GET /openapi.json`: OpenAPI 3.1, made from the endpoints and their schemas, without login. */
export async function addOpenApiRoute(app: FastifyInstance): Promise<void> {
  const body = JSON.stringify(openApiDocument());
  app.get('/openapi.json', (_request, answer) => answer.type('application/json; charset=utf-8').send(body));
}

/** The data API is at the first server; each path of Connect has its own servers. */
function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of DATA_ENDPOINTS) paths[endpoint.path] = { get: describeData(endpoint) };
  for (const endpoint of CONNECT_ENDPOINTS)
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      servers: CONNECT_BASES,
      [endpoint.method]: describeConnect(endpoint),
    };
  return {
    openapi: '3.1.0',
    info: { title: 'Claims and member data service', version: 'v2' },
    servers: [{ url: '/api/v2' }],
    security: [{ sshJwt: [] }],
    paths: { ...paths, '/create-connect-token': MINT, '/progress/{task_id}/stream': STREAM },
    components: {
      parameters: CONNECT_HEADERS,
      securitySchemes: {
        connectToken: { type: 'apiKey', in: 'header', name: 'X-Service-Token' },
        connectAccessToken: { type: 'apiKey', in: 'header', name: 'X-Connect-Access-Token' },
        sshJwt: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'SSH-JWT followed by a JWT with exactly email, iat and exp, signed by a registered SSH key.',
        },
      },
      headers: {
        RequestId: { schema: { type: 'string' }, description: 'Identifies the request; log it.' },
        RollingToken: {
          schema: { type: 'string' },
          description: 'Takes the place of the access token that came with the request.',
        },
      },
      schemas: { ...describeSchemas(replySchemas, 'output'), ...describeSchemas(bodySchemas, 'input') },
    },
  };
}

/** The names of the schemas come from their exports: `claimPageSchema` is `ClaimPage`. */
function nameSchemas(exported: Readonly<Record<string, z.ZodType>>) {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(exported)) {
    const id = name.replace(/Schema$/, '').replace(/^./, (first) => first.toUpperCase());
    registry.add(schema, { id });
  }
  return registry;
}

const replySchemas = nameSchemas({ ...claim, ...member, ...reply, ...connectReplies, dateRange });
const bodySchemas = nameSchemas(connectBodies);

function describeSchemas(registry: typeof replySchemas, io: 'input' | 'output'): Json {
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { target: 'draft-2020-12', uri, io });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, $id: _id, ...rest } = schema as Json;
      return [name, rest];
    }),
  );
}

function toJson(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return rest;
}

function jsonOf(schema: z.ZodType): Json {
  const { id } = replySchemas.get(schema) ?? bodySchemas.get(schema) ?? {};
  if (id === undefined) throw new Error('A schema of an endpoint has no name in the OpenAPI document.');
  return { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } };
}

function describeData(endpoint: DataEndpoint): Json {
  const { id, summary, path, reply: schema } = endpoint;
  return {
    operationId: id,
    summary,
    parameters: [
      ...namesIn(path).map((name) => parameter('path', name, name.endsWith('_id') ? ID : undefined)),
      ...('list' in endpoint ? PAGING : []),
    ],
    responses: {
      '200': { description: summary, headers: REQUEST_ID, content: jsonOf(schema) },
      ...failures({
        '400': 'Malformed request or token',
        '401': 'Not authenticated',
        '404': 'No such record, or a malformed path parameter',
        '500': 'Server fault; retry with backoff',
      }),
      '403': { description: 'Not permitted; perhaps without a body', headers: REQUEST_ID },
    },
  };
}

function describeConnect(endpoint: Endpoint): Json {
  const { method, path, id, summary, body, reply: schema } = endpoint;
  const email = method === 'get' && endpoint.about === 'member' ? ['email'] : [];
  const headers = Object.keys(CONNECT_HEADERS).filter((name) => name !== 'StateId' || endpoint.needsStateId);
  return {
    operationId: id,
    summary,
    security: [{ connectToken: [], ...(endpoint.needsAccessToken ? { connectAccessToken: [] } : {}) }],
    parameters: [
      ...namesIn(path).map((name) => parameter('path', name)),
      ...[...email, ...(endpoint.query ?? [])].map((name) => parameter('query', name)),
      ...(endpoint.optionalQuery ?? []).map((name) => optional(name, { type: 'string' })),
      ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonOf(body) } }),
    responses: connectResponses(summary, schema),
  };
}

/** Both bases give the same answers. docs/service.md, "Legacy spellings". */
const CONNECT_BASES = [{ url: '/connect/v1' }, { url: '/sdk-api' }];

const header = (name: string, required: boolean, schema: Json) => ({ name, in: 'header', required, schema });

/** The headers of every Connect request, except `StateId` (docs/service.md, "Connect requests"). */
const CONNECT_HEADERS = {
  ApiVersion: header('X-Connect-API-Version', true, { const: '1' }),
  AccessToken: header('X-Connect-Access-Token', false, { type: 'string' }),
  TenantLabel: header('X-Tenant-Label', false, { type: 'string' }),
  TenantKey: header('X-Tenant-Key', false, { type: 'string' }),
  IsDemo: header('X-Is-Demo', false, { enum: ['0', '1'] }),
  StateId: header('X-Connect-State-Id', true, { type: 'string' }),
};

const TEXT = { type: 'string', minLength: 1 };
const ID = toJson(idTextSchema);
const PAGING = Object.entries(toJson(pagingQuerySchema).properties as Record<string, Json>).map(
  ([name, schema]) => optional(name, schema),
);
const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

const MINT: Json = {
  servers: [{ url: '/api' }],
  post: {
    operationId: 'mintAccessToken',
    summary: 'A Connect access token, for one hour',
    security: [],
    parameters: [],
    requestBody: { required: true, content: jsonOf(connectBodies.mintBodySchema) },
    responses: connectResponses('The access token', connectReplies.mintReplySchema),
  },
};

const STREAM: Json = {
  servers: [{ url: '/v3/connect' }, { url: '/v3/sdk' }],
  get: {
    operationId: 'streamValidation',
    summary: 'The states of a validation as server-sent events: state, ping, timeout',
    security: [],
    parameters: [parameter('path', 'task_id'), parameter('query', 'token')],
    responses: {
      '200': { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      ...connectFailures(),
    },
  },
};

function connectResponses(description: string, schema: z.ZodType): Json {
  const headers = {
    ...REQUEST_ID,
    'X-Set-Connect-Access-Token': { $ref: '#/components/headers/RollingToken' },
  };
  return { '200': { description, headers, content: jsonOf(schema) }, ...connectFailures() };
}

/** docs/service.md, "Errors". */
function connectFailures(): Json {
  return failures({
    '400': 'Malformed request, or a required header is missing',
    '401': 'The token is inactive',
    '403': 'A missing or unknown member, terms not accepted, or an origin that is not allowed',
    '404': 'No such record, or a malformed path parameter',
    '422': 'Validation failed, or the access token is missing or expired',
    '500': 'Server fault; retry with backoff',
  });
}

function failures(descriptions: Readonly<Record<string, string>>): Json {
  const content = jsonOf(reply.errorSchema);
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      { description, headers: REQUEST_ID, content },
    ]),
  );
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));

function parameter(location: 'path' | 'query', name: string, schema: Json = TEXT): Json {
  return { name, in: location, required: true, schema };
}

function optional(name: string, schema: Json): Json {
  return { name, in: 'query', required: false, schema };
}
