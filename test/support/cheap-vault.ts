import { scryptSync } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { sealVault } from '../../src/main/keychain/vault-format.ts';
import { profilePaths } from '../../src/main/lib/paths.ts';

/** The passphrase of every vault in these tests. */
export const vaultPassphrase = 'correct horse battery staple';

const salt = Buffer.alloc(32, 9);
/** The least that a vault may cost: a hundred commands would else derive keys for half a minute. */
const cost = { n: 2 ** 14, r: 8, p: 1 };
const derived = scryptSync(vaultPassphrase, salt, 64, { N: cost.n, r: cost.r, p: cost.p });
const { text } = await sealVault({}, vaultPassphrase, {
  salt: salt.toString('base64'),
  cost,
  encryption: derived.subarray(0, 32),
  recognition: derived.subarray(32),
});

/** Puts an empty vault into a profile that has none; commands keep its salt and cost. */
export function givenCheapVault(profileDir: string): void {
  const { vault } = profilePaths(profileDir);
  if (existsSync(vault)) return;
  mkdirSync(profileDir, { recursive: true, mode: 0o700 });
  writeFileSync(vault, text, { mode: 0o600 });
}
