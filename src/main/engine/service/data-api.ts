import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import { smallerPage } from './page-sizes.ts';
import { createRequestBudget, type RequestBudget } from './request-budget.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import { readRequestId, readRetryAfterSeconds, speaksOfTime, toServiceError } from './service-error.ts';
import type { HttpReply, Transport } from './transport.ts';

/** Asks main for a token signed in the service's time. */
export type TokenSource = (wanted: { offsetSeconds: number; isFresh: boolean }) => Promise<string>;

export interface DataApiOptions {
  readonly baseUrl: string;
  /**
   * The header of the token: `Authorization: SSH-JWT …` unless the workspace says otherwise (docs/service.md,
   * "SSH-JWT").
   */
  readonly header: string;
  readonly scheme: string;
  readonly transport: Transport;
  readonly getToken: TokenSource;
  readonly clock: Clock;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
  /** Shared by all clients of this host; absent: one of its own. */
  readonly budget?: RequestBudget;
  /** Called for each request that failed and is tried again. */
  readonly onRetry?: (error: DeskError) => void;
}

export interface PageReply {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly requestId: string | null;
}

export interface DataApi {
  readonly serviceClock: ServiceClock;
  /** How many concurrent requests are useful. */
  readonly requestsAtOnce: number;
  readMemberPage(page: number, perPage: number, signal?: AbortSignal): Promise<PageReply>;
  readClaimPage(page: number, perPage: number, signal?: AbortSignal): Promise<PageReply>;
  readMember(employerId: number, memberId: number, signal?: AbortSignal): Promise<PageReply>;
  readPolicyHolderClaimPage(
    id: number,
    page: number,
    perPage: number,
    signal?: AbortSignal,
  ): Promise<PageReply>;
  readVendorClaimPage(
    keys: { vendorTenantLabel: string; employerKey: string; memberKey: string },
    page: number,
    perPage: number,
    signal?: AbortSignal,
  ): Promise<PageReply>;
  /** One small signed request; resolves where the service accepts the signature. */
  probe(signal?: AbortSignal): Promise<{ requestId: string | null; offsetSeconds: number }>;
}

const timeoutMs = 60_000;
const maxTries = 5;
/** Attempts for a page that timed out and can be asked for in smaller ones: each costs a minute. */
const maxTimeouts = 2;
/** Attempts while the network itself is down, as it is for some seconds after sleep: about a minute. */
const maxLostTries = 8;
/** A longer wait is reported to the person instead. */
export const maxWaitSeconds = 300;

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

/** Errors that may pass by themselves: faults, limits, lost connections. Never 400, 401, 403, 404. */
function mayPass(code: string): boolean {
  return [
    'service.fault',
    'service.rateLimited',
    'service.connectionLost',
    'service.timeout',
    'service.badReply',
  ].includes(code);
}

/** The network is down; where the service answered before, it will again. */
const isNetworkLost = (code: string): boolean =>
  code === 'service.unreachable' || code === 'service.nameUnknown';

/**
 * The data API (docs/service.md, "Data API"). Each request is signed in the service's time; a refusal right after the
 * clock offset changed is retried once with a fresh token; errors that may pass are retried with full jitter, a cap,
 * and as `Retry-After` says. No redirect is followed, so no credential reaches another host.
 *
 * @throws DeskError `service.clockSkew` where the service's clock is not believed, `service.*` with the request id
 *   where there is one; `sync.canceled` on the signal
 */
