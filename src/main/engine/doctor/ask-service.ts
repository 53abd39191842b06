import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { watchLoad } from '../../lib/watch-load.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { Transport } from '../service/transport.ts';
import type { AskOutcome } from './observations.ts';
import { findCode, isTimeout, limited, notInTime } from './probe-limits.ts';
import { readReply } from './read-reply.ts';

interface AskPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
}

/** How much longer than the transport's limit the doctor waits. */
const graceMs = 100;

/**
 * Sends one small request over the transport that all requests use; the reply is reduced to numbers at once. The
 * service's clock is updated from it. Never rejects.
 */
export async function askService(
  url: URL,
  headers: Readonly<Record<string, string>>,
  limitMs: number,
  { transport, clock, serviceClock }: AskPorts,
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
