import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  recover,
  removePassphrase,
  renewRecoveryCode,
  setPassphrase,
} from '../../../../src/main/keychain/change-unlock.ts';
import { getProfileId } from '../../../../src/main/keychain/profile-identity.ts';
import {
  closeProfileKey,
  destroyProfileKey,
  getProfileKey,
} from '../../../../src/main/keychain/profile-key.ts';
import { wrapByPassphrase } from '../../../../src/main/keychain/sealed-format.ts';
import { createEphemeralStore, type SecretStore } from '../../../../src/main/keychain/secret-store.ts';
import { endWaiting, readWaiting } from '../../../../src/main/keychain/waiting-for-audit.ts';
import { openProfileSecrets } from '../../../support/profile-secrets.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const folder = givenTempProfile();
const passphrase = 'correct horse battery';
const other = 'another long passphrase';
const copies = ['secrets.json', 'secrets-copy.json'];
const value = Buffer.from('planted-secret-value-0123456789ab');
let profileDir: string;
let keychain: SecretStore;
let nowMs: number;
beforeEach(() => {
  profileDir = join(folder(), 'profile');
  keychain = createEphemeralStore();
  nowMs = Date.UTC(2026, 10, 22);
});

const open = (options: Parameters<typeof openProfileSecrets>[1] = {}) =>
  openProfileSecrets(profileDir, { keychain, nowMs: () => nowMs, ...options });
const keyEntry = async () => keychain.get(`profile-key/${await getProfileId(profileDir)}`);
const lockedOut = { code: 'keychain.entryMissing' };

/** A keychain that says no from its nth change on, as a process that is killed there. */
function cutAt(changes: number, store: SecretStore): SecretStore {
  let left = changes;
  const cut = <A extends unknown[]>(act: (...args: A) => Promise<void>) => {
    return async (...args: A): Promise<void> => {
      left -= 1;
      if (left < 0) throw new Error('cut');
      await act(...args);
    };
  };
  return { ...store, set: cut(store.set), delete: cut(store.delete) };
}

describe('a new profile', () => {
  test('keeps its secrets in one file under one entry of the keychain', async () => {
    const { store } = open();
    expect(await store.get('a')).toBeNull();
    expect(existsSync(profileDir)).toBe(false);
    await store.set('a', value);
    await store.set('b', value);
    expect(await open().store.get('a')).toEqual(value);
    expect(await open().store.get('__proto__')).toBeNull();
    expect((await keyEntry())?.length).toBe(32);
    const path = join(profileDir, 'secrets.json');
    const text = await readFile(path, 'utf8');
    for (const clear of [value.toString(), value.toString('base64'), '"a"'])
      expect(text).not.toContain(clear);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await store.delete('a');
    await store.delete('never there');
    expect(await open().store.get('a')).toBeNull();
    expect(await open().store.get('b')).toEqual(value);
  });

  test('accepts a passphrase of twelve characters, and uses no keychain', async () => {
    keychain = { ...keychain, get: () => Promise.reject(new Error('touched')) };
    await expect(open({ passphrase: '12345678901' }).store.set('a', value)).rejects.toMatchObject({
      code: 'vault.weakPassphrase',
    });
    const { store } = open({ passphrase });
    expect(store.kind).toBe('vault');
    await store.set('a', value);
    expect(await open({ passphrase }).store.get('a')).toEqual(value);
    await expect(open().store.get('a')).rejects.toMatchObject({ code: 'vault.passphraseNeeded' });
  });

  test('makes a passphrase cost a third of a second and 128 MB to try', async () => {
    const wrap = await wrapByPassphrase(Buffer.alloc(32, 1), '0'.repeat(16), passphrase);
    expect(wrap.cost).toEqual({ n: 2 ** 17, r: 8, p: 1 });
  });

  test('no two writings have the same nonce', async () => {
    const { store } = open();
    const nonces = new Set<string>();
    for (let index = 0; index < 5; index += 1) {
      await store.set('a', value);
      nonces.add(JSON.parse(await readFile(join(profileDir, 'secrets.json'), 'utf8')).iv);
    }
    expect(nonces.size).toBe(5);
  });

  test('many simultaneous writes, by two that have it open, lose none', async () => {
    const [first, second] = [open().store, open().store];
    await first.set('begin', value);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? first : second).set(`n${index}`, value)),
    );
    for (let index = 0; index < 10; index += 1) expect(await first.get(`n${index}`)).toEqual(value);
  });

  test('two processes that make it at once make one key', async () => {
    const [first, second] = [open().store, open().store];
    await Promise.all([first.set('a', value), second.set('b', value)]);
    expect(await open().store.get('a')).toEqual(value);
    expect(await open().store.get('b')).toEqual(value);
  });
});

