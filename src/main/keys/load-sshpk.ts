import { createRequire } from 'node:module';
import type sshpk from 'sshpk';

let loaded: typeof sshpk | null = null;

/**
 * Loads sshpk with the first key that needs it: its modules take 28 ms of main's processor time, and a start needs
 * none.
 */
export function loadSshpk(): typeof sshpk {
  loaded ??= createRequire(import.meta.url)('sshpk') as typeof sshpk;
  return loaded;
}
