import { createHash } from 'node:crypto';
import type { Workspace } from '../../../contract/workspace.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NetworkDiagnosis } from '../../lib/engine-protocol.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { watchLoad } from '../../lib/watch-load.ts';
import { signedHeaders } from '../service/data-api.ts';
import { createServiceClock, type ServiceClock } from '../service/service-clock.ts';
import { readBody, readRequestId, readRetryAfterSeconds, speaksOfTime } from '../service/service-error.ts';
import type { HttpReply, Transport } from '../service/transport.ts';
import { readTrustedCertificates } from '../service/trusted-certificates.ts';
import { assessEarly, assessNetwork } from './assess-network.ts';
import type { AskOutcome, ReplyFacts, ReplyShape } from './observations.ts';
import { findCode, isTimeout, limited, notInTime } from './probe-limits.ts';
import { type PathPorts, probeForTls, probePath } from './probe-path.ts';

/** The facts of a reply: numbers and shapes. The record in it and the service's text are dropped here. */
export function readReply(reply: HttpReply, nowMs: number): ReplyFacts {
  const text = new TextDecoder().decode(reply.body);
  const { message: said } = readBody(reply);
  const message = typeof said === 'string' ? said : '';
  const requestId = readRequestId(reply);
  return {
    status: reply.status,
    // The same form as in the log: it has a digit and no dot, so it is neither a name nor an address.
    requestId: requestId !== undefined && /^(?=.*\d)[A-Za-z0-9_-]{8,64}$/.test(requestId) ? requestId : null,
    shape: readShape(text),
    bytes: reply.body.byteLength,
    speaksOf: speaksOfTime(reply)
      ? 'time'
      : /decod|claim|\balg|malformed|missing/i.test(message)
        ? 'form'
        : null,
    retryAfterSeconds: readRetryAfterSeconds(reply, nowMs),
    redirectHost: readRedirectHost(reply),
    digest: createHash('sha256').update(`${reply.status} ${message}`).digest('hex'),
  };
}

/** Reads a body's shape (docs/service.md, "Lists and values"): an object with `data`, a list or one object. */
export function readShape(text: string): ReplyShape {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty';
  if (trimmed.startsWith('<')) return 'html';
  try {
    const { data } = JSON.parse(trimmed) as { data?: unknown };
    return typeof data === 'object' && data !== null ? 'envelope' : 'object';
  } catch {
    return /^[{[]/.test(trimmed) && !/[}\]]$/.test(trimmed) ? 'truncated' : 'notJson';
  }
}

function readRedirectHost({ status, headers }: HttpReply): string | null {
  const { location } = headers;
  if (status < 300 || status >= 400 || location === undefined) return null;
  return URL.canParse(location) ? new URL(location).host.slice(0, 300) : null;
}

/** How much longer than the transport's limit the doctor waits. */
const graceMs = 100;

/**
 * Sends one small request over the transport that all requests use; the reply is reduced to numbers immediately. It
 * also updates the service's clock. Never rejects.
 */
async function askService(
  url: URL,
  headers: Readonly<Record<string, string>>,
  limitMs: number,
  { transport, clock, serviceClock }: { transport: Transport; clock: Clock; serviceClock: ServiceClock },
): Promise<Exclude<AskOutcome, { kind: 'notTried' | 'noToken' }>> {
  const began = performance.now();
  const load = watchLoad();
  const sentAtMs = clock.now();
  try {
    // The transport's own limit does not end a TLS handshake that hangs (undici connects without the signal).
    const asked = transport({ method: 'GET', url, headers, timeoutMs: limitMs });
    const reply = await limited(asked, limitMs + graceMs);
    serviceClock.learn(reply, sentAtMs);
    return { kind: 'replied', tookMs: performance.now() - began, reply: readReply(reply, clock.now()) };
  } catch (thrown) {
    const { code, cause } = isTimeout(thrown) ? new DeskError('service.timeout') : toDeskError(thrown);
    const detail = code === 'service.timeout' && load.isBusy() ? notInTime : findCode(cause);
    return { kind: 'failed', tookMs: performance.now() - began, code, detail };
  } finally {
    load.end();
  }
}