export function createDataApi(options: DataApiOptions): DataApi {
  const { transport, clock } = options;
  const sleep = options.sleep ?? sleepFor;
  const random = options.random ?? Math.random;
  const serviceClock = createServiceClock(clock);
  const budget = options.budget ?? createRequestBudget({ clock, sleep });
  let hasAnswered = false;
  const base = options.baseUrl.replace(/\/$/, '');

  const send = async (
    url: URL,
    isFresh: boolean,
    signal?: AbortSignal,
  ): Promise<{ reply: HttpReply; hasMoved: boolean }> => {
    const { offsetSeconds } = serviceClock;
    const token = await options.getToken({ offsetSeconds, isFresh }).catch((thrown: unknown) => {
      // An offset that was accepted for a day and no longer is: the next reply says what it is now.
      if (thrown instanceof DeskError && thrown.code === 'service.clockSkew') serviceClock.believe(0);
      throw thrown;
    });
    const sentAtMs = clock.now();
    const reply = await transport({
      method: 'GET',
      url,
      headers: signedHeaders(options, token),
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    serviceClock.learn(reply, sentAtMs);
    const { doubtedSeconds } = serviceClock;
    if (doubtedSeconds !== null && reply.status < 500) {
      // Main alone knows whether a person has accepted it; it throws where nobody has.
      await options.getToken({ offsetSeconds: doubtedSeconds, isFresh: false });
      serviceClock.believe(doubtedSeconds);
    }
    // Compared with the offset of this request, since another one may have changed it meanwhile.
    return { reply, hasMoved: serviceClock.offsetSeconds !== offsetSeconds };
  };

  /** One attempt, and one more signature where the clock, or an expired token, was the cause. */
  const tryOnce = async (url: URL, signal?: AbortSignal): Promise<HttpReply> => {
    const first = await send(url, false, signal);
    const { status } = first.reply;
    if ((status === 400 || status === 401) && (first.hasMoved || speaksOfTime(first.reply))) {
      return (await send(url, true, signal)).reply;
    }
    return first.reply;
  };

  const get = async (
    path: string,
    query: Record<string, number>,
    signal?: AbortSignal,
  ): Promise<PageReply> => {
    const url = new URL(`${base}/api/v2${path}`);
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
        const reply = await tryOnce(url, signal);
        hasAnswered = true;
        if (reply.status === 200 && isLikelyJson(reply)) {
          budget.countReply();
          return { body: reply.body, requestId: readRequestId(reply) ?? null };
        }
        error =
          reply.status === 200
            ? new DeskError('service.badReply', { requestId: readRequestId(reply) })
            : toServiceError(reply);
        const retryAfter = readRetryAfterSeconds(reply, clock.now());
        if (retryAfter !== null && retryAfter > maxWaitSeconds) {
          throw new DeskError(error.code, {
            requestId: error.requestId,
            details: { ...error.details, retryAfterSeconds: Math.ceil(retryAfter) },
          });
        }
        if (retryAfter !== null && retryAfter > 0) {
          pauseMs = retryAfter * 1000;
          // With jitter, so that requests refused together are not retried together.
          waitMs = pauseMs + jitter * Math.min(1_000, pauseMs / 10);
        }
      } catch (thrown) {
        if (!(thrown instanceof DeskError)) throw thrown;
        if (thrown.details?.retryAfterSeconds !== undefined) throw thrown;
        error = thrown;
      } finally {
        leave();
      }
      const isLost = hasAnswered && isNetworkLost(error.code);
      if (!(mayPass(error.code) || isLost)) throw error;
      budget.countRefusal(pauseMs);
      const isLarge = error.code === 'service.timeout' && smallerPage(query.per_page ?? 0) !== null;
      if (attempt >= (isLost ? maxLostTries : isLarge ? maxTimeouts : maxTries)) throw error;
      options.onRetry?.(error);
      await sleep(waitMs, signal);
    }
  };

  const at = (...parts: (string | number)[]): string =>
    parts.map((part) => `/${encodeURIComponent(String(part))}`).join('');

  return {
    serviceClock,
    get requestsAtOnce() {
      return budget.limit;
    },
    readMemberPage: (page, perPage, signal) => get('/member', { page, per_page: perPage }, signal),
    readClaimPage: (page, perPage, signal) => get('/claims', { page, per_page: perPage }, signal),
    readMember: (employerId, memberId, signal) =>
      get(at('employer', employerId, 'member', memberId), {}, signal),
    readPolicyHolderClaimPage: (id, page, perPage, signal) =>
      get(at('policy_holder', id, 'claims'), { page, per_page: perPage }, signal),
    readVendorClaimPage: (keys, page, perPage, signal) =>
      get(
        at(
          'vendor-tenant',
          keys.vendorTenantLabel,
          'employer',
          keys.employerKey,
          'member',
          keys.memberKey,
          'claims',
        ),
        { page, per_page: perPage },
        signal,
      ),
    async probe(signal) {
      const { requestId } = await get('/member', { page: 1, per_page: 1 }, signal);
      return { requestId, offsetSeconds: serviceClock.offsetSeconds };
    },
  };
}

/** The header with a token. Lower case, as all header names for a transport. */
export function signedHeaders(
  { header, scheme }: Pick<DataApiOptions, 'header' | 'scheme'>,
  token: string,
): Readonly<Record<string, string>> {
  return { [header.toLowerCase()]: `${scheme} ${token}` };
}

/**
 * Whether a reply begins like JSON, whatever its type says: proxies answer with HTML or nothing (docs/service.md,
 * "Lists and values").
 */
function isLikelyJson(reply: HttpReply): boolean {
  const start = new TextDecoder().decode(reply.body.subarray(0, 64)).trimStart();
  return start.startsWith('{');
}
