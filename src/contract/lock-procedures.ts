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
      /** How this profile is unlocked. `nothing`: it has no secrets yet; `sample`: only the sample's own. */
      opensBy: z.enum(['passphrase', 'keychain', 'sample', 'nothing']),
      /** A recovery code also unlocks it. */
      hasRecoveryCode: z.boolean(),
    }),
  ),
  'lock:lock': inMain(nothing, done),
  'lock:unlock': inMain(z.object({ passphrase: unlockPassphrase.optional() }), done),
  /** Reports activity of the user in the window, from which idle time is counted. */
  'lock:noteActivity': inMain(nothing, done),

  'unlock:getState': inMain(
    nothing,
    z.object({
      hasPassphrase: z.boolean(),
      hasRecoveryCode: z.boolean(),
      /** The passphrase is shorter than a new one may be. */
      isPassphraseShort: z.boolean(),
    }),
  ),
  /**
   * Sets the unlock passphrase, or changes it (`current`). A new passphrase comes with a recovery code, which is shown
   * once and cannot be read again; null where the passphrase was only changed, and the old code remains valid.
   */
  'unlock:setPassphrase': inMain(
    z.object({ passphrase: unlockPassphrase, current: unlockPassphrase.optional() }),
    z.object({ recoveryCode: z.string().nullable() }),
  ),
  /** Removes the unlock passphrase: only the keychain then unlocks the profile. */
  'unlock:removePassphrase': inMain(z.object({ current: unlockPassphrase }), done),
  /** Makes a new recovery code; the old one becomes invalid. */
  'unlock:renewRecoveryCode': inMain(
    z.object({ current: unlockPassphrase.optional() }),
    z.object({ recoveryCode: z.string() }),
  ),
  'unlock:recover': inMain(z.object({ code: recoveryCode, passphrase: unlockPassphrase }), done),
} as const;
