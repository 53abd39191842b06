import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DeskPorts, Question } from '../../../../src/main/desk/desk-state.ts';
import { getProfileId } from '../../../../src/main/keychain/profile-identity.ts';
import { createEphemeralStore } from '../../../../src/main/keychain/secret-store.ts';
import type { KeyFile } from '../../../../src/main/keys/key-files.ts';
import { deriveKeyOrigins, toKeyOrigin } from '../../../../src/main/keys/key-origins.ts';
import { unwrapKey, wrapKey } from '../../../../src/main/keys/key-wrapping.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk, type TestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();
const home = { baseUrl: 'https://claims.example.com/eu', email: 'ada@example.test' };
const elsewhere = { baseUrl: 'https://elsewhere.example', email: 'ada@example.test' };
const secrets = createEphemeralStore();

const open = (confirm?: DeskPorts['confirm']): TestDesk =>
  openTestDesk({ profileDir: profileDir(), secrets, ports: confirm === undefined ? {} : { confirm } });
const add = async (desk: TestDesk, wanted: { baseUrl: string; email: string }): Promise<string> =>
  (await desk.call('workspaces:add', wanted)).id;
const codeOfToken = async (desk: TestDesk, workspaceId: string, keyId?: string): Promise<unknown> =>
  (await desk.main())
    .getToken({ workspaceId, keyId, offsetSeconds: 0, isFresh: true })
    .then(() => 'signed')
    .catch((thrown: { code: unknown }) => thrown.code);
const readKeys = (): { id: string; origins: string[] | null }[] =>
  readdirSync(join(profileDir(), 'keys')).map(
    (name) => JSON.parse(readFileSync(join(profileDir(), 'keys', name), 'utf8')).key,
  );

const pathOf = (keyId: string): string => join(profileDir(), 'keys', `${keyId}.json`);
const readFile = (keyId: string): KeyFile => JSON.parse(readFileSync(pathOf(keyId), 'utf8'));

/** Makes a key's file one of version 1, which did not seal the services that it may sign for. */
async function makeVersion1(keyId: string): Promise<void> {
  const wrappingKey = (await secrets.get(`wrapping-key/${await getProfileId(profileDir())}`)) as Buffer;
  const { key, wrapped } = readFile(keyId);
  const jwk = unwrapKey(wrapped, { keyId, origins: key.origins }, wrappingKey);
  const { origins: _none, ...old } = key;
  const file = { version: 1, key: old, wrapped: wrapKey(jwk, { keyId, origins: null }, wrappingKey) };
  writeFileSync(pathOf(keyId), JSON.stringify(file));
}

describe('a key of one service', () => {
  const given = async (desk: TestDesk) => {
    const workspaceId = await add(desk, home);
    const { id: keyId } = await desk.call('keys:generate', { type: 'ed25519', workspaceId });
    return { keyId, workspaceId, otherId: await add(desk, elsewhere) };
  };

  test('is refused another if the shell can’t ask, and nothing is signed for it', async () => {
    const desk = open();
    const { keyId, workspaceId, otherId } = await given(desk);
    expect(await codeOfToken(desk, workspaceId)).toBe('signed');
    for (const name of ['keys:use', 'keys:check'] as const)
      expect(await desk.fail(name, { workspaceId: otherId, keyId })).toMatchObject({
        code: 'key.otherService',
        nextStep: 'Make a new key for this service.',
      });
    expect(desk.service.asked).toEqual([]);
    expect(await codeOfToken(desk, otherId, keyId)).toBe('key.otherService');
    // A book that was edited changes nothing about what a key may sign for.
    const path = join(profileDir(), 'workspaces.json');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(home.baseUrl, 'https://evil.example'));
    expect(await codeOfToken(desk, workspaceId)).toBe('key.otherService');
  });

  test('signs for no one once its file has another one, not even with a cached token', async () => {
    const desk = open();
    const { keyId, workspaceId } = await given(desk);
    const main = await desk.main();
    await main.getToken({ workspaceId, offsetSeconds: 0, isFresh: false });
    const path = join(profileDir(), 'workspaces.json');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(home.baseUrl, 'https://evil.example'));
    for (const origins of [['https://claims.example.com', 'https://evil.example'], null]) {
      const file = readFile(keyId);
      writeFileSync(pathOf(keyId), JSON.stringify({ ...file, key: { ...file.key, origins } }));
      await expect(main.getToken({ workspaceId, offsetSeconds: 0, isFresh: false })).rejects.toMatchObject({
        code: 'key.damaged',
      });
    }
  });

  test('gets another when a person confirms it outside the page, and remembers it', async () => {
    const questions: Question[] = [];
    let says = true;
    const desk = open(async (question) => {
      questions.push(question);
      return says;
    });
    const { keyId, otherId } = await given(desk);
    questions.length = 0;
    says = false;
    expect(await desk.fail('keys:use', { workspaceId: otherId, keyId })).toMatchObject({
      code: 'app.notConfirmed',
    });
    expect(questions).toMatchObject([{ message: expect.stringContaining('for elsewhere.example?') }]);
    expect(await codeOfToken(desk, otherId, keyId)).toBe('key.otherService');
    says = true;
    await desk.call('keys:use', { workspaceId: otherId, keyId });
    expect(await codeOfToken(desk, otherId)).toBe('signed');
    await desk.call('workspaces:remove', { workspaceId: otherId });
    const againId = await add(desk, elsewhere);
    questions.length = 0;
    await desk.call('keys:use', { workspaceId: againId, keyId });
    expect(questions).toEqual([]);
  });

  test('a lock while the question is open means no', async () => {
    let locks = false;
    const desk = open(async () => {
      if (locks) await desk.desk.lockNow();
      return true;
    });
    const { keyId, otherId } = await given(desk);
    locks = true;
    expect(await desk.fail('keys:use', { workspaceId: otherId, keyId })).toMatchObject({
      code: 'app.locked',
    });
    expect(readKeys()[0]?.origins).toEqual(['https://claims.example.com']);
  });
});

