import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runInSecretService, runProgram, type SecretServiceOptions } from '../../support/secret-service.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const getProfileDir = givenTempProfile();
const program = fileURLToPath(new URL('real-keychain-keys.ts', import.meta.url));

async function runActions(actions: string[], options: SecretServiceOptions): Promise<string[]> {
  const command = [process.execPath, program, getProfileDir(), ...actions];
  const { exitCode, stdout, stderr } = await runInSecretService(command, options);
  expect(exitCode, stderr).toBe(0);
  return stdout.trim().split('\n');
}

const keyId = expect.stringMatching(/^ed25519-/);

test('a key in the system keychain signs, and another keychain does not open it', async () => {
  expect(await runActions(['generate', 'sign'], { keyring: 'unlocked' })).toEqual([keyId, '3 parts']);
  // A new HOME has a new keyring: the entry is gone, the key file is there.
  expect(await runActions(['sign', 'generate'], { keyring: 'unlocked' })).toEqual([
    'keychain.entryMissing',
    'keychain.entryMissing',
  ]);
  expect(await readdir(join(getProfileDir(), 'keys'))).toHaveLength(1);
});

test('a locked keychain makes no key and leaves none', async () => {
  expect(await runActions(['generate'], { keyring: 'locked' })).toEqual(['keychain.locked']);
  expect(await readdir(getProfileDir())).not.toContain('keys');
});

test('without a keychain there is no key, and nothing in plain text', async () => {
  expect(await runActions(['generate'], { keyring: 'absent' })).toEqual(['keychain.missing']);
  expect(await readdir(getProfileDir())).not.toContain('keys');
});

test('the vault works without a keychain, and next to one', async () => {
  const environment = { CLAIMDESK_VAULT_PASSPHRASE: 'correct horse battery' };
  expect(await runActions(['generate', 'sign'], { keyring: 'absent', environment })).toEqual([
    keyId,
    '3 parts',
  ]);
  expect(await runActions(['sign'], { keyring: 'locked', environment })).toEqual(['3 parts']);
  expect(await runActions(['sign'], { keyring: 'unlocked' })).toEqual(['vault.passphraseNeeded']);
  const wrong = { ...process.env, CLAIMDESK_VAULT_PASSPHRASE: 'another passphrase' };
  const { stdout } = await runProgram([process.execPath, program, getProfileDir(), 'sign'], wrong);
  expect(stdout.trim()).toBe('vault.wrongPassphrase');
});
