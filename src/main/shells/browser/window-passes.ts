import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { isSameSecret } from '../../lib/loopback/caller-rules.ts';

/** How long an address that opens a window is valid. */
export const passLifeMs = 60_000;

/**
 * How a browser gets a window's token: the address has a pass in its fragment, which is in no request and in no log.
 * The page exchanges the pass for the token: once, within 60 seconds, and only the newest pass.
 */
export function createWindowPasses(options: { clock: Clock; origin: string; onUsed: () => void }) {
  const { clock, origin, onUsed } = options;
  let newest: { pass: string; madeAtMs: number } | null = null;
  return {
    /** An address with a new pass. The previous one becomes invalid. */
    makeAddress(): string {
      newest = { pass: randomBytes(32).toString('base64url'), madeAtMs: clock.now() };
      return `${origin}/#pass=${newest.pass}`;
    },
    /** True once, for the newest pass, while it is valid. */
    redeem(pass: string): boolean {
      if (newest === null || !isSameSecret(pass, newest.pass)) return false;
      const ageMs = clock.now() - newest.madeAtMs;
      newest = null;
      onUsed();
      return ageMs >= 0 && ageMs <= passLifeMs;
    },
  };
}

export type WindowPasses = ReturnType<typeof createWindowPasses>;
