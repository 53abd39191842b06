import { expect } from 'vitest';
import { problemsOf } from './json-schema.ts';

type Json = Record<string, unknown>;

const documents = new Map<string, Promise<Json>>();

/** The sandbox's own OpenAPI document, fetched once an address. */
export function openApiOf(baseUrl: string): Promise<Json> {
  const known = documents.get(baseUrl);
  if (known !== undefined) return known;
  const fetched = fetch(`${baseUrl}/openapi.json`).then((reply) => reply.json() as Promise<Json>);
  documents.set(baseUrl, fetched);
  return fetched;
}

/** Asserts that a reply body fits what the OpenAPI document says for its path and status. */
export async function checkReply(
  baseUrl: string,
  path: string,
  status: number,
  body: unknown,
  method = 'get',
): Promise<void> {
  const document = await openApiOf(baseUrl);
  const paths = document.paths as Record<string, Record<string, { responses: Record<string, Json> }>>;
  const bare = path.split('?')[0] ?? '';
  const template = Object.keys(paths).find(
    (candidate) => patternOf(candidate).test(bare) && method in (paths[candidate] ?? {}),
  );
  expect(template, `a path of the OpenAPI document for ${method} ${bare}`).toBeDefined();
  const response = paths[template ?? '']?.[method]?.responses[String(status)];
  expect(response, `status ${status} in the OpenAPI document`).toBeDefined();
  const content = response?.content as Record<string, { schema: Json }> | undefined;
  const schema = content?.['application/json']?.schema;
  expect(schema, `a schema for status ${status}`).toBeDefined();
  expect(problemsOf(document, schema ?? {}, body)).toEqual([]);
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
}
