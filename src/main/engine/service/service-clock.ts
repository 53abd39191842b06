import { type Clock, maxClockOffsetSeconds } from '../../lib/clock.ts';
import type { HttpReply } from './transport.ts';

/**
 * The offset of the service's clock from this computer's in seconds, from its `Date` header (positive: the service is
 * ahead). The service allows no skew at all (docs/service.md, "SSH-JWT"), so tokens are signed in its time. A `Date`
 * header is exact to a second.
 */
export interface ServiceClock {
  readonly offsetSeconds: number;
  readonly isKnown: boolean;
  /** An offset of more than ten minutes, which is not used until main agrees to sign by it; null: none. */
  readonly doubtedSeconds: number | null;
  /** Updates the offset from a reply; true when it changed by more than the precision of a `Date` header. */
  learn(reply: HttpReply, sentAtMs: number): boolean;
  /** Uses an offset that main has agreed to sign by. */
  believe(seconds: number): void;
}

/** A moment of this computer's clock as an ISO date-time in the service's time, as far as the offset is known. */
export const toServiceTime = ({ offsetSeconds }: ServiceClock, ms: number): string =>
  new Date(ms + offsetSeconds * 1000).toISOString();

export function createServiceClock(clock: Clock): ServiceClock {
  let offsetSeconds = 0;
  let isKnown = false;
  let doubtedSeconds: number | null = null;
  return {
    get offsetSeconds() {
      return offsetSeconds;
    },
    get isKnown() {
      return isKnown;
    },
    get doubtedSeconds() {
      return doubtedSeconds;
    },
    learn(reply, sentAtMs) {
      const date = Date.parse(reply.headers.date ?? '');
      if (!Number.isFinite(date)) return false;
      const middleMs = (sentAtMs + clock.now()) / 2;
      const measured = Math.round((date - middleMs) / 1000);
      const hasMoved = Math.abs(measured - offsetSeconds) > 2;
      doubtedSeconds = hasMoved && Math.abs(measured) > maxClockOffsetSeconds ? measured : null;
      if (doubtedSeconds !== null) return false;
      if (hasMoved || !isKnown) offsetSeconds = Math.abs(measured) <= 2 ? 0 : measured;
      isKnown = true;
      return hasMoved;
    },
    believe(seconds) {
      offsetSeconds = seconds;
      doubtedSeconds = null;
      isKnown = true;
    },
  };
}
