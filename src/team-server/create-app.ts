import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ApiErrorCode, apiErrors } from '../team-protocol/api.ts';
import { ApiError, describeError } from './api-error.ts';
import type { Limits } from './limits.ts';
import type { ServerLog } from './log.ts';
import type { Metrics } from './metrics.ts';
import { StoreError } from './store/database.ts';

/** JSON of the small requests. */
const bodyLimitBytes = 64_000;
/** Larger bodies count toward `maxReceivingBytes`. */
const largeBodyBytes = 64_000;

interface AppSettings {
  readonly limits: Limits;
  readonly now: () => number;
  readonly log: ServerLog;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Whether new requests are refused because the server is shutting down. */
  readonly isEnding: () => boolean;
  /** The verified sender of a request. */
  readonly findComputer: (request: FastifyRequest) => string | undefined;
}

/** The HTTP side of a team server: sizes, times and connections are limited, and errors are those of the protocol. */
export function createApp(settings: AppSettings, metrics: () => Metrics): FastifyInstance {
  const { limits, now, log, tls } = settings;
  const options = {
    logger: false as const,
    bodyLimit: bodyLimitBytes,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: 0,
    forceCloseConnections: 'idle' as const,
    // Fastify's default answer has a different form.
    return503OnClosing: false,
    // The client's address is trusted only from a proxy on this computer.
    trustProxy: 'loopback',
    routerOptions: { maxParamLength: 100 },
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) => answer(reply, error),
    clientErrorHandler: answerBroken,
  };
  const http = {
    maxHeaderSize: 8_192,
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: 1_000,
  };
  const app = (
    tls === null
      ? fastify({ ...options, http })
      : fastify({ ...options, https: { ...tls, ...http, handshakeTimeout: limits.handshakeMs } })
  ) as FastifyInstance;
  app.server.maxConnections = limits.maxConnections;
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  const answer = (reply: FastifyReply, error: Error): FastifyReply => {
    const code = codeOf(error);
    const [status] = apiErrors[code];
    const { routeOptions } = reply.request;
    metrics().countRefusal(code);
    if (code === 'server.failed') {
      // The error's message is left out, because it may contain content.
      log('fault', { code: error.name, route: routeOptions.url ?? '' });
    }
    const computer = settings.findComputer(reply.request);
    // Errors 404 and 429 are in the metrics only, so that a client that sends many does not fill the log.
    if (status !== 404 && status !== 429)
      log('refused', {
        code,
        status,
        route: routeOptions.url ?? '',
        ...(computer === undefined ? {} : { computer }),
      });
    if (status === 429 || status === 503) reply.header('retry-after', '2');
    // The rest of the body is not read, so the connection has to be closed.
    if (status === 413 || status === 411) reply.header('connection', 'close');
    return reply.code(status).send({ error: describeError(code, now()) });
  };
  app.setErrorHandler((error: Error, _request, reply) => answer(reply, error));
  app.setNotFoundHandler((_request, reply) => answer(reply, new ApiError('request.notFound')));

  const startedAt = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', async (request, reply) => {
    startedAt.set(request, performance.now());
    if (settings.isEnding()) throw new ApiError('server.busy');
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
  });
  app.addHook('onResponse', async (request, reply) => {
    const seconds = (performance.now() - (startedAt.get(request) ?? performance.now())) / 1_000;
    metrics().countRequest(request.routeOptions.url ?? '', reply.statusCode, seconds);
  });
  return app;
}

function codeOf(error: Error & { statusCode?: number }): ApiErrorCode {
  if (error instanceof ApiError || error instanceof StoreError) return error.code;
  if (error.statusCode === 413) return 'request.tooLarge';
  return (error.statusCode ?? 500) < 500 || error.name === 'ZodError' ? 'request.invalid' : 'server.failed';
}

/** Answers a connection that sends no valid HTTP request, or sends it too slowly. */
function answerBroken(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/** Refuses large bodies while those being received together exceed `maxBytes`. */
export function limitReceiving(maxBytes: number) {
  let receiving = 0;
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const text = request.headers['content-length'];
    if (text === undefined) throw new ApiError('request.lengthMissing');
    const length = Number(text);
    if (length > request.routeOptions.bodyLimit) throw new ApiError('request.tooLarge');
    if (length <= largeBodyBytes) return;
    if (receiving + length > maxBytes) throw new ApiError('server.busy');
    receiving += length;
    reply.raw.once('close', () => {
      receiving -= length;
    });
  };
}
