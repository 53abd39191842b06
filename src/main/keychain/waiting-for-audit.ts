import { existsSync } from 'node:fs';
import { beginTries } from './change-unlock.ts';
import type { ProfileKey } from './profile-key-ports.ts';
import { openContent } from './sealed-format.ts';
import { stepChain } from './unlock-tries.ts';

/** Failed unlocks that the audit log does not have yet. */
interface FailedTries {
  readonly count: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** False where the count was lowered or lost. */
  readonly isCountIntact: boolean;
}

/** What happened while the profile was closed. */
interface WaitingForAudit {
  readonly lockedAtMs: number | null;
  readonly failed: FailedTries | null;
}

/** Notes a lock that could not be written into the audit log; the next unlock writes it. @throws DeskError `disk.*` */
export function noteLocked({ ports, tries, enqueue }: ProfileKey, lockedAtMs: number): Promise<void> {
  return enqueue(async () => {
    if (existsSync(ports.profileDir)) await tries.noteLocked(lockedAtMs);
  });
}

/** What the audit log does not have yet, seen with the key that is held; null for nothing. */
export function readWaiting(profileKey: ProfileKey): Promise<WaitingForAudit | null> {
  return profileKey.enqueue(async () => {
    const failed = await readFailed(profileKey);
    const lockedAtMs = (await profileKey.tries.read())?.lockedAtMs ?? null;
    return failed === null && lockedAtMs === null ? null : { failed, lockedAtMs };
  });
}

/** The audit log has all of it now. */
export function noteWaitingTold(profileKey: ProfileKey): Promise<void> {
  return profileKey.enqueue(async () => {
    const { held, tries } = profileKey;
    if (held !== null && (await readFailed(profileKey)) !== null) await beginTries(profileKey, held);
    else if ((await tries.read()) !== null) await tries.noteLocked(null);
  });
}

async function readFailed({ sealed, tries, held }: ProfileKey): Promise<FailedTries | null> {
  const file = await sealed.read();
  if (held === null || file === null) return null;
  const known = openContent(file, held).tries;
  const noted = await tries.read();
  const { count = 0, firstAtMs = null, lastAtMs = null, chain = null } = noted ?? {};
  // Before the first chain was begun there is nothing that a count could be held against.
  const isCountIntact =
    known === null ? chain === null : noted !== null && chain === stepChain(known.begin, count);
  return count === 0 && isCountIntact ? null : { count, firstAtMs, lastAtMs, isCountIntact };
}
