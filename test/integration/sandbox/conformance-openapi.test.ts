import { beforeAll, describe, expect, it } from 'vitest';
import { openApiOf } from './check-reply.ts';
import { givenSandbox } from './given-sandbox.ts';
import { problemsOf } from './json-schema.ts';

type Json = Record<string, unknown>;

const sandbox = givenSandbox('--members', '5', '--claims', '5');
let document: Json;
beforeAll(async () => {
  document = await openApiOf(sandbox.baseUrl);
});

describe('issue: GET /openapi.json', () => {
  it('is OpenAPI 3.1 and needs no login', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: expect.any(String), version: 'v2' });
  });

  it('has the five paths of the data API, with its names of the parameters', () => {
    const own = Object.entries(document.paths as Record<string, Json>).filter(
      ([, item]) => item.servers === undefined,
    );
    expect(document.servers).toEqual([{ url: '/api/v2' }]);
    expect(own.map(([path]) => path).sort()).toEqual(
      [
        '/claims',
        '/employer/{employer_id}/member/{member_id}',
        '/member',
        '/policy_holder/{policy_holder_id}/claims',
        '/vendor-tenant/{vendor_tenant_label}/employer/{employer_key}/member/{member_key}/claims',
      ].sort(),
    );
  });

  it('has every endpoint of Connect, each under its bases', () => {
    const elsewhere = Object.entries(
      document.paths as Record<string, Json & { servers?: { url: string }[] }>,
    ).flatMap(([path, { servers, ...methods }]) =>
      servers === undefined
        ? []
        : [`${servers.map(({ url }) => url).join()} ${Object.keys(methods).sort().join()} ${path}`],
    );
    expect(elsewhere.sort()).toEqual(
      [
        '/connect/v1,/sdk-api get,post /bootstrap',
        '/connect/v1,/sdk-api get /payer/{employer_id}/{payer_id}',
        '/connect/v1,/sdk-api get /terms_of_service',
        '/connect/v1,/sdk-api post,put /policy_holder',
        '/connect/v1,/sdk-api get,put /policy_holder/{policy_holder_id}',
        '/connect/v1,/sdk-api get,put /validate-credentials/{policy_holder_id}/{task_id}',
        '/connect/v1,/sdk-api get /fix-credentials',
        '/connect/v1,/sdk-api get,post /interop',
        '/api post /create-connect-token',
        '/v3/connect,/v3/sdk get /progress/{task_id}/stream',
      ].sort(),
    );
  });

  it('every {parameter} of a path is declared, and every reference resolves', () => {
    for (const [path, item] of Object.entries(document.paths as Record<string, Json>)) {
      for (const [method, operation] of Object.entries(item)) {
        if (method === 'servers') continue;
        const { parameters } = operation as { parameters: Json[] };
        const declared = parameters.filter((one) => one.in === 'path').map((one) => `{${one.name}}`);
        expect(path.match(/\{[^}]+\}/g) ?? [], `${method} ${path}`).toEqual(declared);
      }
    }
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(refs.length).toBeGreaterThan(10);
    for (const ref of refs) {
      let found: unknown = document;
      for (const step of ref.split('/')) found = (found as Json | undefined)?.[step];
      expect(found, ref).toBeDefined();
    }
  });

  it('lists take page and per_page', () => {
    const paths = document.paths as Record<string, { get: { parameters: Json[] } }>;
    const names = paths['/claims']?.get.parameters.map((parameter) => parameter.name);
    expect(names).toEqual(['page', 'per_page']);
  });

  it('its schemas refuse wrong values, so that checking replies with them is meaningful', () => {
    const schema = { $ref: '#/components/schemas/ClaimPage' };
    const page = {
      data: [],
      has_next: false,
      has_prev: false,
      next_num: null,
      prev_num: null,
      page: 1,
      pages: 0,
      per_page: 10,
      total: 0,
    };
    expect(problemsOf(document, schema, page)).toEqual([]);
    expect(problemsOf(document, schema, { ...page, total: '0' })).not.toEqual([]);
    expect(problemsOf(document, schema, { ...page, page: 1.5 })).not.toEqual([]);
    expect(problemsOf(document, schema, { ...page, data: [{ id: 1 }] })).not.toEqual([]);
    expect(problemsOf(document, { $ref: '#/components/schemas/Error' }, { error: 'x' })).not.toEqual([]);
    expect(
      problemsOf(document, { $ref: '#/components/schemas/MemberReply' }, { data: {}, page: 1 }),
    ).not.toEqual([]);
    const validation = {
      id: 'x',
      state: 'PENDING',
      info: null,
      credentials_are_valid: null,
      pending: false,
      message: null,
    };
    const reply = { $ref: '#/components/schemas/ValidationReply' };
    expect(problemsOf(document, reply, { data: validation })).toEqual([]);
    expect(problemsOf(document, reply, { data: { ...validation, state: 'STARTED' } })).not.toEqual([]);
    expect(problemsOf(document, reply, { data: validation, page: 1 })).not.toEqual([]);
  });
});