interface DoctorPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Environment variables, which may set a proxy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the transport may reach the service where a direct connection fails: Chromium uses the system's proxy. */
  readonly mayKnowOtherPaths: boolean;
  readonly getToken: (offsetSeconds: number) => Promise<string>;
}

/** The limits for one probe of the path, for one request, and for the whole diagnosis: you wait at most 5 s. */
const probeLimitMs = 1_500;
const askLimitMs = 2_000;
const totalLimitMs = 3_900;

/**
 * Finds out why a workspace's service does not answer as it should. It checks the network path, sends a request without
 * a token, and one with a token, signed in the service's time. A token is only sent if the first answer came from a
 * service, so never to a log-in page. Takes less than four seconds and never rejects.
 */
export async function diagnoseNetwork(
  { baseUrl, header, scheme, pageSize }: Pick<Workspace, 'baseUrl' | 'header' | 'scheme' | 'pageSize'>,
  ports: DoctorPorts,
): Promise<NetworkDiagnosis> {
  const endsAtMs = performance.now() + totalLimitMs;
  const leftMs = (maxMs: number): number =>
    Math.max(1, Math.round(Math.min(maxMs, endsAtMs - performance.now())));
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/api/v2/member?page=1&per_page=1`);
  const serviceClock = createServiceClock(ports.clock);
  /** The offset of the service's clock, even one too large to sign by: main decides whether it signs. */
  const readOffset = (): number => serviceClock.doubtedSeconds ?? serviceClock.offsetSeconds;
  const asking = { transport: ports.transport, clock: ports.clock, serviceClock };
  const pathPorts: PathPorts = {
    environment: ports.environment,
    readTrusted: readTrustedCertificates,
    limitMs: probeLimitMs,
  };

  const askPlainly = (): Promise<AskOutcome> => askService(url, {}, leftMs(askLimitMs), asking);
  const probing = probePath(url, pathPorts);
  // Sent in parallel where a request may succeed although a direct connection fails. Elsewhere it would add nothing,
  // and a connection that hangs would keep the process from ending.
  const askedAtOnce = ports.mayKnowOtherPaths ? askPlainly() : null;
  const path = await probing;
  const isPathOpen = [path.dns, path.tcp, path.proxy, path.tls].every(({ kind }) => kind !== 'failed');
  const unsigned = await (askedAtOnce ?? (isPathOpen ? askPlainly() : ({ kind: 'notTried' } as const)));
  const speaksTls = isPuzzling(unsigned) && !path.isTls && path.tcp.kind === 'passed';
  const observed = speaksTls
    ? { ...path, speaksTls: await probeForTls(url, { ...pathPorts, limitMs: leftMs(probeLimitMs) }) }
    : path;

  let signed: AskOutcome = { kind: 'notTried' };
  if (unsigned.kind === 'replied' && assessEarly(unsigned.reply) === null) {
    const offsetSeconds = readOffset();
    const token = await limited(ports.getToken(offsetSeconds), leftMs(askLimitMs)).catch(
      (thrown: unknown) => {
        signed = { kind: 'noToken', code: toDeskError(thrown).code };
        return null;
      },
    );
    if (token !== null)
      signed = await askService(url, signedHeaders({ header, scheme }, token), leftMs(askLimitMs), asking);
  }

  const answer = signed.kind === 'replied' ? signed.reply : null;
  return {
    findings: assessNetwork({
      path: observed,
      unsigned,
      signed,
      offsetSeconds: serviceClock.isKnown || serviceClock.doubtedSeconds !== null ? readOffset() : null,
      askLimitSeconds: askLimitMs / 1000,
      perPage: pageSize?.perPage ?? null,
      nowMs: ports.clock.now(),
    }),
    offsetSeconds: readOffset(),
    isAnswerTheSame:
      unsigned.kind === 'replied' && answer !== null && unsigned.reply.digest === answer.digest,
  };
}

/** An answer that a TLS server might give to an unencrypted request. */
function isPuzzling(asked: AskOutcome): boolean {
  if (asked.kind === 'replied') return asked.reply.status === 400 && asked.reply.shape !== 'object';
  return asked.kind === 'failed' && asked.code === 'service.connectionLost';
}
