import type { Clock } from '../../lib/clock.ts';

/**
 * The minimum, the initial and the maximum number of concurrent requests. It falls below the initial number only after
 * the service refused requests.
 */
export const minAtOnce = 1;
const usualAtOnce = 2;
export const maxAtOnce = 4;

/** Replies over which a speed is measured. */
const repliesOfPace = 8;
/** Replies to wait for before the next increase: after an increase that gained nothing, and after a refusal. */
const repliesHeld = 64;
/** One more concurrent request is kept only if it increases the rate by this factor. */
const minGain = 1.05;

/** The number of concurrent requests, and the measurement that determines it. */
export interface Pace {
  readonly limit: number;
  /** Replies since the measurement began, and when it began. */
  readonly replies: number;
  readonly beganMs: number;
  /** Replies per second with one fewer request; null while no increase is being tried. */
  readonly rateBefore: number | null;
  /** Replies to wait for before the next increase. */
  readonly held: number;
}

export const beginPace = (nowMs: number): Pace => ({
  limit: usualAtOnce,
  replies: 0,
  beganMs: nowMs,
  rateBefore: null,
  held: 0,
});

/** The pace after a good reply: tries one more request, and keeps it only if that is faster. */
export function paceAfterReply(pace: Pace, nowMs: number): Pace {
  const replies = pace.replies + 1;
  if (replies < repliesOfPace) return { ...pace, replies };
  const rate = (replies * 1000) / Math.max(1, nowMs - pace.beganMs);
  const next = { replies: 0, beganMs: nowMs };
  const held = Math.max(0, pace.held - replies);
  if (pace.rateBefore !== null && rate < pace.rateBefore * minGain)
    return { ...next, limit: Math.max(usualAtOnce, pace.limit - 1), rateBefore: null, held: repliesHeld };
  if (held > 0 || pace.limit >= maxAtOnce) return { ...next, limit: pace.limit, rateBefore: null, held };
  return { ...next, limit: pace.limit + 1, rateBefore: rate, held: 0 };
}

/** The pace after a 429, a fault or a lost connection: half as many requests. */
export const paceAfterRefusal = (pace: Pace, nowMs: number): Pace => ({
  limit: Math.max(minAtOnce, Math.floor(pace.limit / 2)),
  replies: 0,
  beganMs: nowMs,
  rateBefore: null,
  held: repliesHeld,
});

/** Limits the requests of all workspaces together to one host. */
export interface RequestBudget {
  readonly limit: number;
  /** Waits for a free slot and for the end of a pause; calling the result frees the slot. Rejects on the signal. */
  enter(options: { signal?: AbortSignal | undefined; isRetry?: boolean }): Promise<() => void>;
  countReply(): void;
  /** Called after the service refused a request: reduces the number, and allows none before `waitMs` have passed. */
  countRefusal(waitMs: number): void;
}

export function createRequestBudget(options: {
  clock: Clock;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}): RequestBudget {
  const { clock } = options;
  let pace = beginPace(clock.now());
  let pausedUntilMs = 0;
  let running = 0;
  const waiting: (() => void)[] = [];

  const admit = (): void => {
    while (running < pace.limit) {
      const next = waiting.shift();
      if (next === undefined) return;
      running += 1;
      next();
    }
  };
  const leave = (): void => {
    running -= 1;
    admit();
  };

  return {
    get limit() {
      return pace.limit;
    },
    async enter({ signal, isRetry }) {
      const pauseMs = pausedUntilMs - clock.now();
      // A retry has already waited, with jitter.
      if (pauseMs > 0 && isRetry !== true) await options.sleep(pauseMs, signal);
      await new Promise<void>((resolve, reject) => {
        const cancel = (): void => {
          const at = waiting.indexOf(start);
          if (at === -1) return;
          waiting.splice(at, 1);
          reject(signal?.reason);
        };
        const start = (): void => {
          signal?.removeEventListener('abort', cancel);
          resolve();
        };
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        signal?.addEventListener('abort', cancel, { once: true });
        waiting.push(start);
        admit();
      });
      let hasLeft = false;
      return () => {
        if (!hasLeft) leave();
        hasLeft = true;
      };
    },
    countReply() {
      pace = paceAfterReply(pace, clock.now());
      admit();
    },
    countRefusal(waitMs) {
      pace = paceAfterRefusal(pace, clock.now());
      pausedUntilMs = Math.max(pausedUntilMs, clock.now() + waitMs);
    },
  };
}
