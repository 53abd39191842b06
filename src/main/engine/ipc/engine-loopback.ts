import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { isAllowedCaller, isSameSecret, readWindowToken } from '../../lib/loopback/caller-rules.ts';
import { type EventStream, openEventStream } from '../../lib/loopback/event-stream.ts';
import {
  baseHeaders,
  forbidden,
  Refusal,
  readJson,
  requestLimitBytes,
  sendJson,
  sendRefusal,
  sendResult,
} from '../../lib/loopback/json-exchange.ts';
import { listenOnLoopback } from '../../lib/loopback/loopback-server.ts';
import { isProofQuestion, proveServer } from '../../lib/loopback/prove-server.ts';
import type { Engine } from '../engine-ports.ts';
import { answerRequest, readRequest } from './engine-request.ts';

/** How long to wait for windows to receive the end of their stream. */
const endLimitMs = 250;

export interface EngineLoopback {
  readonly port: number;
  /** Sets the windows that may send requests; the streams of all others end. */
  setWindows(tokens: readonly string[]): void;
  close(): Promise<void>;
}

/** Calls whose body also contains a file. */
const filesInCalls: ReadonlySet<string> = new Set([
  'documents:attach',
  'reviews:addFilePart',
  'reviews:import',
  'reviews:readPayments',
  'runs:readResults',
]);
const fileLimitBytes = 112 * 1024 * 1024;

/**
 * The engine's own address in the browser shell, so that records reach a window without passing through main, at the
 * same host as the shell. Only pages of the shell's origin that send their window's token are answered.
 */
export async function openEngineLoopback(options: {
  engine: Pick<Engine, 'call' | 'subscribe'>;
  windowOrigin: string;
  preferredPort: number;
}): Promise<EngineLoopback> {
  const { engine, windowOrigin } = options;
  let tokens: readonly string[] = [];
  const streams = new Map<EventStream, string>();
  const { hostname } = new URL(windowOrigin);
  const ownHost = (): string => `${hostname}:${server.port}`;
  const cors: OutgoingHttpHeaders = { 'access-control-allow-origin': windowOrigin, vary: 'Origin' };

  const checkCaller = (request: IncomingMessage): void => {
    const rule = { host: ownHost(), origin: windowOrigin, needsOrigin: true, sites: ['same-site'] } as const;
    if (!isAllowedCaller(request.headers, rule)) throw forbidden();
  };
  const checkWindow = (request: IncomingMessage): string => {
    const given = readWindowToken(request.headers);
    if (!tokens.some((token) => isSameSecret(given, token))) throw forbidden();
    return given;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkCaller(request);
    const { method, url = '' } = request;
    if (method === 'OPTIONS') {
      answerPreflight(response, cors);
      return;
    }
    if (method === 'GET' && isProofQuestion(url)) {
      const proof = proveServer(url, { origin: `http://${ownHost()}`, tokens });
      if (proof === null) throw forbidden();
      sendJson(response, 200, { proof }, cors);
      return;
    }
    const token = checkWindow(request);
    if (method === 'GET' && url === '/events') {
      const stream = openEventStream(response, cors, () => streams.delete(stream));
      streams.set(stream, token);
      return;
    }
    if (method === 'POST' && url === '/calls') {
      await answerTogether(response, engine, await readJson(request, requestLimitBytes), cors);
      return;
    }
    const procedure = /^\/call\/([a-zA-Z]{1,40}:[a-zA-Z]{1,40})$/.exec(url)?.[1];
    if (method !== 'POST' || procedure === undefined) throw new Refusal(404, 'usage.invalid');
    const input = await readJson(request, filesInCalls.has(procedure) ? fileLimitBytes : requestLimitBytes);
    sendResult(response, 200, await engine.call(procedure, input), cors);
  };

  const server = await listenOnLoopback(
    (request, response) => {
      answer(request, response).catch((thrown: unknown) => {
        const isOwnWindow = request.headers.origin === windowOrigin;
        sendRefusal(response, thrown, isOwnWindow ? cors : {});
        request.resume();
      });
    },
    hostname,
    options.preferredPort,
  );
  const unsubscribe = engine.subscribe((event) => {
    for (const stream of streams.keys()) stream.send(event);
  });

  return {
    port: server.port,
    setWindows(next) {
      tokens = next;
      for (const [stream, token] of streams) if (!next.includes(token)) void stream.end();
    },
    async close() {
      unsubscribe();
      // A stream that is cut off would be reported as a fault by the window.
      const ended = Promise.all([...streams.keys()].map((stream) => stream.end()));
      await Promise.race([ended, wait(endLimitMs, undefined, { ref: false })]);
      await server.close();
    },
  };
}

/** Answers requests that a window sent together: each reply is a line, which is sent as soon as it is there. */
async function answerTogether(
  response: ServerResponse,
  engine: Pick<Engine, 'call'>,
  body: unknown,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  const requests = (Array.isArray(body) ? body : [null]).map((data) => {
    const request = readRequest(data);
    if (request === null) throw new Refusal(400, 'usage.invalid');
    return request;
  });
  response.writeHead(200, {
    ...baseHeaders,
    'content-type': 'application/x-ndjson; charset=utf-8',
    ...headers,
  });
  const answers = requests.map(async (request) => {
    const line = `${JSON.stringify(await answerRequest(engine, request))}\n`;
    if (!response.destroyed) response.write(line);
  });
  await Promise.all(answers);
  response.end();
}

function answerPreflight(response: ServerResponse, cors: OutgoingHttpHeaders): void {
  response.writeHead(204, {
    ...cors,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type, x-claimdesk-window',
    'access-control-max-age': '600',
    'cache-control': 'no-store',
  });
  response.end();
}
