import type { MainHandlers } from '../../contract/procedures.ts';
import { type DeskState, isSampleOnly } from '../desk/desk-state.ts';
import { readLock } from '../keychain/profile-key.ts';

/**
 * Answers the procedures about the lock: locking ends the engine and drops tokens and the profile key; unlocking opens
 * the key again by the keychain or a passphrase.
 */
export function createLockHandlers(
  state: DeskState,
  lock: { noteActivity(): void; lockNow(): Promise<void>; unlock(passphrase?: string): Promise<void> },
) {
  return {
    'lock:getState': async () => ({
      isLocked: state.isLocked,
      opensBy: (await isSampleOnly(state)) ? 'sample' : await state.secrets.findWhatOpens(),
      hasRecoveryCode: readLock(state.secrets.key).hasRecoveryCode,
    }),
    'lock:lock': async () => {
      await lock.lockNow();
      return { isDone: true };
    },
    'lock:unlock': async ({ passphrase }) => {
      await lock.unlock(passphrase);
      return { isDone: true };
    },
    'lock:noteActivity': () => {
      lock.noteActivity();
      return { isDone: true };
    },
  } satisfies MainHandlers;
}
