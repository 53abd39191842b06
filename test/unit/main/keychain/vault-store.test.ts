import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVaultStore, openVaultStore } from '../../../../src/main/keychain/vault-store.ts';
import { givenCheapVault, vaultPassphrase as passphrase } from '../../../support/cheap-vault.ts';

let folder: string;
let filePath: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claimdesk-vault-'));
  filePath = join(folder, 'profile', 'vault.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (given = passphrase) => openVaultStore({ filePath, passphrase: given });

const value = Buffer.from('planted-secret-value-0123456789ab');

/** A vault with a secret, cheap to open; the first test makes one of the usual cost. */
async function givenVault(): Promise<void> {
  givenCheapVault(join(folder, 'profile'));
  await (await open()).set('a', value);
}

test('keeps secrets over runs, for its owner alone, and not in clear', async () => {
  await (await open()).set('a', value);
  const again = await open();
  expect(await again.get('a')).toEqual(value);
  expect(await again.get('b')).toBeNull();
  expect(await again.get('__proto__')).toBeNull();
  expect(await again.getState()).toBe('ready');
  const text = await readFile(filePath, 'utf8');
  for (const clear of [value.toString(), value.toString('base64'), passphrase])
    expect(text).not.toContain(clear);
  expect((await stat(filePath)).mode & 0o777).toBe(0o600);
});

test('forgets what is deleted, and does not mind what is not there', async () => {
  await givenVault();
  const vault = await open();
  await vault.delete('b');
  await vault.delete('a');
  expect(await vault.get('a')).toBeNull();
});

test('no two writings have the same nonce', async () => {
  await givenVault();
  const vault = await open();
  const nonces = new Set<string>();
  for (let index = 0; index < 5; index += 1) {
    await vault.set('a', Buffer.from('same'));
    nonces.add(JSON.parse(await readFile(filePath, 'utf8')).iv);
  }
  expect(nonces.size).toBe(5);
});

describe('a wrong passphrase', () => {
  test('is told at opening, and the file is as it was', async () => {
    await givenVault();
    const before = await readFile(filePath, 'utf8');
    await expect(open('another passphrase')).rejects.toMatchObject({ code: 'vault.wrongPassphrase' });
    expect(await readFile(filePath, 'utf8')).toBe(before);
  });

  test('is told at each call of a vault that opens late', async () => {
    await givenVault();
    const vault = createVaultStore({ filePath, passphrase: 'another passphrase' });
    const wrong = { code: 'vault.wrongPassphrase' };
    expect(await vault.getState()).toBe('locked');
    await expect(vault.get('a')).rejects.toMatchObject(wrong);
    await expect(vault.set('a', Buffer.from('x'))).rejects.toMatchObject(wrong);
    await expect(vault.delete('a')).rejects.toMatchObject(wrong);
  });
});

test('a passphrase typed on another system opens it', async () => {
  await (await open('pässword-e\u0301')).set('a', Buffer.from('x'));
  expect(await (await open('pa\u0308ssword-\u00e9')).get('a')).toEqual(Buffer.from('x'));
});

test('a new vault wants eight characters, an old one takes what it was made with', async () => {
  await expect(open('1234567')).rejects.toMatchObject({ code: 'vault.weakPassphrase' });
  const late = createVaultStore({ filePath, passphrase: '1234567' });
  expect(await late.get('a')).toBeNull();
  await expect(late.set('a', Buffer.from('x'))).rejects.toMatchObject({ code: 'vault.weakPassphrase' });
  expect(await readdir(join(folder, 'profile')).catch(() => [])).not.toContain('vault.json');
});

describe('a damaged file is never told as a wrong passphrase', () => {
  test('wherever a byte was changed', async () => {
    await givenVault();
    const intact = await readFile(filePath);
    const step = Math.ceil(intact.length / 60);
    for (let index = 0; index < intact.length - 1; index += step) {
      const bytes = Buffer.from(intact);
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      await writeFile(filePath, bytes);
      await expect(open(), `byte ${index}`).rejects.toMatchObject({ code: 'vault.damaged' });
    }
  });

  test.each([
    ['empty', ''],
    ['cut off', '{"version":1,"kdf":"scrypt"'],
    ['another thing', '[]'],
    ['of a version to come', '{"version":2}'],
  ])('%s', async (_, text) => {
    await givenVault();
    await writeFile(filePath, text);
    await expect(open()).rejects.toMatchObject({ code: 'vault.damaged' });
    await expect(
      (async () => createVaultStore({ filePath, passphrase }).set('b', Buffer.from('x')))(),
    ).rejects.toMatchObject({ code: 'vault.damaged' });
    expect(await readFile(filePath, 'utf8')).toBe(text);
  });

  test('nor does a forged cost take all memory', async () => {
    await givenVault();
    const file = JSON.parse(await readFile(filePath, 'utf8'));
    file.cost.n = 2 ** 40;
    await writeFile(filePath, JSON.stringify(file));
    await expect(open()).rejects.toMatchObject({ code: 'vault.damaged' });
  });
});

test('many writes at once, in this process and in another, lose none', async () => {
  await givenVault();
  const vault = await open();
  const modulePath = fileURLToPath(new URL('../../../../src/main/keychain/vault-store.ts', import.meta.url));
  const program = `
    const { createVaultStore } = await import(${JSON.stringify(modulePath)});
    const [filePath, passphrase] = process.argv.slice(1);
    const vault = createVaultStore({ filePath, passphrase });
    for (let index = 0; index < 10; index += 1) await vault.set('theirs ' + index, Buffer.from('x'));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, filePath, passphrase], {
    stdio: 'inherit',
  });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  for (let index = 0; index < 10; index += 1) await vault.set(`ours ${index}`, Buffer.from('x'));
  expect(await exited).toBe(0);
  const reader = await open();
  for (let index = 0; index < 10; index += 1) {
    expect(await reader.get(`ours ${index}`)).not.toBeNull();
    expect(await reader.get(`theirs ${index}`)).not.toBeNull();
  }
});
