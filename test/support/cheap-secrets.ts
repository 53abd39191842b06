import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type ScryptCost, usualScryptCost } from '../../src/main/keychain/passphrase-key.ts';
import { sealContent, wrapByPassphrase } from '../../src/main/keychain/sealed-format.ts';
import { profilePaths } from '../../src/main/lib/paths.ts';

/** The unlock passphrase of every profile in these tests. */
export const vaultPassphrase = 'correct horse battery staple';

/**
 * The smallest allowed cost of deriving a key: at the usual cost, a hundred commands would spend half a minute on it.
 */
export const cheapCost = { n: 2 ** 14, r: 8, p: 1 };
const profileKey = Buffer.alloc(32, 9);
const id = '0123456789abcdef';
async function makeSecrets(cost: ScryptCost): Promise<string> {
  const passphrase = await wrapByPassphrase(profileKey, id, vaultPassphrase, cost);
  return sealContent(
    { version: 1, id, inKeychain: false, passphrase, recovery: null },
    { secrets: {}, leftovers: [], tries: null },
    profileKey,
  );
}

const cheapText = await makeSecrets(cheapCost);

function writeSecrets(profileDir: string, text: string): void {
  const { secrets } = profilePaths(profileDir);
  if (existsSync(secrets)) return;
  mkdirSync(profileDir, { recursive: true, mode: 0o700 });
  writeFileSync(secrets, text, { mode: 0o600 });
}

/** Gives a profile without secrets an unlock passphrase that takes little time to check. */
export const givenCheapSecrets = (profileDir: string): void => writeSecrets(profileDir, cheapText);

/**
 * The same at the usual cost. For measurements of memory: after a cheap derivation glibc keeps its 16 MB in each thread
 * of libuv's pool, after a usual one none of its 128 MB.
 */
export const givenUsualSecrets = async (profileDir: string): Promise<void> =>
  writeSecrets(profileDir, await makeSecrets(usualScryptCost));
