import { mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type KeyType, keyTypes } from '../../../../src/contract/ssh-keys.ts';
import { createEphemeralStore, type SecretStore } from '../../../../src/main/keychain/secret-store.ts';
import { createKeyRing } from '../../../../src/main/keys/key-ring.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const getProfileDir = givenTempProfile();
const clock = { now: () => Date.UTC(2026, 2, 3) };

function openRing(secrets: SecretStore = createEphemeralStore()) {
  return { ring: createKeyRing({ profileDir: getProfileDir(), secrets, clock }), secrets };
}

const pathOf = (id: string) => join(getProfileDir(), 'keys', `${id}.json`);
const ed25519 = { type: 'ed25519' } as const;

/** Counts what is in the store, and can lock. */
function createWatchedStore() {
  const store = createEphemeralStore();
  const accounts = new Set<string>();
  const state = { isLocked: false };
  const guard = () => {
    if (state.isLocked) throw new DeskError('keychain.locked');
  };
  const watched: SecretStore = {
    ...store,
    get: async (account) => {
      guard();
      return store.get(account);
    },
    set: async (account, value) => {
      guard();
      accounts.add(account);
      await store.set(account, value);
    },
    delete: async (account) => {
      guard();
      accounts.delete(account);
      await store.delete(account);
    },
  };
  return { watched, accounts, state };
}

