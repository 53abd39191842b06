import type { z } from 'zod';
import {
  answerReplySchema,
  bootstrapReplySchema,
  connectionSchema,
  connectUserSchema,
  fixReplySchema,
  interopBeginReplySchema,
  interopReplySchema,
  mintReplySchema,
  payerReplySchema,
  policyHolderReplySchema,
  submitReplySchema,
  termsReplySchema,
  validationReplySchema,
} from './schemas/connect-replies.ts';
import {
  answerBodySchema,
  bootstrapBodySchema,
  interopBodySchema,
  mintBodySchema,
  resubmitBodySchema,
  submitBodySchema,
} from './schemas/connect-requests.ts';

type Json = Record<string, unknown>;

export const CONNECT_BODIES = {
  BootstrapBody: bootstrapBodySchema,
  SubmitBody: submitBodySchema,
  ResubmitBody: resubmitBodySchema,
  AnswerBody: answerBodySchema,
  InteropBody: interopBodySchema,
  MintBody: mintBodySchema,
} as const satisfies Record<string, z.ZodType>;

export const CONNECT_REPLIES = {
  Connection: connectionSchema,
  ConnectUser: connectUserSchema,
  BootstrapReply: bootstrapReplySchema,
  PayerReply: payerReplySchema,
  TermsReply: termsReplySchema,
  SubmitReply: submitReplySchema,
  PolicyHolderReply: policyHolderReplySchema,
  ValidationReply: validationReplySchema,
  AnswerReply: answerReplySchema,
  FixReply: fixReplySchema,
  InteropBeginReply: interopBeginReplySchema,
  InteropReply: interopReplySchema,
  MintReply: mintReplySchema,
} as const satisfies Record<string, z.ZodType>;

type Operation = {
  readonly method: 'get' | 'post' | 'put';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly reply: keyof typeof CONNECT_REPLIES;
  readonly body?: keyof typeof CONNECT_BODIES;
  readonly query?: readonly string[];
  readonly optionalQuery?: readonly string[];
  readonly needsAccessToken?: boolean;
  readonly needsStateId?: boolean;
};

const EMAIL = ['email'] as const;

const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/bootstrap',
    id: 'bootstrap',
    summary: 'Create or resolve a member',
    body: 'BootstrapBody',
    reply: 'BootstrapReply',
  },
  {
    method: 'get',
    path: '/bootstrap',
    id: 'bootstrapDemo',
    summary: 'The member of the demo data, under X-Is-Demo: 1',
    reply: 'BootstrapReply',
  },
  {
    method: 'get',
    path: '/payer/{employer_id}/{payer_id}',
    id: 'getPayer',
    summary: 'A carrier and its credential form',
    query: EMAIL,
    optionalQuery: ['referer'],
    reply: 'PayerReply',
  },
  {
    method: 'get',
    path: '/terms_of_service',
    id: 'getTerms',
    summary: 'Terms of use, as untrusted HTML',
    query: EMAIL,
    reply: 'TermsReply',
  },
  {
    method: 'post',
    path: '/policy_holder',
    id: 'submitCredentials',
    summary: 'Connect a carrier and start a validation',
    body: 'SubmitBody',
    reply: 'SubmitReply',
  },
  {
    method: 'put',
    path: '/policy_holder',
    id: 'resubmitNamedInBody',
    summary: 'Correct a connection that the body names',
    body: 'ResubmitBody',
    reply: 'SubmitReply',
  },
  {
    method: 'put',
    path: '/policy_holder/{policy_holder_id}',
    id: 'resubmitCredentials',
    summary: 'Correct a connection and start a validation',
    body: 'SubmitBody',
    reply: 'SubmitReply',
  },
  {
    method: 'get',
    path: '/policy_holder/{policy_holder_id}',
    id: 'getPolicyHolder',
    summary: 'How a connection stands',
    query: ['email', 'employer_id'],
    reply: 'PolicyHolderReply',
  },
  {
    method: 'get',
    path: '/validate-credentials/{policy_holder_id}/{task_id}',
    id: 'getValidation',
    summary: 'The state of a validation',
    query: EMAIL,
    reply: 'ValidationReply',
  },
  {
    method: 'put',
    path: '/validate-credentials/{policy_holder_id}/{task_id}',
    id: 'answerValidation',
    summary: 'Give exactly one of a method and a code',
    body: 'AnswerBody',
    reply: 'AnswerReply',
  },
  {
    method: 'get',
    path: '/fix-credentials',
    id: 'listConnections',
    summary: 'All connections of a member',
    query: EMAIL,
    needsAccessToken: true,
    reply: 'FixReply',
  },
  {
    method: 'post',
    path: '/interop',
    id: 'beginPatientAccess',
    summary: 'Begin a Patient Access flow',
    body: 'InteropBody',
    needsStateId: true,
    reply: 'InteropBeginReply',
  },
  {
    method: 'get',
    path: '/interop',
    id: 'getPatientAccess',
    summary: 'Where a Patient Access flow stands',
    query: EMAIL,
    needsStateId: true,
    reply: 'InteropReply',
  },
];