describe('a keychain that lost the entry', () => {
  beforeEach(async () => {
    await open().store.set('a', value);
    keychain = createEphemeralStore();
  });

  test('is reported, and no new key is made over what it protected', async () => {
    const before = await readFile(join(profileDir, 'secrets.json'), 'utf8');
    const { store } = open();
    await expect(store.get('a')).rejects.toMatchObject(lockedOut);
    await expect(store.set('b', value)).rejects.toMatchObject(lockedOut);
    expect(await keyEntry()).toBeNull();
    expect(await readFile(join(profileDir, 'secrets.json'), 'utf8')).toBe(before);
  });

  test('or has another one is reported as well', async () => {
    await keychain.set(`profile-key/${await getProfileId(profileDir)}`, Buffer.alloc(32, 3));
    await expect(open().store.set('a', value)).rejects.toMatchObject(lockedOut);
  });
});

test('a deleted file is not replaced while there is data, and opens again when it is restored', async () => {
  await open().store.set('a', value);
  await mkdir(join(profileDir, 'keys'));
  await writeFile(join(profileDir, 'keys', 'ed25519-1.json'), '{}');
  await cp(join(profileDir, 'secrets.json'), join(folder(), 'kept.json'));
  for (const name of copies) await rm(join(profileDir, name));
  expect(await open().store.get('a')).toBeNull();
  await expect(open().store.set('a', value)).rejects.toMatchObject(lockedOut);
  await cp(join(folder(), 'kept.json'), join(profileDir, 'secrets.json'));
  expect(await open().store.get('a')).toEqual(value);
});

describe('a damaged file is never told as a wrong passphrase, nor written over', () => {
  test('wherever a byte was changed', async () => {
    const { store } = open({ passphrase });
    await store.set('a', value);
    const path = join(profileDir, 'secrets.json');
    const intact = await readFile(path);
    for (let index = 0; index < intact.length - 1; index += Math.ceil(intact.length / 40)) {
      const bytes = Buffer.from(intact);
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      for (const name of copies) await writeFile(join(profileDir, name), bytes);
      await expect(open({ passphrase }).store.get('a'), `byte ${index}`).rejects.toMatchObject({
        code: 'vault.damaged',
      });
    }
  });

  test.each(['', '{"version":1', '[]', '{"version":2}'])('%j', async (text) => {
    await mkdir(profileDir);
    await writeFile(join(profileDir, 'secrets.json'), text);
    await expect(open({ passphrase }).store.set('a', value)).rejects.toMatchObject({ code: 'vault.damaged' });
    expect(await readFile(join(profileDir, 'secrets.json'), 'utf8')).toBe(text);
  });

  test('nor does a forged cost take all memory', async () => {
    await open({ passphrase }).store.set('a', value);
    const path = join(profileDir, 'secrets.json');
    const file = JSON.parse(await readFile(path, 'utf8'));
    file.passphrase.cost.n = 2 ** 40;
    for (const name of copies) await writeFile(join(profileDir, name), JSON.stringify(file));
    await expect(open({ passphrase }).store.get('a')).rejects.toMatchObject({ code: 'vault.damaged' });
  });
});

