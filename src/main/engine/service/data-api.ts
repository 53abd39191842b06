import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import { smallerPage } from './page-sizes.ts';
import { createRequestBudget, type RequestBudget } from './request-budget.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import {
  isWebPage,
  readRequestId,
  readRetryAfterSeconds,
  speaksOfTime,
  toServiceError,
} from './service-error.ts';
import type { HttpReply, Transport } from './transport.ts';

/** Requests a token from main, signed in the service's time. */
type TokenSource = (tokenRequest: { offsetSeconds: number; isFresh: boolean }) => Promise<string>;

interface DataApiOptions {
  readonly baseUrl: string;
  /** The token's header: `Authorization: SSH-JWT …` unless the workspace changes it (docs/service.md, "SSH-JWT"). */
  readonly header: string;
  readonly scheme: string;
  readonly transport: Transport;
  readonly getToken: TokenSource;
  readonly clock: Clock;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
  /** Shared by all clients of this host; absent: not shared. */
  readonly budget?: RequestBudget;
  /** Called for each request that failed and is tried again. */
  readonly onRetry?: (error: DeskError) => void;
}

export interface PageReply {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly requestId: string | null;
}

const timeoutMs = 60_000;
const maxTries = 5;
/** Attempts for a page that timed out and can be requested in a smaller size: each costs a minute. */
const maxTimeouts = 2;
/** Attempts while the network is down, as for some seconds after the computer wakes: about a minute. */
const maxLostTries = 8;
/** A longer wait is reported to the user instead. */
const maxWaitSeconds = 300;

