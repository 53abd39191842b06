import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { sealContent, wrapByPassphrase } from '../../src/main/keychain/sealed-format.ts';
import { profilePaths } from '../../src/main/lib/paths.ts';

/** The unlock passphrase of every profile in these tests. */
export const vaultPassphrase = 'correct horse battery staple';

/** The least that a passphrase may cost: a hundred commands would else derive keys for half a minute. */
export const cheapCost = { n: 2 ** 14, r: 8, p: 1 };
const profileKey = Buffer.alloc(32, 9);
const id = '0123456789abcdef';
const passphrase = await wrapByPassphrase(profileKey, id, vaultPassphrase, cheapCost);
const text = sealContent(
  { version: 1, id, inKeychain: false, passphrase, recovery: null },
  { secrets: {}, leftovers: [], tries: null },
  profileKey,
);

/** Gives a profile that has no secrets yet an unlock passphrase that is cheap to try. */
export function givenCheapSecrets(profileDir: string): void {
  const { secrets, vault } = profilePaths(profileDir);
  if (existsSync(secrets) || existsSync(vault)) return;
  mkdirSync(profileDir, { recursive: true, mode: 0o700 });
  writeFileSync(secrets, text, { mode: 0o600 });
}
