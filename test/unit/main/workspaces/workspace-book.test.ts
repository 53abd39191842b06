import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../../src/contract/settings.ts';
import { workspaceSchema } from '../../../../src/contract/workspace.ts';
import { createSettingsFile } from '../../../../src/main/workspaces/settings-file.ts';
import { createWorkspaceBook } from '../../../../src/main/workspaces/workspace-book.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const getProfileDir = givenTempProfile();
const clock = { now: () => Date.UTC(2026, 2, 3) };
const openBook = () => createWorkspaceBook({ profileDir: getProfileDir(), clock });
const bookPath = () => join(getProfileDir(), 'workspaces.json');

const one = { baseUrl: 'https://claims.example.com/', email: 'ada@example.test' };
const two = { baseUrl: 'https://other.example.com', email: 'ada@example.test' };

describe('adding', () => {
  test('keeps a workspace over several runs, only for its owner', async () => {
    const workspace = await openBook().add(one);
    expect(workspaceSchema.parse(workspace)).toEqual({
      id: expect.stringMatching(/^claims-example-com-[a-z0-9]{5}$/),
      name: 'claims.example.com',
      baseUrl: 'https://claims.example.com',
      email: 'ada@example.test',
      header: 'Authorization',
      scheme: 'SSH-JWT',
      color: 'blue',
      isSample: false,
      keyId: null,
      createdAt: '2026-03-03T00:00:00.000Z',
    });
    expect(await openBook().list()).toEqual([workspace]);
    expect(await openBook().get(workspace.id)).toEqual(workspace);
    expect((await stat(bookPath())).mode & 0o777).toBe(0o600);
  });

  test('the same address and email again returns the existing one', async () => {
    const book = openBook();
    const { id, name } = await book.add(one);
    const again = { baseUrl: 'HTTPS://claims.example.com', email: 'ADA@example.test' };
    await expect(book.add(again)).rejects.toMatchObject({
      code: 'workspace.duplicate',
      details: { workspaceId: id, name },
    });
    expect(await book.list()).toHaveLength(1);
  });

  test('another email at the same address gets its own name and another color', async () => {
    const book = openBook();
    await book.add(one);
    const second = await book.add({ ...one, email: 'bea@example.test' });
    expect(second).toMatchObject({ name: 'claims.example.com 2', color: 'teal' });
  });

  test('a chosen name must be free', async () => {
    const book = openBook();
    await book.add({ ...one, name: ' Production ' });
    await expect(book.add({ ...two, name: 'PRODUCTION' })).rejects.toMatchObject({
      code: 'workspace.nameTaken',
    });
  });

  test.each([
    [{ ...one, baseUrl: 'nonsense' }, 'workspace.badUrl'],
    [{ ...one, baseUrl: 'http://claims.example.com' }, 'workspace.insecureUrl'],
    [{ ...one, email: 'nonsense' }, 'workspace.badEmail'],
  ])('%o is %s, and nothing is written', async (input, code) => {
    await expect(openBook().add(input)).rejects.toMatchObject({ code });
    await expect(stat(bookPath())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('loses none of many at once', async () => {
    const book = openBook();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => book.add({ ...one, email: `user${index}@example.test` })),
    );
    const workspaces = await book.list();
    expect(new Set(workspaces.map(({ id }) => id)).size).toBe(10);
    expect(new Set(workspaces.map(({ name }) => name)).size).toBe(10);
  });

  test('makes ids that can be folders from any name', async () => {
    const book = openBook();
    const names = ['../../etc', '鍵', '.', 'A'.repeat(80), '-- --'];
    for (const [index, name] of names.entries()) {
      const { id } = await book.add({ ...one, email: `user${index}@example.test`, name });
      expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/);
    }
  });
});

describe('which workspace is meant', () => {
  test('without any', async () => {
    await expect(openBook().resolve()).rejects.toMatchObject({ code: 'workspace.missing' });
    await expect(openBook().resolve('x')).rejects.toMatchObject({ code: 'workspace.missing' });
  });

  test('by ID, by name, by name in another case, or because it is the only one', async () => {
    const book = openBook();
    const workspace = await book.add({ ...one, name: 'Production' });
    for (const nameOrId of [undefined, workspace.id, 'Production', ' production ']) {
      expect(await book.resolve(nameOrId)).toEqual(workspace);
    }
    await expect(book.resolve('prod')).rejects.toMatchObject({ code: 'workspace.unknown' });
  });

  test('if there are several, one must be given, and the answer lists them', async () => {
    const book = openBook();
    await book.add({ ...one, name: 'Production' });
    await book.add({ ...two, name: 'Test' });
    await expect(book.resolve()).rejects.toMatchObject({
      code: 'workspace.ambiguous',
      details: { names: 'Production, Test' },
    });
    expect(await book.resolve('Test')).toMatchObject({ name: 'Test' });
  });
});

describe('changing', () => {
  test('name, color and key', async () => {
    const book = openBook();
    const { id } = await book.add(one);
    await book.update(id, { name: 'New', color: 'grape' });
    await book.setKey(id, 'ed25519-k7pmx4');
    expect(await book.get(id)).toMatchObject({ name: 'New', color: 'grape', keyId: 'ed25519-k7pmx4' });
    expect(await book.update(id, { name: 'New' })).toMatchObject({ color: 'grape' });
    expect(await book.setKey(id, null)).toMatchObject({ keyId: null });
  });

  test('to the name of another is refused', async () => {
    const book = openBook();
    const { id } = await book.add({ ...one, name: 'One' });
    await book.add({ ...two, name: 'Two' });
    await expect(book.update(id, { name: 'two' })).rejects.toMatchObject({ code: 'workspace.nameTaken' });
  });

  test('a missing one is refused', async () => {
    const book = openBook();
    const unknown = { code: 'workspace.unknown' };
    await expect(book.get('x')).rejects.toMatchObject(unknown);
    await expect(book.update('x', { name: 'y' })).rejects.toMatchObject(unknown);
    await expect(book.setKey('x', null)).rejects.toMatchObject(unknown);
    await expect(book.activate('x')).rejects.toMatchObject(unknown);
    await expect(book.remove('x')).rejects.toMatchObject(unknown);
  });
});

