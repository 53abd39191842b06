/** Where time comes from; handed in, so that tests decide what it is. Milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
}

/**
 * How far a service's clock may be from this computer's and still be believed: a `Date` years ahead would have tokens signed for
 * any year.
 */
export const maxClockOffsetSeconds = 600;

export const systemClock: Clock = { now: () => Date.now() };
