import { existsSync } from 'node:fs';
import type { MainHandlers } from '../../contract/procedures.ts';
import { requireConfirmed } from '../desk/confirm.ts';
import type { DeskState } from '../desk/desk-state.ts';
import { isSpaceEmpty } from '../desk/spaces.ts';
import { recover, removePassphrase, renewRecoveryCode, setPassphrase } from '../keychain/change-unlock.ts';
import { readLock } from '../keychain/profile-key.ts';
import { DeskError } from '../lib/errors.ts';
import { logFailure } from '../lib/log-failure.ts';
import { profilePaths } from '../lib/paths.ts';

/**
 * Answers the procedures about the unlock passphrase and the recovery code. `unlocked` is called after a recovery code
 * has opened the profile.
 */
export function createUnlockHandlers(state: DeskState, unlocked: () => Promise<void>) {
  const { key } = state.secrets;
  const requireWriting = (): void => {
    if (state.ports.isReadOnly) throw new DeskError('profile.busy');
  };
  /** Seals the reachable backups elsewhere with a new recovery code. */
  const sealBackups = <T>(made: T): T => {
    if (existsSync(profilePaths(state.ports.profileDir).backups))
      void state
        .getEngine()
        .then((engine) => engine.backUpIfDue())
        .catch((thrown) => logFailure(state.ports.log, 'app.failed', thrown));
    return made;
  };
  return {
    'unlock:getState': () => {
      const { kind, hasRecoveryCode } = readLock(key);
      return {
        // A passphrase that was given at the start will protect a profile that has no secrets yet.
        hasPassphrase: kind === 'passphrase' || state.real.secrets.kind === 'vault',
        hasRecoveryCode,
        isPassphraseShort: key.isPassphraseShort,
      };
    },
    'unlock:setPassphrase': async (typed) => {
      requireWriting();
      // Otherwise a compromised page could set a passphrase and lock the user out. Changing one requires the old one.
      if (readLock(key).kind !== 'passphrase' && !(await isSpaceEmpty(state.real))) {
        await requireConfirmed(state, {
          message: 'Set an unlock passphrase?',
          detail:
            'From then on this profile opens only with that passphrase or the recovery code. Without both, notes and SSH keys are lost.',
          action: 'Set passphrase',
        });
        await state.recordFirst({ action: 'unlock.passphraseSet', workspaceId: null, details: {} });
      }
      return sealBackups({ recoveryCode: await setPassphrase(key, typed) });
    },
    'unlock:removePassphrase': async ({ current }) => {
      requireWriting();
      if (state.ports.policy.requireUnlockPassphrase === true) throw new DeskError('policy.passphraseKept');
      await removePassphrase(key, current);
      return { isDone: true };
    },
    'unlock:renewRecoveryCode': async ({ current }) => {
      requireWriting();
      return sealBackups({ recoveryCode: await renewRecoveryCode(key, current) });
    },
    'unlock:recover': async (typed) => {
      requireWriting();
      await recover(key, typed);
      await unlocked();
      return { isDone: true };
    },
  } satisfies MainHandlers;
}
