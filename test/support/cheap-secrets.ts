import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type ScryptCost, usualScryptCost } from '../../src/main/keychain/passphrase-key.ts';
import { sealContent, wrapByPassphrase } from '../../src/main/keychain/sealed-format.ts';
import { profilePaths } from '../../src/main/lib/paths.ts';

/** The unlock passphrase of every profile in these tests. */
export const vaultPassphrase = 'correct horse battery staple';

/** The least that a passphrase may cost: a hundred commands would else derive keys for half a minute. */
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

/** Gives a profile that has no secrets yet an unlock passphrase that is cheap to try. */
export const givenCheapSecrets = (profileDir: string): void => writeSecrets(profileDir, cheapText);

/**
 * The same at the cost that the app uses. Where memory is measured: of a cheap derivation's 16 MB glibc keeps those of
 * each thread of libuv's pool, of the usual 128 MB none.
 */
export const givenUsualSecrets = async (profileDir: string): Promise<void> =>
  writeSecrets(profileDir, await makeSecrets(usualScryptCost));