describe('making a key', () => {
  test.each(keyTypes.filter((type) => type !== 'rsa-4096'))('of type %s', async (type) => {
    const { ring } = openRing();
    const key = await ring.generate({ type, name: 'Front desk  PC' });
    expect(key).toMatchObject({
      type,
      bits: type === 'ed25519' ? 256 : Number(type.split('-')[1]),
      name: 'Front desk  PC',
      createdAt: '2026-03-03T00:00:00.000Z',
      lastSignedAt: null,
      provenAt: null,
    });
    expect(key.id).toMatch(new RegExp(`^${type}-[a-z0-9]{6}$`));
    expect(key.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
    expect(key.publicKey).toMatch(/^(ssh-|ecdsa-sha2-)\S+ \S+ Front-desk-PC$/);
    expect(await ring.list()).toEqual([key]);
    expect(await ring.get(key.id)).toEqual(key);
  });

  test('gives it a name if none is given, and one line whatever the name', async () => {
    const { ring } = openRing();
    expect((await ring.generate(ed25519)).name).toBe('Claimdesk 2026-03-03');
    expect((await ring.generate({ ...ed25519, name: ' \n ' })).name).toBe('Claimdesk 2026-03-03');
    const odd = await ring.generate({ ...ed25519, name: 'Zoë’s\nkey "ssh-rsa AAAA" 鍵' });
    expect(odd.publicKey.split(' ')).toHaveLength(3);
    expect(odd.publicKey).toMatch(/ Zoe-s-key-"ssh-rsa-AAAA"$/);
    expect((await ring.generate({ ...ed25519, name: '鍵' })).publicKey).toMatch(/ claimdesk$/);
  });

  test('of an unknown type is refused', async () => {
    const { ring } = openRing();
    await expect(ring.generate({ type: 'dsa' as KeyType })).rejects.toMatchObject({
      code: 'key.typeUnsupported',
    });
  });

  test('several at once share one wrapping key', async () => {
    const { watched, accounts } = createWatchedStore();
    const { ring } = openRing(watched);
    const keys = await Promise.all(Array.from({ length: 5 }, () => ring.generate(ed25519)));
    expect(accounts.size).toBe(1);
    for (const key of keys) expect((await ring.readPrivateJwk(key.id)).kty).toBe('OKP');
  });

  test('with a locked keychain leaves nothing', async () => {
    const { watched, state } = createWatchedStore();
    state.isLocked = true;
    const { ring } = openRing(watched);
    await expect(ring.generate(ed25519)).rejects.toMatchObject({ code: 'keychain.locked' });
    expect(await ring.list()).toEqual([]);
  });

  test('that is already here returns the existing one', async () => {
    const { ring } = openRing();
    const key = await ring.generate({ ...ed25519, name: 'First' });
    const jwk = await ring.readPrivateJwk(key.id);
    await expect(ring.add({ jwk, name: 'Second' })).rejects.toMatchObject({
      code: 'key.duplicate',
      details: { keyId: key.id, name: 'First' },
    });
    expect(await ring.list()).toHaveLength(1);
  });
});

describe('the private part', () => {
  test('is nowhere in the profile in plain text, and the files are only for their owner', async () => {
    const { ring } = openRing();
    const key = await ring.generate(ed25519);
    const { d } = await ring.readPrivateJwk(key.id);
    const text = await readFile(pathOf(key.id), 'utf8');
    expect(text).not.toContain(d);
    expect(text).not.toContain(Buffer.from(d, 'base64url').toString('base64'));
    expect(text).not.toContain(Buffer.from(d, 'base64url').toString('hex'));
    expect((await stat(pathOf(key.id))).mode & 0o777).toBe(0o600);
  });

  test('is there in another run', async () => {
    const { ring, secrets } = openRing();
    const key = await ring.generate(ed25519);
    expect(await openRing(secrets).ring.readPrivateJwk(key.id)).toEqual(await ring.readPrivateJwk(key.id));
  });

  test('is damaged if a byte of the blob changed', async () => {
    const { ring } = openRing();
    const { id } = await ring.generate(ed25519);
    const file = JSON.parse(await readFile(pathOf(id), 'utf8'));
    for (const part of ['iv', 'tag', 'data'] as const) {
      const bytes = Buffer.from(file.wrapped[part], 'base64');
      bytes[3] = (bytes[3] ?? 0) ^ 1;
      const changed = { ...file, wrapped: { ...file.wrapped, [part]: bytes.toString('base64') } };
      await writeFile(pathOf(id), JSON.stringify(changed));
      await expect(ring.readPrivateJwk(id), part).rejects.toMatchObject({
        code: 'key.damaged',
        details: { keyId: id },
      });
    }
  });

  test('does not open a shortened tag', async () => {
    const { ring } = openRing();
    const { id } = await ring.generate(ed25519);
    const file = JSON.parse(await readFile(pathOf(id), 'utf8'));
    file.wrapped.tag = Buffer.from(file.wrapped.tag, 'base64').subarray(0, 4).toString('base64');
    await writeFile(pathOf(id), JSON.stringify(file));
    await expect(ring.readPrivateJwk(id)).rejects.toMatchObject({ code: 'key.damaged' });
  });

  test('does not open in the file of another key', async () => {
    const { ring } = openRing();
    const [one, two] = [await ring.generate(ed25519), await ring.generate(ed25519)];
    const [fileOne, fileTwo] = await Promise.all(
      [one, two].map(async ({ id }) => JSON.parse(await readFile(pathOf(id), 'utf8'))),
    );
    await writeFile(pathOf(one.id), JSON.stringify({ ...fileOne, wrapped: fileTwo.wrapped }));
    await expect(ring.readPrivateJwk(one.id)).rejects.toMatchObject({ code: 'key.damaged' });
  });

  test('does not serve a public part that was exchanged', async () => {
    const { ring } = openRing();
    const [one, two] = [await ring.generate(ed25519), await ring.generate(ed25519)];
    const file = JSON.parse(await readFile(pathOf(one.id), 'utf8'));
    file.key = { ...file.key, fingerprint: two.fingerprint, publicKey: two.publicKey };
    await writeFile(pathOf(one.id), JSON.stringify(file));
    await expect(ring.readPrivateJwk(one.id)).rejects.toMatchObject({ code: 'key.damaged' });
  });
});

describe('a wrapping key that is gone', () => {
  test('is reported, and never made again while a key needs it', async () => {
    const { ring } = openRing();
    const { id } = await ring.generate(ed25519);
    const { watched, accounts } = createWatchedStore();
    const other = openRing(watched).ring;
    const removed = { code: 'keychain.entryMissing' };
    await expect(other.readPrivateJwk(id)).rejects.toMatchObject(removed);
    await expect(other.generate(ed25519)).rejects.toMatchObject(removed);
    expect(accounts.size).toBe(0);
    expect(await other.list()).toHaveLength(1);
  });

  test('counts even for a key file that can’t be read', async () => {
    await mkdir(join(getProfileDir(), 'keys'));
    const { ring } = openRing();
    const { id } = await ring.generate(ed25519);
    await writeFile(pathOf(id), 'damaged');
    const other = openRing().ring;
    await expect(other.generate(ed25519)).rejects.toMatchObject({ code: 'keychain.entryMissing' });
  });

  test('because the identity of the profile is missing, is reported as damage', async () => {
    const { ring, secrets } = openRing();
    const { id } = await ring.generate(ed25519);
    await unlink(join(getProfileDir(), 'profile.json'));
    const again = openRing(secrets).ring;
    await expect(again.readPrivateJwk(id)).rejects.toMatchObject({ code: 'profile.damaged' });
    await expect(again.generate(ed25519)).rejects.toMatchObject({ code: 'profile.damaged' });
    expect(await readdir(getProfileDir())).toEqual(['keys']);
  });
});

describe('a damaged file', () => {
  test('hides no other key, is reported, and can be removed', async () => {
    const { ring } = openRing();
    const [bad, good] = [await ring.generate(ed25519), await ring.generate(ed25519)];
    for (const text of ['', '{', '{"version":1}', JSON.stringify({ version: 1, key: good, wrapped: {} })]) {
      await writeFile(pathOf(bad.id), text);
      expect(await ring.list()).toEqual([good]);
      expect(await ring.listDamaged()).toEqual([bad.id]);
      await expect(ring.get(bad.id)).rejects.toMatchObject({ code: 'key.damaged' });
      await expect(ring.recordSigned(bad.id, 0)).rejects.toMatchObject({ code: 'key.damaged' });
      expect(await readFile(pathOf(bad.id), 'utf8')).toBe(text);
    }
    await ring.remove(bad.id);
    expect(await ring.listDamaged()).toEqual([]);
    expect((await ring.readPrivateJwk(good.id)).kty).toBe('OKP');
  });

  test('is one under the name of another', async () => {
    const { ring } = openRing();
    const { id } = await ring.generate(ed25519);
    await writeFile(pathOf('ed25519-copied'), await readFile(pathOf(id)));
    await expect(ring.get('ed25519-copied')).rejects.toMatchObject({ code: 'key.damaged' });
  });
});

describe('stamps', () => {
  test('of many simultaneous requests are all stored, and never go back', async () => {
    const { ring } = openRing();
    const { id } = await ring.generate(ed25519);
    await Promise.all([
      ...[5, 3, 9, 1].map((second) => ring.recordSigned(id, second * 1000)),
      ...[2, 8, 4].map((second) => ring.recordProven(id, second * 1000)),
      ring.rename(id, 'Renamed'),
    ]);
    expect(await ring.get(id)).toMatchObject({
      name: 'Renamed',
      lastSignedAt: '1970-01-01T00:00:09.000Z',
      provenAt: '1970-01-01T00:00:08.000Z',
    });
    expect((await ring.readPrivateJwk(id)).kty).toBe('OKP');
  });

  test('do not bring back a key that was removed', async () => {
    const { ring } = openRing();
    const { id } = await ring.generate(ed25519);
    const removed = ring.remove(id);
    await expect(ring.recordSigned(id, 1000)).rejects.toMatchObject({ code: 'key.unknown' });
    await removed;
    expect(await ring.list()).toEqual([]);
  });
});

test('renaming changes the comment and nothing else of the public line', async () => {
  const { ring } = openRing();
  const key = await ring.generate({ ...ed25519, name: 'Old name' });
  const renamed = await ring.rename(key.id, '  New name\t');
  expect(renamed).toEqual({
    ...key,
    name: 'New name',
    publicKey: key.publicKey.replace('Old-name', 'New-name'),
  });
});

describe('removing', () => {
  test('the last key removes its wrapping key, the others keep theirs', async () => {
    const { watched, accounts } = createWatchedStore();
    const { ring } = openRing(watched);
    const [one, two] = [await ring.generate(ed25519), await ring.generate(ed25519)];
    await ring.remove(one.id);
    expect(accounts.size).toBe(1);
    await ring.remove(two.id);
    expect(accounts.size).toBe(0);
    expect(await readdir(join(getProfileDir(), 'keys'))).toEqual([]);
    expect(await ring.generate(ed25519)).toMatchObject(ed25519);
  });

  test('works with a locked keychain', async () => {
    const { watched, state } = createWatchedStore();
    const { ring } = openRing(watched);
    const { id } = await ring.generate(ed25519);
    state.isLocked = true;
    await ring.remove(id);
    expect(await ring.list()).toEqual([]);
  });
});

test.each(['nothing-here', '../profile', '', 'A'])('an invalid ID (%j) is unknown everywhere', async (id) => {
  const { ring } = openRing();
  const unknown = { code: 'key.unknown' };
  await expect(ring.get(id)).rejects.toMatchObject(unknown);
  await expect(ring.readPrivateJwk(id)).rejects.toMatchObject(unknown);
  await expect(ring.recordProven(id, 0)).rejects.toMatchObject(unknown);
  await expect(ring.rename(id, 'x')).rejects.toMatchObject(unknown);
  await expect(ring.remove(id)).rejects.toMatchObject(unknown);
});