describe('a passphrase', () => {
  const set = async () => {
    const { store, key } = open();
    await store.set('a', value);
    return (await setPassphrase(key, { passphrase })) as string;
  };

  test('takes the entry out of the keychain and is asked for from then on', async () => {
    const code = await set();
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await keyEntry()).toBeNull();
    await expect(open().store.get('a')).rejects.toMatchObject({ code: 'vault.passphraseNeeded' });
    expect(await open({ passphrase }).store.get('a')).toEqual(value);
    expect(open().needsPassphrase()).toBe(true);
    const text = await readFile(join(profileDir, 'secrets.json'), 'utf8');
    for (const clear of [passphrase, code, code.replaceAll('-', '')]) expect(text).not.toContain(clear);
  });

  test('and recovery code open a copy of the folder elsewhere, its keychain empty', async () => {
    const code = await set();
    profileDir = join(folder(), 'elsewhere');
    await cp(join(folder(), 'profile'), profileDir, { recursive: true });
    keychain = createEphemeralStore();
    expect(await open({ passphrase }).store.get('a')).toEqual(value);
    const desk = open();
    await recover(desk.key, { code: code.toLowerCase().replaceAll('-', ' '), passphrase: other });
    expect(await desk.store.get('a')).toEqual(value);
    expect(await open({ passphrase: other }).store.get('a')).toEqual(value);
    await expect(open({ passphrase }).store.get('a')).rejects.toMatchObject({
      code: 'vault.wrongPassphrase',
    });
  });

  test('is changed by someone who knows it; the code stays valid, another one replaces it', async () => {
    const code = await set();
    const { key } = open();
    await expect(setPassphrase(key, { passphrase: other })).rejects.toMatchObject({
      code: 'vault.passphraseNeeded',
    });
    await expect(setPassphrase(key, { passphrase: other, current: 'no' })).rejects.toMatchObject({
      code: 'vault.wrongPassphrase',
    });
    await expect(setPassphrase(key, { passphrase: 'short', current: passphrase })).rejects.toMatchObject({
      code: 'vault.weakPassphrase',
    });
    expect(await setPassphrase(key, { passphrase: other, current: passphrase })).toBeNull();
    const renewed = await renewRecoveryCode(key, other);
    await expect(recover(open().key, { code, passphrase })).rejects.toMatchObject({
      code: 'unlock.wrongCode',
    });
    await recover(open().key, { code: renewed, passphrase });
    expect(await open({ passphrase }).store.get('a')).toEqual(value);
  });

  test('is removed: the keychain opens again, or the code if that is lost', async () => {
    const code = await set();
    await removePassphrase(open().key, passphrase);
    expect(open().needsPassphrase()).toBe(false);
    expect(await open().store.get('a')).toEqual(value);
    keychain = createEphemeralStore();
    const desk = open();
    await expect(desk.open()).rejects.toMatchObject({ code: 'keychain.recoverable' });
    await expect(open().store.get('a')).rejects.toMatchObject({ code: 'keychain.recoverable' });
    await recover(desk.key, { code, passphrase: other });
    expect(await open({ passphrase: other }).store.get('a')).toEqual(value);
  });

  test('opens the profile if set, otherwise the keychain does, or nothing while there is no secret', async () => {
    expect(await open().findWhatOpens()).toBe('nothing');
    await set();
    expect(await open().findWhatOpens()).toBe('passphrase');
    await removePassphrase(open().key, passphrase);
    expect(await open().findWhatOpens()).toBe('keychain');
  });

  test('being set or removed can be interrupted anywhere, and the profile opens one way or the other', async () => {
    for (const act of ['set', 'remove'] as const) {
      for (let changes = 0; changes < 3; changes += 1) {
        await rm(profileDir, { recursive: true, force: true });
        keychain = createEphemeralStore();
        await open().store.set('a', value);
        if (act === 'remove') await setPassphrase(open().key, { passphrase });
        const real = keychain;
        keychain = cutAt(changes, real);
        const { key } = open();
        await (act === 'set' ? setPassphrase(key, { passphrase }) : removePassphrase(key, passphrase)).catch(
          () => undefined,
        );
        keychain = real;
        const isAsked = open().needsPassphrase();
        expect(await open(isAsked ? { passphrase } : {}).store.get('a')).toEqual(value);
        // A profile that asks for a passphrase leaves no way around it.
        expect((await keyEntry()) === null).toBe(isAsked);
      }
    }
  });

  test('can’t be removed without a keychain to store the key in', async () => {
    await open({ passphrase }).store.set('a', value);
    keychain = { ...keychain, set: () => Promise.reject(new Error('no keychain')) };
    await expect(removePassphrase(open().key, passphrase)).rejects.toMatchObject({ code: 'internal.fault' });
    expect(await open({ passphrase }).store.get('a')).toEqual(value);
  });

  test('typed on another system is the same', async () => {
    await open({ passphrase: 'pässword-e\u0301-long' }).store.set('a', value);
    expect(await open({ passphrase: 'pa\u0308ssword-\u00e9-long' }).store.get('a')).toEqual(value);
  });

  test('given at the start is one try, however often a secret is needed, and is not used again after a lock', async () => {
    await set();
    const wrong = open({ passphrase: 'not this one' });
    for (let index = 0; index < 6; index += 1)
      await expect(wrong.store.get('a')).rejects.toMatchObject({ code: 'vault.wrongPassphrase' });
    const right = open({ passphrase });
    expect(await right.store.get('a')).toEqual(value);
    right.close();
    expect(right.isOpen()).toBe(false);
    await expect(right.store.get('a')).rejects.toMatchObject({ code: 'vault.passphraseNeeded' });
    await right.open(passphrase);
    expect(await right.store.get('a')).toEqual(value);
  });

  test('and everything else is destroyed without being asked for', async () => {
    await set();
    await destroyProfileKey(open().key);
    const names = await readdir(profileDir);
    expect(names.filter((name) => copies.includes(name))).toEqual([]);
  });
});

