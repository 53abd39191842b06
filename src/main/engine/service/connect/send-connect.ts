import type { z } from 'zod';
import type { ConnectSettings } from '../../../../contract/connect-settings.ts';
import type { ErrorCode } from '../../../../contract/error-codes.ts';
import { isSecureAddress } from '../../../../contract/service-address.ts';
import type { Clock } from '../../../lib/clock.ts';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { mayPass, sleepFor } from '../data-api.ts';
import { isWebPage, readRequestId, readRetryAfterSeconds } from '../service-error.ts';
import type { HttpReply, Transport } from '../transport.ts';
import type { AccessToken } from './access-token.ts';
import { type Refused, toConnectError, wantsNewAccessToken } from './connect-error.ts';
import { pathOf, type RouteName, templateOf } from './connect-paths.ts';

/** The parts of an integration that requests need. */
export interface Integration
  extends Pick<ConnectSettings, 'tenantLabel' | 'tenantKey' | 'isDemo' | 'base' | 'headers'> {
  readonly baseUrl: string;
  readonly publicToken: string;
}

/** One request to Connect, for the log. `route` is the template: no ID, no email, no token. */
export interface ConnectCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly route: string;
  /** null: no answer arrived. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly requestId: string | null;
  readonly code: ErrorCode | null;
}

export interface ConnectPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly onCall: (call: ConnectCall) => void;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

export interface ConnectRequest<T> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly route: RouteName;
  readonly pathValues?: readonly (string | number)[];
  /** The member's email, in the query of a GET, otherwise in the body (docs/service.md, "Connect requests"). */
  readonly email?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly reply: z.ZodType<T>;
  /** Whether repeating does no harm, as with a GET; then it is retried after a fault of the service. */
  readonly isRepeatable?: boolean;
  /** `always`: minted if there is none; `never`: the mint itself. */
  readonly accessToken?: 'always' | 'ifHeld' | 'never';
  readonly stateId?: string;
  readonly refused?: Partial<Refused>;
  readonly signal?: AbortSignal | undefined;
}

export interface Answered<T> {
  readonly data: T;
  readonly requestId: string | null;
}

const timeoutMs = 30_000;
const maxTries = 4;
const maxPauseMs = 20_000;

/**
 * Sends calls of one integration: sets the headers of every request, renews the access token once for all callers that
 * wait, and retries where that is safe. The transport guarantees no cookie, no `Origin` and no redirect; the only
 * header read from a reply is the one with a new token.
 */
