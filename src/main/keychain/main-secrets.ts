import type { MainCalls } from '../lib/engine-protocol.ts';
import { profilePaths } from '../lib/paths.ts';
import { openSealedFile } from './sealed-file.ts';
import { createSealedStore } from './sealed-store.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * The secrets as the engine reads and writes them, encrypted with the profile key from main. It requests the key once,
 * because an engine ends with the lock.
 */
export function openMainSecrets(profileDir: string, main: Pick<MainCalls, 'getProfileKey'>): SecretStore {
  let held: Promise<Buffer | null> | null = null;
  const ask = async (request: { mayMake: boolean }): Promise<Buffer | null> => {
    const key = await main.getProfileKey(request);
    return key === null ? null : Buffer.from(key);
  };
  const getKey = async (request: { mayMake: boolean }): Promise<Buffer | null> => {
    const heldKey = await held?.catch(() => null);
    if (heldKey !== undefined && heldKey !== null) return heldKey;
    held = ask(request);
    return held;
  };
  return {
    ...createSealedStore({ file: openSealedFile(profilePaths(profileDir)), getKey }),
    kind: 'keychain',
    getState: async () => 'ready',
  };
}
