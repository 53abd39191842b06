import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vaultPassphrase } from './cheap-secrets.ts';
import { openProfileSecrets } from './profile-secrets.ts';

const known = new Map<string, Buffer>();

/** A secret of a test's profile; `{profile}` stands for the profile's id. */
export async function readProfileSecret(profileDir: string, account: string): Promise<Buffer> {
  const { id } = JSON.parse(await readFile(join(profileDir, 'profile.json'), 'utf8')) as { id: string };
  const name = `${profileDir} ${account}`;
  const held = known.get(name);
  if (held !== undefined) return held;
  const { store } = openProfileSecrets(profileDir, { passphrase: vaultPassphrase });
  const secret = await store.get(account.replace('{profile}', id));
  if (secret === null) throw new Error(`no secret ${account}`);
  // Cached, because checking a passphrase takes a third of a second of processor time.
  known.set(name, secret);
  return secret;
}
