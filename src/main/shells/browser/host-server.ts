import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { ErrorReport } from '../../../contract/result.ts';
import type { Desk } from '../../desk.ts';
import { isAllowedCaller, readWindowToken } from '../../lib/loopback/caller-rules.ts';
import { openEventStream } from '../../lib/loopback/event-stream.ts';
import {
  forbidden,
  Refusal,
  readJson,
  requestLimitBytes,
  sendJson,
  sendRefusal,
  sendResult,
} from '../../lib/loopback/json-exchange.ts';
import { proveServer } from '../../lib/loopback/prove-server.ts';
import { readFilledPage, readStart } from '../page/fill-page.ts';
import type { PageFile } from '../page/page-files.ts';
import { contentPolicy, headersOf, pageHeaders } from '../page/page-policy.ts';
import type { WindowPasses } from './window-passes.ts';
import type { Windows } from './windows.ts';

interface HostPorts {
  readonly desk: Pick<Desk, 'call' | 'isLocked'>;
  /** `host:port` of the shell's address. */
  readonly host: () => string;
  readonly passes: Pick<WindowPasses, 'redeem'>;
  readonly windows: Windows;
  readonly files: ReadonlyMap<string, PageFile>;
  /** The address of the engine; empty if there is none. Waits for an engine that is starting, but starts none. */
  readonly awaitEngine: () => Promise<string>;
  /**
   * The address of the engine, which is started if needed. Empty while locked; empty, with the reason, if the engine
   * cannot start.
   */
  readonly findEngine: () => Promise<{ readonly url: string; readonly problem: ErrorReport | null }>;
  /** Sends the engine the tokens of windows that were given its address. */
  readonly welcomeWindows: () => Promise<void>;
}

type Exchange = { request: IncomingMessage; response: ServerResponse; url: URL };

const entrySchema = z.strictObject({ pass: z.string().max(100) });
const entryLimitBytes = 1024;

/**
 * Answers everything that the browser shell serves. The page and its files are the same for everyone and hold no
 * secret. Requests that act or return data are answered to this shell's own origin only, and only with the token of a
 * window; there is no cookie, because cookies are sent to every port of this computer. No record passes through this
 * process.
 */
export function createHostHandler(ports: HostPorts) {
  const { desk, windows } = ports;
  const ownOrigin = (): string => `http://${ports.host()}`;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Another host name that resolves to this address is a DNS rebinding attack.
    if (request.headers.host !== ports.host()) throw forbidden();
    if (!request.url?.startsWith('/')) throw new Refusal(404, 'usage.invalid');
    // Concatenated, not resolved: `//name` would be read as another host.
    const exchange = { request, response, url: new URL(ownOrigin() + request.url) };
    const { pathname } = exchange.url;
    if (request.method === 'GET') {
      const ownRead = ownReads[pathname];
      if (ownRead !== undefined) {
        checkCaller(request);
        await ownRead(exchange);
      } else if (pathname === '/') await sendPage(ports, exchange);
      else await sendFile(ports, exchange);
    } else if (request.method === 'POST') {
      checkCaller(request);
      await (pathname === '/enter' ? enter(exchange) : answerCall(exchange));
    } else throw new Refusal(405, 'usage.invalid');
  };

  const checkCaller = (request: IncomingMessage): void => {
    const rule = {
      host: ports.host(),
      origin: ownOrigin(),
      needsOrigin: request.method !== 'GET',
      sites: ['same-origin'],
    } as const;
    if (!isAllowedCaller(request.headers, rule)) throw forbidden();
  };

  /** Exchanges the pass of an address for the token of a new window. */
  const enter = async ({ request, response }: Exchange): Promise<void> => {
    const entry = entrySchema.safeParse(await readJson(request, entryLimitBytes));
    if (!entry.success || !ports.passes.redeem(entry.data.pass)) throw forbidden();
    // Answered at once: if the page is reloaded before the answer arrives, its pass is already used.
    sendJson(response, 200, { token: windows.open() });
  };

  const requireWindow = ({ request }: Exchange): string => {
    const token = readWindowToken(request.headers);
    if (!windows.has(token)) throw forbidden();
    return token;
  };

  const ownReads: Readonly<Record<string, (exchange: Exchange) => Promise<void>>> = {
    async '/events'(exchange) {
      const token = requireWindow(exchange);
      const stream = openEventStream(exchange.response, {}, () => detach());
      const detach = windows.attach(token, stream);
    },
    async '/session'(exchange) {
      const token = requireWindow(exchange);
      const { url, problem } = await ports.findEngine();
      windows.setEngine(token, url);
      // Before the page gets the address, so that the engine already accepts its first request.
      await ports.welcomeWindows();
      sendJson(exchange.response, 200, { engineUrl: url, problem });
    },
    async '/prove'({ request, response }) {
      const server = { origin: ownOrigin(), tokens: windows.tokens };
      const proof = proveServer(request.url ?? '', server);
      if (proof === null) throw forbidden();
      sendJson(response, 200, { proof });
    },
  };

  const answerCall = async (exchange: Exchange): Promise<void> => {
    requireWindow(exchange);
    const procedure = /^\/call\/([a-zA-Z]{1,40}:[a-zA-Z]{1,40})$/.exec(exchange.url.pathname)?.[1];
    if (procedure === undefined) throw new Refusal(404, 'usage.invalid');
    const input = await readJson(exchange.request, requestLimitBytes);
    sendResult(exchange.response, 200, await desk.call(procedure, input));
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((thrown: unknown) => {
      sendRefusal(response, thrown);
      request.resume();
    });
  };
}

async function sendPage({ desk, files, awaitEngine }: HostPorts, { response }: Exchange): Promise<void> {
  const file = files.get('/index.html');
  if (file === undefined) throw new Refusal(404, 'usage.invalid');
  const engine = await awaitEngine();
  const nonce = randomBytes(16).toString('base64url');
  const body = await readFilledPage(file.path, { engine, nonce, ...(await readStart(desk)) });
  const policy = contentPolicy({ nonce, connect: engine === '' ? [] : [engine] });
  response.writeHead(200, pageHeaders(policy));
  response.end(body);
}

async function sendFile({ files }: HostPorts, { response, url }: Exchange): Promise<void> {
  const file = files.get(url.pathname);
  if (file === undefined || url.pathname === '/index.html') throw new Refusal(404, 'usage.invalid');
  const body = await readFile(file.path);
  response.writeHead(200, headersOf(file));
  response.end(body);
}