export function createConnectSender(integration: Integration, ports: ConnectPorts, token: AccessToken) {
  const { transport, clock } = ports;
  const sleep = ports.sleep ?? sleepFor;
  const random = ports.random ?? Math.random;
  const root = integration.baseUrl.replace(/\/$/, '');
  // https anywhere; http on this computer only.
  if (!isSecureAddress(new URL(root))) throw new DeskError('workspace.insecureUrl');

  /** One request, reported to the log of calls. */
  const send = async <T>(request: ConnectRequest<T>, accessToken: string | null): Promise<HttpReply> => {
    const url = new URL(`${root}${pathOf(integration.base, request.route, request.pathValues ?? [])}`);
    const isRead = request.method === 'GET';
    if (isRead && request.email !== undefined) url.searchParams.set('email', request.email);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const body = {
      ...request.body,
      ...(request.email === undefined ? {} : { user_email: request.email }),
    };
    const began = performance.now();
    const report = (status: number | null, requestId: string | undefined, code: ConnectCall['code']): void =>
      ports.onCall({
        method: request.method,
        route: templateOf(integration.base, request.route),
        status,
        durationMs: Math.round(performance.now() - began),
        requestId: requestId ?? null,
        code,
      });
    try {
      const reply = await transport({
        method: request.method,
        url,
        headers: {
          ...headersOf(integration, accessToken, request.stateId),
          ...(isRead ? {} : { 'content-type': 'application/json' }),
        },
        ...(isRead ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
      const isGood = isSuccess(reply);
      report(reply.status, readRequestId(reply), isGood ? null : errorOf(reply, request).code);
      const rolled = reply.headers[integration.headers.newAccessToken.toLowerCase()];
      if (rolled !== undefined && rolled !== '' && isGood) token.takeOver(rolled);
      return reply;
    } catch (thrown) {
      report(null, undefined, toDeskError(thrown).code);
      throw thrown;
    }
  };

  /** Makes one attempt, and one more if the access token was the cause; never a third. */
  const tryOnce = async <T>(request: ConnectRequest<T>): Promise<HttpReply> => {
    const { accessToken = 'ifHeld' } = request;
    const held =
      accessToken === 'never' ? null : await (accessToken === 'always' ? token.get() : token.getHeld());
    if (accessToken === 'always' && held === null) throw new DeskError('connect.secretMissing');
    const reply = await send(request, held);
    if (accessToken === 'never' || !wantsNewAccessToken(reply)) return reply;
    const renewed = await token.renew(held);
    if (renewed === null && held === null) throw new DeskError('connect.secretMissing');
    return send(request, renewed);
  };

  return async <T>(request: ConnectRequest<T>): Promise<Answered<T>> => {
    for (let attempt = 1; ; attempt += 1) {
      let error: DeskError;
      let waitMs = Math.min(5_000, 250 * 2 ** attempt) * random();
      try {
        const reply = await tryOnce(request);
        if (isSuccess(reply)) return readData(reply, request.reply);
        error = errorOf(reply, request);
        const retryAfter = readRetryAfterSeconds(reply, clock.now());
        if (retryAfter !== null) waitMs = Math.max(waitMs, retryAfter * 1000);
      } catch (thrown) {
        if (!(thrown instanceof DeskError)) throw thrown;
        error = thrown;
      }
      const isRepeatable = request.isRepeatable ?? request.method === 'GET';
      const isWorthIt = isRepeatable && mayPass.has(error.code) && waitMs <= maxPauseMs;
      if (!isWorthIt || attempt >= maxTries) throw error;
      await sleep(waitMs, request.signal);
    }
  };
}

/** The headers of every Connect request (docs/service.md, "Connect requests"), in lower case. */
export function headersOf(
  integration: Integration,
  accessToken: string | null,
  stateId?: string,
): Record<string, string> {
  const { headers, base, isDemo, tenantLabel, tenantKey } = integration;
  // The old spelling belongs to the old base, unless the workspace has another spelling.
  const isUsualStateId = headers.stateId.toLowerCase() === 'x-connect-state-id';
  const stateIdName = base === 'legacy' && isUsualStateId ? 'X-SDK-State-Id' : headers.stateId;
  const pairs: [string, string | null | undefined][] = [
    [headers.serviceToken, integration.publicToken],
    [headers.apiVersion, '1'],
    [headers.accessToken, accessToken],
    [headers.tenantLabel, tenantLabel],
    [headers.tenantKey, tenantKey],
    [headers.isDemo, isDemo ? '1' : null],
    [stateIdName, stateId],
  ];
  return Object.fromEntries(
    pairs.flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name.toLowerCase(), toHeaderText(value)]],
    ),
  );
}

/** Encodes UTF-8 bytes, each as the character that a header encodes as that byte. */
const toHeaderText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const isSuccess = (reply: HttpReply): boolean => reply.status >= 200 && reply.status < 300;

const errorOf = (reply: HttpReply, request: Pick<ConnectRequest<unknown>, 'refused'>): DeskError =>
  toConnectError(reply, { hasConsents: false, isMint: false, sentValues: [], ...request.refused });

/** Every success is `{"data": …}` (docs/service.md, "Connect calls"). @throws DeskError `service.badReply` */
function readData<T>(reply: HttpReply, schema: z.ZodType<T>): Answered<T> {
  const requestId = readRequestId(reply);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(reply.body));
  } catch (cause) {
    body = undefined;
    const code = isWebPage(reply) ? 'service.webPage' : 'service.badReply';
    if (isWebPage(reply) || !schema.safeParse(undefined).success)
      throw new DeskError(code, { requestId, cause });
  }
  const data = typeof body === 'object' && body !== null ? (body as { data?: unknown }).data : undefined;
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new DeskError('service.badReply', { requestId });
  return { data: parsed.data, requestId: requestId ?? null };
}