test('a key that has signed nothing accepts its first service without a question', async () => {
  const desk = open();
  const { id: keyId } = await desk.call('keys:generate', { type: 'ed25519' });
  const workspaceId = await add(desk, home);
  await desk.call('keys:use', { workspaceId, keyId });
  expect(await codeOfToken(desk, workspaceId)).toBe('signed');
});

test('a new key of a rotation belongs to its workspace from the start', async () => {
  const desk = open();
  const workspaceId = await add(desk, home);
  await desk.call('keys:generate', { type: 'ed25519', workspaceId });
  const { newKeyId } = await desk.call('rotation:begin', { workspaceId });
  expect(await codeOfToken(desk, workspaceId, newKeyId)).toBe('signed');
});

test('a profile of a version that did not bind keys: each gets the services that use it, once', async () => {
  const before = open();
  const workspaceId = await add(before, home);
  const { id: keyId } = await before.call('keys:generate', { type: 'ed25519', workspaceId });
  const { id: spareId } = await before.call('keys:generate', { type: 'ed25519' });
  await before.desk.close();
  for (const id of [keyId, spareId]) {
    await makeVersion1(id);
    const { key, ...rest } = readFile(id);
    // The spare one was used by something that is removed now.
    writeFileSync(pathOf(id), JSON.stringify({ ...rest, key: { ...key, lastSignedAt: key.createdAt } }));
  }
  const desk = open();
  expect(await codeOfToken(desk, workspaceId)).toBe('signed');
  expect(Object.fromEntries(readKeys().map(({ id, origins }) => [id, origins]))).toEqual({
    [keyId]: ['https://claims.example.com'],
    [spareId]: [],
  });
  // Sealed with the first token.
  expect([readFile(keyId).version, readFile(spareId).version]).toEqual([2, 1]);
  expect(await codeOfToken(desk, workspaceId)).toBe('signed');
  expect(await desk.fail('keys:use', { workspaceId, keyId: spareId })).toMatchObject({
    code: 'key.otherService',
  });
});

test('origins compare scheme, host and port, even on this computer', () => {
  expect(toKeyOrigin('https://claims.example.com/eu')).toBe('https://claims.example.com');
  expect(toKeyOrigin('https://claims.example.com:8443')).toBe('https://claims.example.com:8443');
  for (const local of ['http://127.0.0.1:4000', 'http://localhost:1', 'http://[::1]:9'])
    expect(toKeyOrigin(`${local}/api`)).toBe(local);
  expect(toKeyOrigin('https://localhost.evil.example')).toBe('https://localhost.evil.example');
  const workspaces = [
    { id: 'a', keyId: 'k', baseUrl: 'https://one.example/x' },
    { id: 'b', keyId: 'k', baseUrl: 'https://one.example' },
    { id: 'c', keyId: 'old', baseUrl: 'https://two.example' },
    { id: 'd', keyId: null, baseUrl: 'https://three.example' },
  ];
  const rotations = [{ workspaceId: 'c', oldKeyId: 'old', newKeyId: 'k' }];
  expect(deriveKeyOrigins('k', workspaces, rotations)).toEqual([
    'https://one.example',
    'https://two.example',
  ]);
});
