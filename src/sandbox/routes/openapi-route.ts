import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi.ts';

/** `GET /openapi.json`: OpenAPI 3.1, made from the schemas that validate. Nobody needs to log in for it. */
export async function addOpenApiRoute(app: FastifyInstance): Promise<void> {
  const body = JSON.stringify(openApiDocument());
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
}
