import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
import { readFilledPage } from '../page/fill-page.ts';
import type { PageFile } from '../page/page-files.ts';
import { contentPolicy, fileHeaders, pageHeaders } from '../page/page-policy.ts';
import type { SessionPass } from './session-pass.ts';
import type { Windows } from './windows.ts';

export interface HostPorts {
  readonly desk: Pick<Desk, 'call' | 'isLocked'>;
  readonly port: () => number;
  readonly pass: SessionPass;
  readonly windows: Windows;
  readonly files: ReadonlyMap<string, PageFile>;
  /** Where the engine answers, started if need be; empty while locked, and where it cannot start: then with why. */
  readonly findEngine: () => Promise<{ readonly url: string; readonly problem: ErrorReport | null }>;
  /** Lets the engine know of a page that was made just now. */
  readonly welcomeWindows: () => Promise<void>;
}

type Exchange = { request: IncomingMessage; response: ServerResponse; url: URL };

/**
 * Answers everything that the browser shell serves: the page and its files, and main's procedures and
 * events. Nothing is answered to another host name, another origin, without the cookie, or (procedures and
 * events) without the token of a page that we made. No record comes through here.
 */
export function createHostHandler(ports: HostPorts) {
  const { desk, pass, windows } = ports;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const port = ports.port();
    const origin = `http://localhost:${port}`;
    const isRead = request.method === 'GET';
    const rule = {
      host: `localhost:${port}`,
      origin,
      needsOrigin: !isRead,
      sites: isRead ? (['same-origin', 'none'] as const) : (['same-origin'] as const),
    };
    if (!isAllowedCaller(request.headers, rule)) throw forbidden();
    if (!request.url?.startsWith('/')) throw new Refusal(404, 'usage.invalid');
    // Joined, not resolved: `//name` would be taken for another host.
    const url = new URL(origin + request.url);
    const exchange = { request, response, url };
    if (isRead && url.pathname === '/open') {
      open(exchange, port);
      return;
    }
    if (!pass.isHeldBy(request.headers.cookie, port)) throw forbidden();
    if (isRead && url.pathname === '/') await sendPage(exchange);
    else if (isRead && url.pathname === '/events') sendEvents(exchange);
    else if (isRead && url.pathname === '/session') await sendSession(exchange);
    else if (request.method === 'POST') await answerCall(exchange);
    else if (isRead) await sendFile(exchange);
    else throw new Refusal(405, 'usage.invalid');
  };

  const open = ({ response, url }: Exchange, port: number): void => {
    if (!pass.redeem(url.searchParams.get('token') ?? '')) throw forbidden();
    response.writeHead(303, {
      location: '/',
      'set-cookie': pass.cookie(port),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    response.end();
  };

  const sendPage = async ({ response }: Exchange): Promise<void> => {
    const file = ports.files.get('/index.html');
    if (file === undefined) throw new Refusal(404, 'usage.invalid');
    const { url: engine } = await ports.findEngine();
    const settings = await desk.call('settings:get', {});
    const theme = settings.ok ? (settings.value as { theme: string }).theme : 'system';
    const nonce = randomBytes(16).toString('base64url');
    const body = await readFilledPage(file.path, { window: windows.open(engine), engine, nonce, theme });
    // Before the page is out: its first request must find the engine knowing it.
    await ports.welcomeWindows();
    const policy = contentPolicy({ nonce, connect: engine === '' ? [] : [engine] });
    response.writeHead(200, pageHeaders(policy));
    response.end(body);
  };

  const sendFile = async ({ response, url }: Exchange): Promise<void> => {
    const file = ports.files.get(url.pathname);
    if (file === undefined || url.pathname === '/index.html') throw new Refusal(404, 'usage.invalid');
    const body = await readFile(file.path);
    response.writeHead(200, { ...fileHeaders, 'content-type': file.contentType });
    response.end(body);
  };

  const requireWindow = ({ request }: Exchange): string => {
    const token = readWindowToken(request.headers);
    if (!windows.has(token)) throw forbidden();
    return token;
  };

  const sendEvents = (exchange: Exchange): void => {
    const token = requireWindow(exchange);
    const stream = openEventStream(exchange.response, {}, () => detach());
    const detach = windows.attach(token, stream);
  };

  const sendSession = async (exchange: Exchange): Promise<void> => {
    requireWindow(exchange);
    const { url, problem } = await ports.findEngine();
    sendJson(exchange.response, 200, { engineUrl: url, problem });
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