/** Waits, unless canceled. */
export function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.reject(new DeskError('sync.canceled'));
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer);
      reject(new DeskError('sync.canceled'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, ms);
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Errors that may pass by themselves: server faults, limits, lost connections. Never 400, 401, 403, 404. */
export const mayPass: ReadonlySet<string> = new Set([
  'service.fault',
  'service.rateLimited',
  'service.connectionLost',
  'service.timeout',
  'service.badReply',
  'service.webPage',
]);

/** Whether the network is down; if the service answered before, the request is repeated. */
const isNetworkLost = (code: string): boolean =>
  code === 'service.unreachable' || code === 'service.nameUnknown';

interface Client extends DataApiOptions {
  readonly serviceClock: ServiceClock;
  readonly budget: RequestBudget;
  /** Whether the service has answered at least once. */
  hasAnswered: boolean;
}

/**
 * The data API (docs/service.md, "Data API"). Each request is signed in the service's time; a refusal right after the
 * clock offset changed is retried once with a fresh token; errors that may pass are retried with full jitter and a cap,
 * or as `Retry-After` asks. No redirect is followed, so no credential reaches another host.
 * @throws DeskError `service.clockSkew` where the service's clock is too far off, `service.*` with the request id where
 * there is one; `sync.canceled` on the signal
 */
export function createDataApi(options: DataApiOptions) {
  const { clock, sleep = sleepFor } = options;
  const client: Client = {
    ...options,
    serviceClock: createServiceClock(clock),
    budget: options.budget ?? createRequestBudget({ clock, sleep }),
    hasAnswered: false,
  };
  const { serviceClock, budget } = client;
  const getPage = (
    parts: readonly (string | number)[],
    page: number,
    perPage: number,
    signal?: AbortSignal,
  ) => get(client, parts, { page, per_page: perPage }, signal);
  return {
    serviceClock,
    /** How many concurrent requests are useful. */
    get requestsAtOnce() {
      return budget.limit;
    },
    readMemberPage: (page: number, perPage: number, signal?: AbortSignal) =>
      getPage(['member'], page, perPage, signal),
    readClaimPage: (page: number, perPage: number, signal?: AbortSignal) =>
      getPage(['claims'], page, perPage, signal),
    readMember: (employerId: number, memberId: number, signal?: AbortSignal) =>
      get(client, ['employer', employerId, 'member', memberId], {}, signal),
    readPolicyHolderClaimPage: (id: number, page: number, perPage: number, signal?: AbortSignal) =>
      getPage(['policy_holder', id, 'claims'], page, perPage, signal),
    readVendorClaimPage(
      keys: { vendorTenantLabel: string; employerKey: string; memberKey: string },
      page: number,
      perPage: number,
      signal?: AbortSignal,
    ) {
      const ofVendor = ['vendor-tenant', keys.vendorTenantLabel, 'employer', keys.employerKey];
      return getPage([...ofVendor, 'member', keys.memberKey, 'claims'], page, perPage, signal);
    },
    /** One small signed request; resolves where the service accepts the signature. */
    async probe(): Promise<{ requestId: string | null; offsetSeconds: number }> {
      const { requestId } = await getPage(['member'], 1, 1);
      return { requestId, offsetSeconds: serviceClock.offsetSeconds };
    },
  };
}

export type DataApi = ReturnType<typeof createDataApi>;

async function send(
  client: Client,
  url: URL,
  isFresh: boolean,
  signal?: AbortSignal,
): Promise<{ reply: HttpReply; hasMoved: boolean }> {
  const { serviceClock, getToken } = client;
  const { offsetSeconds } = serviceClock;
  const token = await getToken({ offsetSeconds, isFresh }).catch((thrown: unknown) => {
    // An offset that was accepted for one day, which is over: the next reply shows the current one.
    if (thrown instanceof DeskError && thrown.code === 'service.clockSkew') serviceClock.believe(0);
    throw thrown;
  });
  const sentAtMs = client.clock.now();
  const reply = await client.transport({
    method: 'GET',
    url,
    headers: signedHeaders(client, token),
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  serviceClock.learn(reply, sentAtMs);
  const { doubtedSeconds } = serviceClock;
  if (doubtedSeconds !== null && reply.status < 500) {
    // Main throws unless the user has accepted the offset.
    await getToken({ offsetSeconds: doubtedSeconds, isFresh: false });
    serviceClock.believe(doubtedSeconds);
  }
  // Compared with the offset that this request was signed with, because another request may have changed it.
  return { reply, hasMoved: serviceClock.offsetSeconds !== offsetSeconds };
}

/** Makes one attempt, and a second one with a new signature if the clock or an expired token was the cause. */
async function tryOnce(client: Client, url: URL, signal?: AbortSignal): Promise<HttpReply> {
  const { reply, hasMoved } = await send(client, url, false, signal);
  const { status } = reply;
  const isOfTime = (status === 400 || status === 401) && (hasMoved || speaksOfTime(reply));
  return isOfTime ? (await send(client, url, true, signal)).reply : reply;
}

/** The error of a reply that is not a page. @throws DeskError for a `Retry-After` above `maxWaitSeconds` */
function errorOfReply(reply: HttpReply, retryAfter: number | null): DeskError {
  const error =
    reply.status === 200
      ? new DeskError(isWebPage(reply) ? 'service.webPage' : 'service.badReply', {
          requestId: readRequestId(reply),
        })
      : toServiceError(reply);
  if (retryAfter === null || retryAfter <= maxWaitSeconds) return error;
  throw new DeskError(error.code, {
    requestId: error.requestId,
    details: { ...error.details, retryAfterSeconds: Math.ceil(retryAfter) },
  });
}

async function get(
  client: Client,
  parts: readonly (string | number)[],
  query: Record<string, number>,
  signal?: AbortSignal,
): Promise<PageReply> {
  const { budget, clock, sleep = sleepFor, random = Math.random } = client;
  const path = parts.map((part) => encodeURIComponent(String(part))).join('/');
  const url = new URL(`${client.baseUrl.replace(/\/$/, '')}/api/v2/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  for (let attempt = 1; ; attempt += 1) {
    let error: DeskError;
    const jitter = random();
    let waitMs = Math.min(20_000, 400 * 2 ** attempt) * jitter;
    let pauseMs = 0;
    const leave = await budget.enter({ signal, isRetry: attempt > 1 }).catch((thrown: unknown) => {
      throw signal?.aborted === true ? new DeskError('sync.canceled', { cause: thrown }) : thrown;
    });
    try {
      const reply = await tryOnce(client, url, signal);
      client.hasAnswered = true;
      if (reply.status === 200 && isLikelyJson(reply)) {
        budget.countReply();
        return { body: reply.body, requestId: readRequestId(reply) ?? null };
      }
      const retryAfter = readRetryAfterSeconds(reply, clock.now());
      error = errorOfReply(reply, retryAfter);
      if (retryAfter !== null && retryAfter > 0) {
        pauseMs = retryAfter * 1000;
        // The jitter keeps requests that were refused together from being retried together.
        waitMs = pauseMs + jitter * Math.min(1_000, pauseMs / 10);
      }
    } catch (thrown) {
      if (!(thrown instanceof DeskError)) throw thrown;
      if (thrown.details?.retryAfterSeconds !== undefined) throw thrown;
      error = thrown;
    } finally {
      leave();
    }
    const isLost = client.hasAnswered && isNetworkLost(error.code);
    if (!(mayPass.has(error.code) || isLost)) throw error;
    budget.countRefusal(pauseMs);
    const isLarge = error.code === 'service.timeout' && smallerPage(query.per_page ?? 0) !== null;
    if (attempt >= (isLost ? maxLostTries : isLarge ? maxTimeouts : maxTries)) throw error;
    client.onRetry?.(error);
    await sleep(waitMs, signal);
  }
}

/** The header with a token. Lower case, as all header names for a transport. */
export function signedHeaders(
  { header, scheme }: Pick<DataApiOptions, 'header' | 'scheme'>,
  token: string,
): Readonly<Record<string, string>> {
  return { [header.toLowerCase()]: `${scheme} ${token}` };
}

/** Whether a reply begins like JSON: proxies answer with HTML or nothing (docs/service.md, "Lists and values"). */
function isLikelyJson(reply: HttpReply): boolean {
  const start = new TextDecoder().decode(reply.body.subarray(0, 64)).trimStart();
  return start.startsWith('{');
}
