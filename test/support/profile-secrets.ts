import type { Keychain } from '../../src/main/keychain/profile-key-ports.ts';
import type { Log } from '../../src/main/lib/log.ts';
import { createDeskSecrets } from '../../src/main/lock/desk-secrets.ts';

import { cheapCost } from './cheap-secrets.ts';

/**
 * The secrets of a profile as the desk opens them: with a passphrase, a keychain of the test, or the system's keychain.
 */
export function openProfileSecrets(
  profileDir: string,
  options: {
    passphrase?: string;
    keychain?: Keychain;
    isReadOnly?: boolean;
    nowMs?: () => number;
    log?: Pick<Log, 'write'>;
  } = {},
) {
  const { passphrase, keychain, isReadOnly = false, nowMs = () => Date.UTC(2026, 10, 22) } = options;
  return createDeskSecrets({
    profileDir,
    environment: { CLAIMDESK_VAULT_PASSPHRASE: passphrase },
    clock: { now: nowMs },
    isReadOnly,
    log: options.log ?? { write: () => undefined },
    keychain,
    scryptCost: cheapCost,
  });
}
