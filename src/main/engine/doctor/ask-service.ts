import type { Clock } from '../../lib/clock.ts';
import { toDeskError } from '../../lib/errors.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { Transport } from '../service/transport.ts';
import type { AskOutcome } from './observations.ts';
import { findCode } from './probe-limits.ts';
import { readReply } from './read-reply.ts';

interface AskPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
}

/**
 * One small request over the transport that all requests take; what comes back is reduced to numbers at once.
 * The service's clock learns from it. Never rejects.
 */
export async function askService(
  url: URL,
  headers: Readonly<Record<string, string>>,
  limitMs: number,
  { transport, clock, serviceClock }: AskPorts,
): Promise<Exclude<AskOutcome, { kind: 'notTried' | 'noToken' }>> {
  const began = performance.now();
  const sentAtMs = clock.now();
  try {
    const reply = await transport({ method: 'GET', url, headers, timeoutMs: limitMs });
    serviceClock.learn(reply, sentAtMs);
    return { kind: 'replied', tookMs: performance.now() - began, reply: readReply(reply, clock.now()) };
  } catch (thrown) {
    const { code, cause } = toDeskError(thrown);
    return { kind: 'failed', tookMs: performance.now() - began, code, detail: findCode(cause) };
  }
}
