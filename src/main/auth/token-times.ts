import { maxClockOffsetSeconds } from '../lib/clock.ts';

/** Recommended by docs/service.md, "SSH-JWT". */
const lifetimeSeconds = 900;
/** A token is not used in its last 60 seconds, so that it does not expire in transit. */
const reserveSeconds = 60;
/**
 * The service rejects an `iat` that is ahead of its clock by any amount, and its `Date` header has whole seconds only.
 * So tokens are backdated by this much.
 */
const backdateSeconds = 5;
/** The known offset may have fallen by at most this much since signing; less than the backdating. */
const offsetToleranceSeconds = 3;

/**
 * Whether tokens may be signed by a service's clock that differs this much from this computer's: within ten
 * minutes, or within ten minutes of what the user has accepted.
 */
export function isOffsetAllowed(offsetSeconds: number, acceptedSeconds: number | null): boolean {
  const near = acceptedSeconds === null ? [0] : [0, acceptedSeconds];
  return near.some((center) => Math.abs(offsetSeconds - center) <= maxClockOffsetSeconds);
}

type TokenTimes = { issuedAt: number; expiresAt: number };

/** Computes `iat` and `exp`, whole seconds by the service's clock. */
export function planTokenTimes(
  nowMs: number,
  offsetSeconds: number,
  forSeconds = lifetimeSeconds,
): TokenTimes {
  const issuedAt = Math.floor(nowMs / 1000 + offsetSeconds) - backdateSeconds;
  return { issuedAt, expiresAt: issuedAt + forSeconds };
}

/** Whether two measurements of the service's clock are equal within the error of measuring. */
export const isSameOffset = (a: number, b: number): boolean => Math.abs(a - b) <= offsetToleranceSeconds;

/**
 * Whether a token can still be sent, by the current offset of the service's clock. Checking its expiry is not enough:
 * if this computer's clock or the offset went back, the token's `iat` would be in the service's future.
 */
export function isTokenUsable(
  signed: TokenTimes & { offsetSeconds: number },
  nowMs: number,
  offsetSeconds: number,
): boolean {
  if (!isSameOffset(signed.offsetSeconds, offsetSeconds)) return false;
  const serviceSeconds = nowMs / 1000 + offsetSeconds;
  const isBegun = serviceSeconds - signed.issuedAt >= backdateSeconds - offsetToleranceSeconds;
  return isBegun && serviceSeconds < signed.expiresAt - reserveSeconds;
}
