import fs from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { recover, removePassphrase, setPassphrase } from '../../../../src/main/keychain/change-unlock.ts';
import { getProfileId } from '../../../../src/main/keychain/profile-identity.ts';
import { createEphemeralStore, type SecretStore } from '../../../../src/main/keychain/secret-store.ts';
import { openProfileSecrets } from '../../../support/profile-secrets.ts';
import { mountSmallDisk } from '../../../support/small-disk.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const folder = givenTempProfile();
const passphrase = 'correct horse battery';
const other = 'another long passphrase';
const value = Buffer.from('planted-secret-value-0123456789ab');
const copies = ['secrets.json', 'secrets-copy.json'] as const;
let profileDir: string;
let keychain: SecretStore;
let logged: unknown[];
beforeEach(() => {
  profileDir = join(folder(), 'profile');
  keychain = createEphemeralStore();
  logged = [];
});

const open = (options: Parameters<typeof openProfileSecrets>[1] = {}) =>
  openProfileSecrets(profileDir, {
    keychain,
    log: { write: (event, fields) => void logged.push({ event, ...fields }) },
    ...options,
  });
const at = (name: string): string => join(profileDir, name);
const read = (name: string): Promise<string> => readFile(at(name), 'utf8');
const isEqual = async (): Promise<boolean> => (await read(copies[0])) === (await read(copies[1]));
const mended = { event: 'keychain.secretsMended', code: 'vault.damaged' };

/** A profile under a passphrase; resolves to its recovery code. */
async function givenPassphrase(): Promise<string> {
  const { store, key } = open();
  await store.set('a', value);
  return (await setPassphrase(key, { passphrase })) as string;
}

describe.each([...copies])('while %s is damaged or deleted', (name) => {
  test('the other one opens the profile, replaces it, and the log has the code', async () => {
    await givenPassphrase();
    const intact = await readFile(at(name));
    const damages: ((bytes: Buffer) => Buffer)[] = [
      () => Buffer.alloc(0),
      (bytes) => bytes.subarray(0, bytes.length / 2),
      (bytes) => Buffer.alloc(bytes.length),
    ];
    for (let index = 0; index < intact.length - 1; index += Math.ceil(intact.length / 20))
      damages.push((bytes) => {
        bytes[index] = (bytes[index] ?? 0) ^ 1;
        return bytes;
      });
    for (const [index, damage] of damages.entries()) {
      await writeFile(at(name), damage(Buffer.from(intact)));
      logged = [];
      expect(await open({ passphrase }).store.get('a'), `damage ${index}`).toEqual(value);
      expect(logged).toEqual([mended]);
      expect(await isEqual()).toBe(true);
    }
    await rm(at(name));
    expect(await open({ passphrase }).store.get('a')).toEqual(value);
    expect(await isEqual()).toBe(true);
  });

  test('the recovery code opens it, and an old passphrase no longer does', async () => {
    const code = await givenPassphrase();
    await setPassphrase(open().key, { passphrase: other, current: passphrase });
    await writeFile(at(name), 'damaged');
    await expect(open({ passphrase }).store.get('a')).rejects.toMatchObject({
      code: 'vault.wrongPassphrase',
    });
    await writeFile(at(name), 'damaged');
    const desk = open();
    await recover(desk.key, { code, passphrase: 'a third long passphrase' });
    expect(await desk.store.get('a')).toEqual(value);
    expect(await isEqual()).toBe(true);
  });

  test('a reader opens it too and writes nothing', async () => {
    await givenPassphrase();
    await writeFile(at(name), 'damaged');
    const before = await readdir(profileDir);
    const desk = open({ passphrase, isReadOnly: true });
    expect(desk.needsPassphrase()).toBe(true);
    expect(await desk.store.get('a')).toEqual(value);
    expect([await readdir(profileDir), await read(name), logged]).toEqual([before, 'damaged', []]);
  });

  test('a full disk does not prevent opening it', async () => {
    const disk = mountSmallDisk(1);
    onTestFinished(disk.remove);
    profileDir = join(disk.path, 'profile');
    await givenPassphrase();
    await writeFile(at(name), 'damaged');
    const freeSpace = disk.fill();
    expect(await open({ passphrase }).store.get('a')).toEqual(value);
    freeSpace();
    expect(await open({ passphrase }).store.get('a')).toEqual(value);
    expect(await isEqual()).toBe(true);
  });

  test('a secret that is stored then is in both', async () => {
    const { store } = open();
    await store.set('a', value);
    await writeFile(at(name), 'damaged');
    await store.set('b', value);
    expect(await isEqual()).toBe(true);
    expect(await open().store.get('a')).toEqual(value);
    expect(await open().store.get('b')).toEqual(value);
  });
});

