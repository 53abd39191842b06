import { z } from 'zod';
import { done, inMain, nothing } from './procedure-parts.ts';

const unlockPassphrase = z.string().min(1).max(1000);
const recoveryCode = z.string().min(1).max(200);

/** Locking, unlocking, and the passphrase and recovery code that unlock. */
export const lockProcedures = {
  'lock:getState': inMain(
    nothing,
    z.object({
      isLocked: z.boolean(),
      /** What unlocks this profile. `nothing`: it has no secrets yet, or only the sample is here. */
      opensBy: z.enum(['passphrase', 'keychain', 'nothing']),
      /** A recovery code opens it as well. */
      hasRecoveryCode: z.boolean(),
    }),
  ),
  'lock:lock': inMain(nothing, done),
  'lock:unlock': inMain(z.object({ passphrase: unlockPassphrase.optional() }), done),
  /** The window tells that a person did something; idle time is counted from the last one. */
  'lock:noteActivity': inMain(nothing, done),

  'unlock:getState': inMain(
    nothing,
    z.object({
      hasPassphrase: z.boolean(),
      hasRecoveryCode: z.boolean(),
      /** The passphrase that opened the profile is shorter than a new one may be. */
      isPassphraseShort: z.boolean(),
    }),
  ),
  /**
   * Sets the unlock passphrase, or changes it (`current`). The recovery code that comes with a new one is shown to a
   * person once and never again; null where the passphrase was only changed, and the old code stays good.
   */
  'unlock:setPassphrase': inMain(
    z.object({ passphrase: unlockPassphrase, current: unlockPassphrase.optional() }),
    z.object({ recoveryCode: z.string().nullable() }),
  ),
  /** From then on the keychain alone opens the profile. */
  'unlock:removePassphrase': inMain(z.object({ current: unlockPassphrase }), done),
  /** The old recovery code opens nothing any more. */
  'unlock:renewRecoveryCode': inMain(
    z.object({ current: unlockPassphrase.optional() }),
    z.object({ recoveryCode: z.string() }),
  ),
  /** Unlocks with the recovery code and sets a new passphrase. */
  'unlock:recover': inMain(z.object({ code: recoveryCode, passphrase: unlockPassphrase }), done),
} as const;
