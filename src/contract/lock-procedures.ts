import { z } from 'zod';
import { done, nothing } from './procedure-parts.ts';

const unlockPassphrase = z.string().min(1).max(1000);
const recoveryCode = z.string().min(1).max(200);

/** Locking, unlocking, and the passphrase and recovery code that unlock. */
export const lockProcedures = {
  'lock:getState': {
    answeredBy: 'main',
    input: nothing,
    output: z.object({
      isLocked: z.boolean(),
      /** What unlocks this profile. `nothing`: it has no secrets yet, or only the sample is here. */
      opensBy: z.enum(['passphrase', 'keychain', 'nothing']),
      /** A recovery code opens it as well. */
      hasRecoveryCode: z.boolean(),
    }),
  },
  'lock:lock': { answeredBy: 'main', input: nothing, output: done },
  'lock:unlock': {
    answeredBy: 'main',
    input: z.object({ passphrase: unlockPassphrase.optional() }),
    output: done,
  },
  /** The window tells that a person did something; idle time is counted from the last one. */
  'lock:noteActivity': { answeredBy: 'main', input: nothing, output: done },

  'unlock:getState': {
    answeredBy: 'main',
    input: nothing,
    output: z.object({
      hasPassphrase: z.boolean(),
      hasRecoveryCode: z.boolean(),
      /** The passphrase that opened the profile is shorter than a new one may be. */
      isPassphraseShort: z.boolean(),
    }),
  },
  /**
   * Sets the unlock passphrase, or changes it (`current`). The recovery code that comes with a new one is shown to a
   * person once and never again; null where the passphrase was only changed, and the old code stays good.
   */
  'unlock:setPassphrase': {
    answeredBy: 'main',
    input: z.object({ passphrase: unlockPassphrase, current: unlockPassphrase.optional() }),
    output: z.object({ recoveryCode: z.string().nullable() }),
  },
  /** From then on the keychain alone opens the profile. */
  'unlock:removePassphrase': {
    answeredBy: 'main',
    input: z.object({ current: unlockPassphrase }),
    output: done,
  },
  /** The old recovery code opens nothing any more. */
  'unlock:renewRecoveryCode': {
    answeredBy: 'main',
    input: z.object({ current: unlockPassphrase.optional() }),
    output: z.object({ recoveryCode: z.string() }),
  },
  /** Unlocks with the recovery code and sets a new passphrase. */
  'unlock:recover': {
    answeredBy: 'main',
    input: z.object({ code: recoveryCode, passphrase: unlockPassphrase }),
    output: done,
  },
} as const;
