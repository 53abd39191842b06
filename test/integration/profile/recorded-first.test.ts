import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { openSession, type Session } from '../../../src/main/shells/cli/session.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const profileDir = givenTempProfile();
const outside = givenTempProfile();
const everything = { typed: 'remove everything' };

/** Opens a profile with a workspace and a key; `says` answers its questions. */
async function open(says: () => boolean) {
  const questions: string[] = [];
  const secrets = createEphemeralStore();
  const session = await openSession({
    options: {},
    writes: true,
    profileDir: profileDir(),
    secrets,
    async confirm({ message }) {
      questions.push(message);
      return says();
    },
  });
  onTestFinished(() => session.close());
  const added = await session.call('workspaces:add', {
    baseUrl: 'https://claims.example.com',
    email: 'ada@example.test',
  });
  const key = await session.call('keys:generate', {
    type: 'ed25519',
    name: 'Front desk',
    workspaceId: added.id,
  });
  const backUp = async () =>
    session.call('keys:backUp', {
      keyId: key.id,
      passphrase: 'long enough by far',
      targetId: await session.addSaveTarget(join(outside(), 'backup'), 'keyBackup'),
    });
  return { session, secrets, questions, key, backUp };
}

const newestAction = async (session: Session): Promise<unknown> =>
  (await session.call('audit:list', { offset: 0, limit: 1 })).entries[0]?.action;

test('a private key is exported only when a user confirms it, and is recorded first', async () => {
  let says = false;
  const { session, questions, backUp } = await open(() => says);
  await expect(backUp()).rejects.toMatchObject({ code: 'app.notConfirmed' });
  expect(questions).toEqual(['Save a backup of the private key “Front desk”?']);
  expect(existsSync(join(outside(), 'backup'))).toBe(false);
  expect(await newestAction(session)).toBe('key.made');
  says = true;
  await backUp();
  expect(existsSync(join(outside(), 'backup'))).toBe(true);
  expect(await newestAction(session)).toBe('key.backedUp');
});

test('what cannot be recorded is not done', async () => {
  const { session, secrets } = await open(() => true);
  await session.close();
  // The key of the audit log is lost: no entry can be written.
  const { id } = JSON.parse(await readFile(join(profileDir(), 'profile.json'), 'utf8')) as { id: string };
  const account = `wrapping-key/${id}`;
  const wrappingKey = await secrets.get(account);
  const logless = createEphemeralStore(wrappingKey === null ? [] : [[account, wrappingKey]]);
  const again = await openSession({
    options: { yes: true },
    writes: true,
    profileDir: profileDir(),
    secrets: logless,
  });
  onTestFinished(() => again.close());
  const [key] = (await again.call('keys:list', {})).keys;
  const target = await again.addSaveTarget(join(outside(), 'backup'), 'keyBackup');
  const refused = again.call('keys:backUp', {
    keyId: key?.id ?? '',
    passphrase: 'long enough by far',
    targetId: target,
  });
  await expect(refused).rejects.toMatchObject({ code: 'audit.unwritable' });
  expect(existsSync(join(outside(), 'backup'))).toBe(false);
  const before = await readdir(profileDir());
  await expect(again.call('data:removeEverything', everything)).rejects.toMatchObject({
    code: 'audit.unwritable',
    details: { code: 'keychain.entryMissing' },
  });
  expect(await readdir(profileDir())).toEqual(before);
  await expect(
    again.call('unlock:setPassphrase', { passphrase: 'long enough by far' }),
  ).rejects.toMatchObject({
    code: 'audit.unwritable',
  });
  expect(existsSync(join(profileDir(), 'secrets.json'))).toBe(false);
});

test('removing everything and replacing the keychain wait for a user', async () => {
  const { session, questions } = await open(() => false);
  const before = await readdir(profileDir());
  for (const act of [
    () => session.call('data:removeEverything', everything),
    () => session.call('unlock:setPassphrase', { passphrase: 'long enough by far' }),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'app.notConfirmed' });
  expect(questions).toHaveLength(2);
  expect(await readdir(profileDir())).toEqual(expect.arrayContaining(before));
  expect(existsSync(join(profileDir(), 'secrets.json'))).toBe(false);
});

test('an empty profile has nothing to ask about and nothing to record', async () => {
  const session = await openSession({
    options: {},
    writes: true,
    profileDir: profileDir(),
    secrets: createEphemeralStore(),
  });
  onTestFinished(() => session.close());
  await session.call('data:removeEverything', everything);
  expect(existsSync(join(profileDir(), 'ours.db'))).toBe(false);
});
