import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Which computer this is: `id` tells computers apart and says nothing else, `name` is for people. */
export interface HostIdentity {
  readonly id: string;
  readonly name: string;
}

/**
 * The computer of this process. Linux: by its machine id, hashed, as its manual page asks; elsewhere, and where there
 * is none, by its name, so that a computer that was renamed counts as another one.
 */
export async function readHostIdentity(): Promise<HostIdentity> {
  const name = hostname();
  const machineId = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  const id = createHash('sha256')
    .update(`claimdesk ${machineId.trim() || name}`)
    .digest('hex')
    .slice(0, 32);
  return { id, name };
}
