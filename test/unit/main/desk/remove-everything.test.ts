import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEphemeralStore } from '../../../../src/main/keychain/secret-store.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();

async function openFilled() {
  const secrets = createEphemeralStore();
  const desk = openTestDesk({ profileDir: profileDir(), secrets });
  const { id: workspaceId } = await desk.call('workspaces:add', {
    baseUrl: 'https://claims.example.com',
    email: 'admin@example.com',
  });
  await desk.call('keys:generate', { type: 'ed25519', workspaceId });
  await desk.call('settings:set', { theme: 'dark' });
  const { id } = JSON.parse(await readFile(join(profileDir(), 'profile.json'), 'utf8')) as { id: string };
  const accounts = [`wrapping-key/${id}`, `database-key/${id}/${workspaceId}`, `database-key/${id}/ours`];
  for (const account of accounts.slice(1)) await secrets.set(account, Buffer.alloc(32, 1));
  await mkdir(join(profileDir(), 'workspaces', workspaceId, 'backups'), { recursive: true });
  await writeFile(join(profileDir(), 'workspaces', workspaceId, 'backups', 'records-1.db'), 'x');
  await writeFile(join(profileDir(), 'ours.db'), 'x');
  const held = () => Promise.all(accounts.map((account) => secrets.get(account)));
  return { desk, held };
}

test('destroys every secret and every file, and begins anew', async () => {
  const { desk, held } = await openFilled();
  expect((await held()).every((secret) => secret !== null)).toBe(true);
  await desk.call('data:removeEverything', { typed: ' Remove everything ' });
  expect(await held()).toEqual([null, null, null]);
  expect((await readdir(profileDir())).filter((name) => name !== 'lease')).toEqual([]);
  expect(desk.events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['workspaces:changed', 'keys:changed', 'settings:changed']),
  );
  expect(await desk.call('workspaces:list', {})).toEqual({ workspaces: [], activeId: null });
  expect((await desk.call('settings:get', {})).theme).toBe('system');
  await desk.desk.close();
});

test.each(['', 'everything', 'remove  everything', 'yes'])('typed “%s”, nothing goes', async (typed) => {
  const { desk, held } = await openFilled();
  const before = await readdir(profileDir());
  expect(await desk.fail('data:removeEverything', { typed })).toMatchObject({ code: 'data.notConfirmed' });
  expect((await held()).every((secret) => secret !== null)).toBe(true);
  expect(await readdir(profileDir())).toEqual(before);
  await desk.desk.close();
});

test('a locked desk removes nothing', async () => {
  const { desk } = await openFilled();
  await desk.call('lock:lock', {});
  expect(await desk.fail('data:removeEverything', { typed: 'remove everything' })).toMatchObject({
    code: 'app.locked',
  });
  await desk.desk.close();
});
