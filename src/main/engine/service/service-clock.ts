import type { Clock } from '../../lib/clock.ts';
import type { HttpReply } from './transport.ts';

/**
 * How far the service's clock is from this computer's, by its `Date` header, in seconds (positive: the
 * service is ahead). The service allows no skew at all (docs/service.md, "SSH-JWT"), so tokens are signed in
 * its time. A `Date` is only good to a second.
 */
export interface ServiceClock {
  readonly offsetSeconds: number;
  readonly isKnown: boolean;
  /** Learns from a reply; true when the offset moved by more than a `Date` can be off. */
  learn(reply: HttpReply, sentAtMs: number): boolean;
}

export function createServiceClock(clock: Clock): ServiceClock {
  let offsetSeconds = 0;
  let isKnown = false;
  return {
    get offsetSeconds() {
      return offsetSeconds;
    },
    get isKnown() {
      return isKnown;
    },
    learn(reply, sentAtMs) {
      const date = Date.parse(reply.headers.date ?? '');
      if (!Number.isFinite(date)) return false;
      const middleMs = (sentAtMs + clock.now()) / 2;
      const measured = Math.round((date - middleMs) / 1000);
      const hasMoved = Math.abs(measured - offsetSeconds) > 2;
      if (hasMoved || !isKnown) offsetSeconds = Math.abs(measured) <= 2 ? 0 : measured;
      isKnown = true;
      return hasMoved;
    },
  };
}