test('the first is active until another is; a removal never chooses among several', async () => {
  const book = openBook();
  expect(await book.getActiveId()).toBeNull();
  const first = await book.add(one);
  const second = await book.add(two);
  const third = await book.add({ ...two, email: 'bea@example.test' });
  expect(await book.getActiveId()).toBe(first.id);
  await book.activate(second.id);
  await book.remove(first.id);
  expect(await book.getActiveId()).toBe(second.id);
  const fourth = await book.add(one);
  await book.remove(second.id);
  expect(await book.getActiveId()).toBeNull();
  await book.activate(fourth.id);
  await book.remove(fourth.id);
  expect(await book.getActiveId()).toBe(third.id);
  await book.remove(third.id);
  expect(await book.getActiveId()).toBeNull();
  expect(await book.list()).toEqual([]);
});

describe('a damaged book is told and never overwritten', () => {
  test.each([
    ['empty', ''],
    ['cut off', '{"version":1,"activeId":null,"worksp'],
    ['of a version to come', '{"version":2,"activeId":null,"workspaces":[]}'],
    ['active without being there', '{"version":1,"activeId":"x","workspaces":[]}'],
    ['with a workspace that is none', '{"version":1,"activeId":null,"workspaces":[{"id":"../x"}]}'],
  ])('%s', async (_, text) => {
    await writeFile(bookPath(), text);
    const damaged = { code: 'profile.damaged', details: { file: 'workspaces.json' } };
    await expect(openBook().list()).rejects.toMatchObject(damaged);
    await expect(openBook().add(one)).rejects.toMatchObject(damaged);
    await expect(openBook().remove('x')).rejects.toMatchObject(damaged);
    expect(await readFile(bookPath(), 'utf8')).toBe(text);
  });

  test('with two that have one ID', async () => {
    const workspace = await openBook().add(one);
    await writeFile(
      bookPath(),
      JSON.stringify({ version: 1, activeId: null, workspaces: [workspace, workspace] }),
    );
    await expect(openBook().list()).rejects.toMatchObject({ code: 'profile.damaged' });
  });
});

describe('updating', () => {
  test('keeps what is not given, and refuses a name in use', async () => {
    const book = openBook();
    const { id } = await book.add({ ...one, name: 'Ohio' });
    await book.add({ ...two, name: 'Texas' });
    const before = await book.get(id);
    expect(await book.update(id, { scheme: 'Token' })).toEqual({ ...before, scheme: 'Token' });
    expect(await book.update(id, { name: ' Ohio Trust ', color: 'gray' })).toEqual({
      ...before,
      scheme: 'Token',
      name: 'Ohio Trust',
      color: 'gray',
    });
    expect(await openBook().get(id)).toMatchObject({ scheme: 'Token', name: 'Ohio Trust' });
    expect(await book.update(id, { header: 'X-Token' })).toMatchObject({
      header: 'X-Token',
      scheme: 'Token',
    });
    await expect(book.update(id, { name: 'texas' })).rejects.toMatchObject({ code: 'workspace.nameTaken' });
    await expect(book.update('none', {})).rejects.toMatchObject({ code: 'workspace.unknown' });
  });
});

describe('settings', () => {
  const openSettings = () =>
    createSettingsFile({ profileDir: getProfileDir(), listWorkspaces: openBook().list });
  const settingsPath = () => join(getProfileDir(), 'settings.json');

  test('have defaults until they are set, and keep what is not changed', async () => {
    expect(await openSettings().get()).toEqual(defaultSettings);
    await openSettings().set({ theme: 'dark' });
    await Promise.all([openSettings().set({}), openSettings().set({ theme: undefined })]);
    expect(await openSettings().set({ lockAfterMinutes: 5 })).toEqual({
      ...defaultSettings,
      ...{ theme: 'dark', lockAfterMinutes: 5 },
    });
    expect(await openSettings().get()).toMatchObject({ theme: 'dark', lockAfterMinutes: 5 });
  });

  test('of an older version get the defaults of what is new', async () => {
    await writeFile(settingsPath(), '{"theme":"light"}');
    expect(await openSettings().get()).toEqual({ ...defaultSettings, theme: 'light' });
  });

  test.each(['{', '{"lockAfterMinutes":0}', '{"theme":"pink"}'])(
    'that are damaged (%s) are reported',
    async (text) => {
      await writeFile(settingsPath(), text);
      const damaged = { code: 'profile.damaged', details: { file: 'settings.json' } };
      await expect(openSettings().get()).rejects.toMatchObject(damaged);
      await expect(openSettings().set({ theme: 'dark' })).rejects.toMatchObject(damaged);
      expect(await readFile(settingsPath(), 'utf8')).toBe(text);
    },
  );

  test('that can’t be written have a code', async () => {
    await mkdir(settingsPath());
    await expect(openSettings().set({ theme: 'dark' })).rejects.toMatchObject({ name: 'DeskError' });
  });
});