describe('wrong tries', () => {
  const wrong = { code: 'vault.wrongPassphrase' };
  let code: string;
  beforeEach(async () => {
    const { store, key } = open();
    await store.set('a', value);
    code = (await setPassphrase(key, { passphrase })) as string;
  });
  const fail = (typed = 'not this one') => open().open(typed);
  const failTimes = async (times: number) => {
    for (let index = 0; index < times; index += 1) {
      await expect(fail()).rejects.toMatchObject(wrong);
      nowMs += 60_000;
    }
  };

  test('wait from the fourth on, doubling up to a minute, also after a restart', async () => {
    for (const [tries, waitSeconds] of [
      [3, 1],
      [5, 4],
      [9, 60],
    ] as const) {
      await rm(join(profileDir, 'unlock-tries.json'), { force: true });
      await failTimes(tries);
      nowMs -= 60_000;
      await expect(fail()).rejects.toMatchObject({ code: 'unlock.tooManyTries', details: { waitSeconds } });
      // Not even the right one is tried too early.
      await expect(fail(passphrase)).rejects.toMatchObject({ code: 'unlock.tooManyTries' });
      nowMs += waitSeconds * 1000;
    }
    await fail(passphrase);
    await expect(fail()).rejects.toMatchObject(wrong);
  });

  test('with a recovery code count as well; a typing error does not', async () => {
    const recoverBy = (typed: string) => recover(open().key, { code: typed, passphrase: other });
    const slipped = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`;
    for (const typed of [slipped, 'abcd', '', code.slice(5)])
      await expect(recoverBy(typed)).rejects.toMatchObject({ code: 'unlock.badCode' });
    const stale = await renewRecoveryCode(open().key, passphrase);
    await renewRecoveryCode(open().key, passphrase);
    for (let index = 0; index < 3; index += 1)
      await expect(recoverBy(stale)).rejects.toMatchObject({ code: 'unlock.wrongCode' });
    await expect(recoverBy(stale)).rejects.toMatchObject({ code: 'unlock.tooManyTries' });
  });

  test('a clock that was set back makes no one wait longer than a minute', async () => {
    await failTimes(4);
    nowMs -= 365 * 86_400_000;
    await expect(fail(passphrase)).rejects.toMatchObject({ code: 'unlock.tooManyTries' });
    nowMs += 60_000;
    await fail(passphrase);
  });

  test('are told once at the next unlock, and a count that was lowered or deleted is noticed', async () => {
    const path = join(profileDir, 'unlock-tries.json');
    const unlock = async () => {
      const desk = open();
      await desk.open(passphrase);
      const waiting = await readWaiting(desk.key);
      if (waiting !== null) await endWaiting(desk.key);
      return waiting?.failed ?? null;
    };
    expect(await unlock()).toBeNull();
    const firstAtMs = nowMs;
    await failTimes(2);
    expect(await unlock()).toEqual({
      ...{ count: 2, isCountIntact: true, firstAtMs },
      lastAtMs: firstAtMs + 60_000,
    });
    expect(await unlock()).toBeNull();
    await failTimes(2);
    const { count, ...tries } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...tries, count: count - 1 }));
    expect(await unlock()).toMatchObject({ count: 1, isCountIntact: false });
    await rm(path);
    expect(await unlock()).toMatchObject({ count: 0, isCountIntact: false });
    expect(await unlock()).toBeNull();
  });
});

test('a key that arrives after a lock is not kept', async () => {
  await open().store.set('a', value);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const slow: SecretStore = { ...keychain, get: (account) => arrived.then(() => keychain.get(account)) };
  const { key, store } = open({ keychain: slow });
  const asked = getProfileKey(key, { mayMake: false });
  await Promise.resolve();
  await new Promise(setImmediate);
  closeProfileKey(key);
  arrive();
  await expect(asked).rejects.toMatchObject({ code: 'app.locked' });
  expect(key.held).toBeNull();
  expect(await store.get('a')).toEqual(value);
});