test('a profile with one copy, as version 0.2 wrote it, gets its second at the first start', async () => {
  await givenPassphrase();
  await rm(at('secrets-copy.json'));
  expect(await open({ passphrase }).store.get('a')).toEqual(value);
  expect(await isEqual()).toBe(true);
  expect(logged).toEqual([]);
});

/**
 * Copies the profile before each step that makes, renames or deletes a file of secrets, and at the end. A process that is
 * killed there leaves just that.
 */
async function snapshotEachStep(act: () => Promise<unknown>) {
  const account = `profile-key/${await getProfileId(profileDir)}`;
  const taken: { path: string; entries: [string, Buffer][] }[] = [];
  const real = { ...fs.promises };
  const snapshot = async (): Promise<void> => {
    const path = join(folder(), `step-${taken.length}`);
    const entry = await keychain.get(account);
    taken.push({ path, entries: entry === null ? [] : [[account, entry]] });
    await real.cp(profileDir, path, { recursive: true });
    // The process that holds it is this one, which goes on.
    await real.rm(join(path, 'secrets.json.lease'), { recursive: true });
  };
  const around =
    <A extends unknown[], R>(step: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (!basename(String(args[0])).includes('secrets') || args[1] === 'r') return step(...args);
      await snapshot();
      return step(...args);
    };
  const { open: openFile, rename, unlink } = real;
  Object.assign(fs.promises, { open: around(openFile), rename: around(rename), unlink: around(unlink) });
  syncBuiltinESMExports();
  try {
    await act();
    await snapshot();
  } finally {
    Object.assign(fs.promises, real);
    syncBuiltinESMExports();
  }
  return taken;
}

describe('killed at each step', () => {
  const acts = {
    'of a new secret': () => open({ passphrase }).store.set('b', value),
    'of a new passphrase': () => setPassphrase(open().key, { passphrase: other, current: passphrase }),
    'of a removal of the passphrase': () => removePassphrase(open().key, passphrase),
    'of the replacement of a damaged copy': async () => {
      await writeFile(at('secrets.json'), 'damaged');
      await open({ passphrase }).store.get('a');
    },
  };

  test.each(Object.entries(acts))('%s', async (_, act) => {
    const code = await givenPassphrase();
    const whole = profileDir;
    const taken = await snapshotEachStep(act);
    expect(taken.length).toBeGreaterThan(2);
    for (const [step, { path, entries }] of taken.entries()) {
      for (const lost of [null, ...copies]) {
        profileDir = join(folder(), 'killed');
        keychain = createEphemeralStore(entries);
        await cp(path, profileDir, { recursive: true });
        // Where the act began with a damaged copy, only that one is.
        if (lost !== null && !(await isDamaged())) await writeFile(at(lost), 'damaged');
        const found = open().needsPassphrase() ? await openByEither() : await open().store.get('a');
        expect(found, `step ${step}, ${lost} damaged`).toEqual(value);
        await recover(open().key, { code, passphrase });
        expect(await isEqual()).toBe(true);
        await rm(profileDir, { recursive: true });
      }
    }
    profileDir = whole;
    expect(await isEqual()).toBe(true);
  });

  const isDamaged = async (): Promise<boolean> =>
    (await Promise.all(copies.map(read))).some((text) => text === 'damaged');
  const openByEither = async (): Promise<Buffer | null> =>
    open({ passphrase })
      .store.get('a')
      .catch(() => open({ passphrase: other }).store.get('a'));
});
