import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import type { Clock } from '../lib/clock.ts';
import { DeskError } from '../lib/errors.ts';

const triesSchema = z.strictObject({
  version: z.literal(1),
  /** Failed attempts since the chain was started. */
  count: z.number().int().min(0).max(1_000_000),
  /** How many of them were before the last unlock. */
  settled: z.number().int().min(0),
  firstAtMs: z.number().nullable(),
  lastAtMs: z.number().nullable(),
  /** The chain after `count` steps, base64; null before a chain was started. */
  chain: z.string().nullable(),
  /** When Claimdesk was locked, if that is not in the audit log yet. */
  lockedAtMs: z.number().nullable(),
});
type Noted = z.infer<typeof triesSchema>;

const none: Noted = {
  version: 1,
  count: 0,
  settled: 0,
  firstAtMs: null,
  lastAtMs: null,
  chain: null,
  lockedAtMs: null,
};

const freeTries = 3;
const maxWaitMs = 60_000;

/**
 * Returns how long to wait after this many failed attempts in a row: none for three, then 1 s, doubling up to a minute.
 */
const waitAfter = (failed: number): number =>
  failed < freeTries ? 0 : Math.min(maxWaitMs, 1000 * 2 ** Math.min(failed - freeTries, 16));

/**
 * Hashes the chain's value this many times. A hash cannot be reversed, so the value for a lower count can't be
 * computed.
 */
export function stepChain(chain: string, steps: number): string {
  let value = Buffer.from(chain, 'base64');
  for (let step = 0; step < steps; step += 1)
    value = createHash('sha256').update('claimdesk unlock try').update(value).digest();
  return value.toString('base64');
}

/**
 * Counts failed unlocks in a small file and delays further attempts, also after a restart. A hash chain, whose first
 * value is stored among the secrets, protects the count: an unlock detects a lowered count and a deleted file. It does
 * not detect an older copy of the file, and does not delay attempts on a copy of the profile.
 */
export function createUnlockTries({ filePath, clock }: { filePath: string; clock: Clock }) {
  const read = async (): Promise<Noted | null> => {
    const text = await readFile(filePath, 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      return triesSchema.parse(JSON.parse(text));
    } catch {
      return null;
    }
  };
  const write = (tries: Noted): Promise<void> => writeFileAtomic(filePath, `${JSON.stringify(tries)}\n`);

  const countFailure = async (): Promise<void> => {
    const tries = (await read()) ?? none;
    const now = clock.now();
    await write({
      ...tries,
      count: tries.count + 1,
      firstAtMs: tries.firstAtMs ?? now,
      lastAtMs: now,
      chain: tries.chain === null ? null : stepChain(tries.chain, 1),
    });
  };

  return {
    read,
    /**
     * Runs an attempt, unless it comes too early. If the clock was set back, the wait is still at most a
     * minute.
     *
     * @throws DeskError `unlock.tooManyTries` with `waitSeconds`, and what `act` throws
     */
    async guard<T>(act: () => T | Promise<T>): Promise<T> {
      const tries = (await read()) ?? none;
      const waitMs = waitAfter(tries.count - tries.settled);
      const sinceMs = clock.now() - (tries.lastAtMs ?? 0);
      if (sinceMs < 0 && waitMs > 0) await write({ ...tries, lastAtMs: clock.now() });
      if (waitMs > 0 && sinceMs < waitMs) {
        const waitSeconds = Math.ceil((waitMs - Math.max(0, sinceMs)) / 1000);
        throw new DeskError('unlock.tooManyTries', { details: { waitSeconds } });
      }
      try {
        return await act();
      } catch (error) {
        const isWrong =
          error instanceof DeskError &&
          (error.code === 'vault.wrongPassphrase' || error.code === 'unlock.wrongCode');
        // If the disk is full, the error about the wrong passphrase must still be thrown.
        if (isWrong) await countFailure().catch(() => undefined);
        throw error;
      }
    },
    /** Resets the delay after a successful unlock. */
    async forgive(): Promise<void> {
      const tries = await read();
      if (tries === null || tries.settled === tries.count) return;
      await write({ ...tries, settled: tries.count }).catch(() => undefined);
    },
    keepLocked: async (lockedAtMs: number | null): Promise<void> =>
      write({ ...((await read()) ?? none), lockedAtMs }),
    /** Starts a chain with a count of zero. */
    begin: (chain: string): Promise<void> => write({ ...none, chain }),
  };
}

export type UnlockTries = ReturnType<typeof createUnlockTries>;
