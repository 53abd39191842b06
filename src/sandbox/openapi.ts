import { z } from 'zod';
import {
  CONNECT_BODIES,
  CONNECT_PARAMETERS,
  CONNECT_REPLIES,
  CONNECT_SECURITY,
  connectPaths,
} from './openapi-connect.ts';
import { claimMedicalLineSchema, claimMemberSchema, claimSchema } from './schemas/claim.ts';
import { dateRange } from './schemas/fields.ts';
import {
  dependentSchema,
  employerSchema,
  memberSchema,
  tenantSchema,
  vendorMemberSchema,
  vendorTenantSchema,
} from './schemas/member.ts';
import { idTextSchema } from './schemas/path.ts';
import {
  claimPageSchema,
  errorReplySchema,
  memberPageSchema,
  memberReplySchema,
  pagingQuerySchema,
} from './schemas/reply.ts';

const COMPONENTS = {
  Claim: claimSchema,
  ClaimMedicalLine: claimMedicalLineSchema,
  ClaimMember: claimMemberSchema,
  DateRange: dateRange,
  Member: memberSchema,
  Dependent: dependentSchema,
  Employer: employerSchema,
  Tenant: tenantSchema,
  VendorTenant: vendorTenantSchema,
  VendorMember: vendorMemberSchema,
  ClaimPage: claimPageSchema,
  MemberPage: memberPageSchema,
  MemberReply: memberReplySchema,
  Error: errorReplySchema,
} as const;

type Json = Record<string, unknown>;
const ref = (name: keyof typeof COMPONENTS): Json => ({ $ref: `#/components/schemas/${name}` });

/**
 * The OpenAPI 3.1 document, made from the wire schemas: the data API, and Connect, whose paths each name their own
 * bases.
 */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Claims and member data service', version: 'v2' },
    servers: [{ url: '/api/v2' }],
    security: [{ sshJwt: [] }],
    paths: {
      '/claims': operation('listClaims', 'Claims of the account', 'ClaimPage', [], true),
      '/vendor-tenant/{vendor_tenant_label}/employer/{employer_key}/member/{member_key}/claims': operation(
        'listVendorMemberClaims',
        'Claims of one member, named by the keys of a vendor',
        'ClaimPage',
        [textParameter('vendor_tenant_label'), textParameter('employer_key'), textParameter('member_key')],
        true,
      ),
      '/policy_holder/{policy_holder_id}/claims': operation(
        'listPolicyHolderClaims',
        'Claims of one carrier connection',
        'ClaimPage',
        [idParameter('policy_holder_id')],
        true,
      ),
      '/member': operation('listMembers', 'Members of the account', 'MemberPage', [], true),
      '/employer/{employer_id}/member/{member_id}': operation(
        'getMember',
        'One member',
        'MemberReply',
        [idParameter('employer_id'), idParameter('member_id')],
        false,
      ),
      ...connectPaths(),
    },
    components: {
      parameters: CONNECT_PARAMETERS,
      securitySchemes: {
        ...CONNECT_SECURITY,
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
      schemas: {
        ...componentSchemas({ ...COMPONENTS, ...CONNECT_REPLIES }, 'output'),
        ...componentSchemas(CONNECT_BODIES, 'input'),
      },
    },
  };
}

function componentSchemas(components: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target: 'draft-2020-12',
    uri: (id) => `#/components/schemas/${id}`,
    io,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, $id: _id, ...rest } = schema as Json;
      return [name, rest];
    }),
  );
}

function operation(
  operationId: string,
  summary: string,
  reply: keyof typeof COMPONENTS,
  parameters: readonly Json[],
  isPaged: boolean,
): Json {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  const failure = (description: string): Json => ({
    description,
    headers,
    content: { 'application/json': { schema: ref('Error') } },
  });
  return {
    get: {
      operationId,
      summary,
      parameters: [...parameters, ...(isPaged ? pagingParameters() : [])],
      responses: {
        '200': { description: summary, headers, content: { 'application/json': { schema: ref(reply) } } },
        '400': failure('Malformed request or token'),
        '401': failure('Not authenticated'),
        '403': { description: 'Not permitted; perhaps without a body', headers },
        '404': failure('No such record, or a malformed path parameter'),
        '500': failure('Server fault; retry with backoff'),
      },
    },
  };
}

function pagingParameters(): Json[] {
  const { properties } = z.toJSONSchema(pagingQuerySchema, { target: 'draft-2020-12', io: 'input' });
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}

function textParameter(name: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } };
}

function idParameter(name: string): Json {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(idTextSchema, {
    target: 'draft-2020-12',
    io: 'input',
  });
  return { name, in: 'path', required: true, schema };
}
