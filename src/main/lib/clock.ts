/** A source of the current time, passed in so that tests can set it. Milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
}

/**
 * The largest difference between a service's clock and this computer's that is accepted without asking. Beyond it, a
 * wrong `Date` header could have tokens signed for any year.
 */
export const maxClockOffsetSeconds = 600;

export const systemClock: Clock = { now: () => Date.now() };
