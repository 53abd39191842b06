import { existsSync } from 'node:fs';
import { beginTries } from './change-unlock.ts';
import type { ProfileKey } from './profile-key-ports.ts';
import { openContent } from './sealed-format.ts';
import { stepChain } from './unlock-tries.ts';

/** Failed unlocks that are not in the audit log yet. */
interface FailedTries {
  readonly count: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** False where the count was lowered or the file was deleted. */
  readonly isCountIntact: boolean;
}

/** The events to record in the audit log because they happened while the profile was locked. */
interface WaitingForAudit {
  readonly lockedAtMs: number | null;
  readonly failed: FailedTries | null;
}

/** Stores that a lock could not be recorded in the audit log; the next unlock records it. @throws DeskError `disk.*` */
export const keepLocked = ({ ports, tries, enqueue }: ProfileKey, lockedAtMs: number): Promise<void> =>
  enqueue(async () => {
    if (existsSync(ports.profileDir)) await tries.keepLocked(lockedAtMs);
  });

/** Reads what is not in the audit log yet, verified with the profile key in memory; null for nothing. */
export const readWaiting = (profileKey: ProfileKey): Promise<WaitingForAudit | null> =>
  profileKey.enqueue(async () => {
    const failed = await readFailed(profileKey);
    const lockedAtMs = (await profileKey.tries.read())?.lockedAtMs ?? null;
    return failed === null && lockedAtMs === null ? null : { failed, lockedAtMs };
  });

/** Marks all of them as recorded in the audit log. */
export const endWaiting = (profileKey: ProfileKey): Promise<void> =>
  profileKey.enqueue(async () => {
    const { held, tries } = profileKey;
    if (held !== null && (await readFailed(profileKey)) !== null) await beginTries(profileKey, held);
    else if ((await tries.read()) !== null) await tries.keepLocked(null);
  });

async function readFailed({ sealed, tries, held }: ProfileKey): Promise<FailedTries | null> {
  const file = sealed.read();
  if (held === null || file === null) return null;
  const sealedTries = openContent(file, held).tries;
  const noted = await tries.read();
  const { count = 0, firstAtMs = null, lastAtMs = null, chain = null } = noted ?? {};
  // Before the first chain, the count has nothing to be compared with.
  const isCountIntact =
    sealedTries === null ? chain === null : noted !== null && chain === stepChain(sealedTries.begin, count);
  return count === 0 && isCountIntact ? null : { count, firstAtMs, lastAtMs, isCountIntact };
}
