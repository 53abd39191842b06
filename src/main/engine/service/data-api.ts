import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import { readRequestId, readRetryAfterSeconds, speaksOfTime, toServiceError } from './service-error.ts';
import type { HttpReply, Transport } from './transport.ts';

/** Asks main for a token signed in the service's time. */
export type TokenSource = (wanted: { offsetSeconds: number; isFresh: boolean }) => Promise<string>;

export interface DataApiOptions {
  readonly baseUrl: string;
  /** The Authorization scheme, `SSH-JWT` unless the workspace says otherwise (field-notes §1). */
  readonly scheme: string;
  readonly transport: Transport;
  readonly getToken: TokenSource;
  readonly clock: Clock;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
  /** Called for each request that failed and is tried again. */
  readonly onRetry?: (error: DeskError) => void;
}

export interface PageReply {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly requestId: string | null;
}

export interface DataApi {
  readonly serviceClock: ServiceClock;
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
    place: { vendorTenantLabel: string; employerKey: string; memberKey: string },
    page: number,
    perPage: number,
    signal?: AbortSignal,
  ): Promise<PageReply>;
  /** One small signed request; resolves where the service accepts the signature. */
  probe(signal?: AbortSignal): Promise<{ requestId: string | null; offsetSeconds: number }>;
}

const timeoutMs = 60_000;
const mostTries = 5;

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

/** What may pass by itself: faults, limits, lost connections. Never 400, 401, 403, 404. */
function mayPass(code: string): boolean {
  return [
    'service.fault',
    'service.rateLimited',
    'service.connectionLost',
    'service.timeout',
    'service.badReply',
  ].includes(code);
}

/**
 * The data API (interface.md, Data API). Each request is signed in the service's time; a refusal right
 * after the clock offset was learnt is tried once more with a fresh token; what may pass by itself is
 * tried again with full jitter, a cap, and as `Retry-After` says. No redirect is followed, so no
 * credential reaches another host.
 *
 * @throws DeskError `service.*` with the request id where there is one; `sync.canceled` on the signal
 */
export function createDataApi(options: DataApiOptions): DataApi {
  const { transport, clock } = options;
  const sleep = options.sleep ?? sleepFor;
  const random = options.random ?? Math.random;
  const serviceClock = createServiceClock(clock);
  const base = options.baseUrl.replace(/\/$/, '');

  const send = async (
    url: URL,
    isFresh: boolean,
    signal?: AbortSignal,
  ): Promise<{ reply: HttpReply; hasMoved: boolean }> => {
    const { offsetSeconds } = serviceClock;
    const token = await options.getToken({ offsetSeconds, isFresh });
    const sentAtMs = clock.now();
    const reply = await transport({
      method: 'GET',
      url,
      headers: { authorization: `${options.scheme} ${token}` },
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    serviceClock.learn(reply, sentAtMs);
    // Against what this request was signed with: another one may have learnt of the move before.
    return { reply, hasMoved: serviceClock.offsetSeconds !== offsetSeconds };
  };

  /** One try, with one more signature where the clock, or an expired token, was the cause. */
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
      let waitMs = Math.min(20_000, 400 * 2 ** attempt) * random();
      try {
        const reply = await tryOnce(url, signal);
        if (reply.status === 200 && looksLikeJson(reply)) {
          return { body: reply.body, requestId: readRequestId(reply) ?? null };
        }
        error =
          reply.status === 200
            ? new DeskError('service.badReply', { requestId: readRequestId(reply) })
            : toServiceError(reply);
        waitMs = (readRetryAfterSeconds(reply, clock.now()) ?? 0) * 1000 || waitMs;
      } catch (thrown) {
        if (!(thrown instanceof DeskError)) throw thrown;
        error = thrown;
      }
      if (!mayPass(error.code) || attempt >= mostTries) throw error;
      options.onRetry?.(error);
      await sleep(waitMs, signal);
    }
  };

  const at = (...parts: (string | number)[]): string =>
    parts.map((part) => `/${encodeURIComponent(String(part))}`).join('');

  return {
    serviceClock,
    readMemberPage: (page, perPage, signal) => get('/member', { page, per_page: perPage }, signal),
    readClaimPage: (page, perPage, signal) => get('/claims', { page, per_page: perPage }, signal),
    readMember: (employerId, memberId, signal) =>
      get(at('employer', employerId, 'member', memberId), {}, signal),
    readPolicyHolderClaimPage: (id, page, perPage, signal) =>
      get(at('policy_holder', id, 'claims'), { page, per_page: perPage }, signal),
    readVendorClaimPage: (place, page, perPage, signal) =>
      get(
        at(
          'vendor-tenant',
          place.vendorTenantLabel,
          'employer',
          place.employerKey,
          'member',
          place.memberKey,
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

/** A reply that begins like JSON, whatever its type says: proxies answer with HTML or nothing (field-notes §2). */
function looksLikeJson(reply: HttpReply): boolean {
  const start = new TextDecoder().decode(reply.body.subarray(0, 64)).trimStart();
  return start.startsWith('{');
}
