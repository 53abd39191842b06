import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openVaultStore } from '../../src/main/keychain/vault-store.ts';
import { vaultPassphrase } from './cli-run.ts';

const known = new Map<string, Buffer>();

/** A secret of a test's profile, out of its vault; `{profile}` stands for the profile's id. */
export async function readVaultSecret(profileDir: string, account: string): Promise<Buffer> {
  const { id } = JSON.parse(await readFile(join(profileDir, 'profile.json'), 'utf8')) as { id: string };
  const name = `${profileDir} ${account}`;
  const held = known.get(name);
  if (held !== undefined) return held;
  const vault = await openVaultStore({
    filePath: join(profileDir, 'vault.json'),
    passphrase: vaultPassphrase,
  });
  const secret = await vault.get(account.replace('{profile}', id));
  if (secret === null) throw new Error(`no secret ${account}`);
  // Opening a vault takes a third of a second of a core.
  known.set(name, secret);
  return secret;
}