/** docs/service.md, "Legacy spellings": the two bases answer the same. */
const BASES = [{ url: '/connect/v1' }, { url: '/sdk-api' }];
const HEADERS = ['ApiVersion', 'AccessToken', 'TenantLabel', 'TenantKey', 'IsDemo'] as const;

/** Headers of every Connect request. docs/service.md, "Connect requests". */
export const CONNECT_PARAMETERS: Json = {
  ApiVersion: header('X-Connect-API-Version', true, { const: '1' }),
  AccessToken: header('X-Connect-Access-Token', false, { type: 'string' }),
  TenantLabel: header('X-Tenant-Label', false, { type: 'string' }),
  TenantKey: header('X-Tenant-Key', false, { type: 'string' }),
  IsDemo: header('X-Is-Demo', false, { enum: ['0', '1'] }),
  StateId: header('X-Connect-State-Id', true, { type: 'string' }),
};

export const CONNECT_SECURITY: Json = {
  connectToken: { type: 'apiKey', in: 'header', name: 'X-Service-Token' },
  connectAccessToken: { type: 'apiKey', in: 'header', name: 'X-Connect-Access-Token' },
};

/** The paths of Connect; each says which bases it is under. */
export function connectPaths(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      servers: BASES,
      ...paths[operation.path],
      [operation.method]: describe(operation),
    };
  }
  return { ...paths, '/create-connect-token': MINT, '/progress/{task_id}/stream': STREAM };
}

function describe(operation: Operation): Json {
  const path = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) =>
    parameter('path', String(name), true),
  );
  const query = (operation.query ?? []).map((name) => parameter('query', name, true));
  const optional = (operation.optionalQuery ?? []).map((name) => parameter('query', name, false));
  const headers = [...HEADERS, ...(operation.needsStateId ? (['StateId'] as const) : [])];
  return {
    operationId: operation.id,
    summary: operation.summary,
    security: [{ connectToken: [], ...(operation.needsAccessToken ? { connectAccessToken: [] } : {}) }],
    parameters: [
      ...path,
      ...query,
      ...optional,
      ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(operation.body === undefined ? {} : { requestBody: requestBody(operation.body) }),
    responses: responses(operation.summary, operation.reply),
  };
}

const MINT: Json = {
  servers: [{ url: '/api' }],
  post: {
    operationId: 'mintAccessToken',
    summary: 'A Connect access token, for one hour',
    security: [],
    parameters: [],
    requestBody: requestBody('MintBody'),
    responses: responses('The access token', 'MintReply'),
  },
};

const STREAM: Json = {
  servers: [{ url: '/v3/connect' }, { url: '/v3/sdk' }],
  get: {
    operationId: 'streamValidation',
    summary: 'The states of a validation as server-sent events: state, ping, timeout',
    security: [],
    parameters: [parameter('path', 'task_id', true), parameter('query', 'token', true)],
    responses: {
      '200': { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      ...failures(),
    },
  },
};

function requestBody(name: keyof typeof CONNECT_BODIES): Json {
  return {
    required: true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  };
}

function responses(description: string, reply: keyof typeof CONNECT_REPLIES): Json {
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    'X-Set-Connect-Access-Token': { $ref: '#/components/headers/RollingToken' },
  };
  const schema = { $ref: `#/components/schemas/${reply}` };
  return { '200': { description, headers, content: { 'application/json': { schema } } }, ...failures() };
}

/** docs/service.md, "Errors". */
function failures(): Json {
  const of = (description: string): Json => ({
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  return {
    '400': of('Malformed request, or a required header is missing'),
    '401': of('The token is inactive'),
    '403': of('A missing or unknown member, terms not accepted, or an origin that is not allowed'),
    '404': of('No such record, or a malformed path parameter'),
    '422': of('Validation failed, or the access token is missing or expired'),
    '500': of('Server fault; retry with backoff'),
  };
}

function parameter(location: 'path' | 'query', name: string, required: boolean): Json {
  return { name, in: location, required, schema: { type: 'string', ...(required ? { minLength: 1 } : {}) } };
}

function header(name: string, required: boolean, schema: Json): Json {
  return { name, in: 'header', required, schema };
}
