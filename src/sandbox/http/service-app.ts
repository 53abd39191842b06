import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import type { Service } from '../service.ts';
import { ApiError, errorBody } from './api-error.ts';

const BODY_LIMIT_BYTES = 128 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';
/** The statuses of docs/service.md, "Errors". */
const KNOWN_STATUSES = new Set([400, 401, 403, 404, 422, 500]);

/** The HTTP side of the service: request IDs, the skewed `Date`, the journal, and errors (docs/service.md). */
export async function createServiceApp(service: Service): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: 400 },
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      setReplyHeaders(service, request, reply);
      return sendError(reply, error);
    },
  });
  await app.register(formbody, { bodyLimit: BODY_LIMIT_BYTES });
  app.addHook('onRequest', async (request, reply) => {
    setReplyHeaders(service, request, reply);
    openRecord(service, request);
  });
  app.addHook('onResponse', async (request, reply) => {
    const record = service.journal.find(request.id);
    if (record !== undefined) record.status = reply.statusCode;
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => sendError(reply, error));
  app.setNotFoundHandler((_request, reply) => sendError(reply, new ApiError(404, 'No such address')));
  return app;
}

function setReplyHeaders(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('date', new Date(service.clock.serverNowMs()).toUTCString());
}

function openRecord(service: Service, request: FastifyRequest): void {
  const { headers } = request;
  service.journal.open({
    requestId: request.id,
    method: request.method,
    path: request.url,
    headerNames: Object.keys(headers),
    cookie: headers.cookie ?? null,
    origin: headers.origin ?? null,
    authorizationScheme: headers.authorization?.trim().split(/\s+/)[0] ?? null,
  });
}

function sendError(reply: FastifyReply, error: Error & { statusCode?: number }): FastifyReply {
  reply.type(JSON_TYPE);
  if (error instanceof ApiError) {
    return reply
      .code(error.status)
      .send(errorBody(error.message, { errorCode: error.errorCode, fields: error.fields }));
  }
  const status = error.statusCode ?? 500;
  if (status >= 500) return reply.code(500).send(errorBody('Server fault', { eventId: randomUUID() }));
  // The rest of a body that is too long may still be arriving; closing the connection stops reading it.
  if (status === 413) reply.header('connection', 'close');
  // A parser's message can quote the body, which can contain a password.
  const sentence = error instanceof SyntaxError ? 'The body could not be read' : sentenceOf(error);
  return reply.code(KNOWN_STATUSES.has(status) ? status : 400).send(errorBody(sentence));
}

const sentenceOf = (error: Error): string =>
  error.message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200) || 'Malformed request';

/** Bytes that are no HTTP request never reach a route, so the answer is written directly. */
export function answerBrokenRequest(
  service: Service,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = errorBody('Malformed request');
  socket.end(
    [
      `HTTP/1.1 400 ${STATUS_CODES[400]}`,
      `X-Request-Id: ${randomUUID()}`,
      `Date: ${new Date(service.clock.serverNowMs()).toUTCString()}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
