import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk, type TestDeskOptions } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();
const open = (options: Pick<TestDeskOptions, 'sample'> = {}) =>
  openTestDesk({ profileDir: profileDir(), ...options });
const workspace = { baseUrl: 'https://claims.example.com', email: 'ada@example.test' };
const makeKey = ({ call }: ReturnType<typeof open>, name: string, workspaceId?: string) =>
  call('keys:generate', { type: 'ed25519', name, ...(workspaceId === undefined ? {} : { workspaceId }) });

describe('describing', () => {
  test('shows how old it is', async () => {
    const desk = open();
    const key = await makeKey(desk, 'Front desk');
    expect(await desk.call('keys:describe', { keyId: key.id })).toMatchObject({ ageDays: 0 });
    expect(await desk.fail('keys:describe', { keyId: 'none' })).toMatchObject({ code: 'key.unknown' });
  });

  test('reminds of an old key, by the settings', async () => {
    const desk = open();
    const { id: keyId } = await makeKey(desk, 'Front desk');
    const look = () => desk.call('keys:describe', { keyId });
    desk.passDays(364);
    expect(await look()).toMatchObject({ ageDays: 364, reminderDays: 365, isReminderDue: false });
    desk.passDays(1);
    expect(await look()).toMatchObject({ ageDays: 365, isReminderDue: true });
    await desk.call('settings:set', { keyReminderDays: 400 });
    expect(await look()).toMatchObject({ reminderDays: 400, isReminderDue: false });
    await desk.call('settings:set', { keyReminderDays: 0 });
    desk.passDays(4000);
    expect(await look()).toMatchObject({ reminderDays: null, isReminderDue: false });
  });

  test('changing a name changes the comment of the public key too', async () => {
    const desk = open();
    const { id: keyId } = await makeKey(desk, 'Front desk');
    const renamed = await desk.call('keys:rename', { keyId, name: 'Back office' });
    expect(renamed).toMatchObject({ name: 'Back office', publicKey: expect.stringMatching(/ Back-office$/) });
    expect(desk.actions()).toEqual(['key.made', 'key.renamed']);
    expect(JSON.stringify(desk.audit)).not.toContain('office');
    expect(await desk.fail('keys:rename', { keyId: 'none', name: 'x' })).toMatchObject({
      code: 'key.unknown',
    });
  });
});

describe('removing', () => {
  test('the key that signs is removed only if its name is typed, and leaves its workspace without one', async () => {
    const desk = open();
    const { id: workspaceId } = await desk.call('workspaces:add', workspace);
    const { id: keyId } = await makeKey(desk, 'Front desk', workspaceId);
    for (const typedName of [undefined, 'front desk', keyId]) {
      const given = typedName === undefined ? { keyId } : { keyId, typedName };
      expect(await desk.fail('keys:retire', given)).toMatchObject({
        code: 'key.nameNeeded',
        details: { keyId, name: 'Front desk' },
      });
    }
    expect((await desk.call('keys:list', {})).keys).toHaveLength(1);
    await desk.call('keys:retire', { keyId, typedName: 'Front desk' });
    expect((await desk.call('keys:list', {})).keys).toEqual([]);
    const { workspaces } = await desk.call('workspaces:list', {});
    expect(workspaces[0]?.keyId).toBeNull();
    expect(desk.actions()).toEqual(['workspace.added', 'key.made', 'key.retired']);
  });

  test('the last key that the service ever accepted is one of those; a spare one is not', async () => {
    const desk = open();
    const { id: workspaceId } = await desk.call('workspaces:add', workspace);
    const old = await makeKey(desk, 'Old', workspaceId);
    const next = await makeKey(desk, 'New');
    const spare = await makeKey(desk, 'Spare');
    desk.service.accepted.add(old.id).add(next.id);
    await desk.call('keys:check', { workspaceId, keyId: old.id });
    await desk.call('keys:check', { workspaceId, keyId: next.id });
    await desk.call('keys:use', { workspaceId, keyId: next.id });
    await desk.call('keys:retire', { keyId: spare.id });
    await desk.call('keys:retire', { keyId: old.id });
    await desk.call('workspaces:remove', { workspaceId });
    expect(await desk.fail('keys:retire', { keyId: next.id })).toMatchObject({ code: 'key.nameNeeded' });
    await desk.call('keys:retire', { keyId: next.id, typedName: ' New ' });
    expect(await desk.fail('keys:retire', { keyId: next.id })).toMatchObject({ code: 'key.unknown' });
  });

  test('a damaged key is listed separately, and can be removed; by its ID if a workspace has it', async () => {
    const desk = open();
    const { id: workspaceId } = await desk.call('workspaces:add', workspace);
    const used = await makeKey(desk, 'Front desk', workspaceId);
    const other = await makeKey(desk, 'Other');
    for (const { id } of [used, other]) await writeFile(join(profileDir(), 'keys', `${id}.json`), '{');
    expect((await desk.call('keys:listDamaged', {})).keys).toEqual(
      [
        { id: other.id, workspaceIds: [] },
        { id: used.id, workspaceIds: [workspaceId] },
      ].sort((a, b) => a.id.localeCompare(b.id)),
    );
    expect(await desk.fail('keys:describe', { keyId: used.id })).toMatchObject({ code: 'key.damaged' });
    await desk.call('keys:retire', { keyId: other.id });
    expect(await desk.fail('keys:retire', { keyId: used.id })).toMatchObject({
      code: 'key.nameNeeded',
      details: { name: used.id },
    });
    await desk.call('keys:retire', { keyId: used.id, typedName: used.id });
    expect(await readdir(join(profileDir(), 'keys'))).toEqual([]);
  });
});

test('what a killed process left half-written is removed before anything is requested', async () => {
  const leftover = '.workspaces.json.0123456789abcdef.tmp';
  await writeFile(join(profileDir(), leftover), '{');
  const desk = open();
  await desk.call('workspaces:add', workspace);
  expect(await readdir(profileDir())).not.toContain(leftover);
});

test('the header of the token is a setting, and refuses names that carry something else', async () => {
  const desk = open();
  const { id: workspaceId, header } = await desk.call('workspaces:add', workspace);
  expect(header).toBe('Authorization');
  const changed = await desk.call('workspaces:update', { workspaceId, header: 'X-Desk-Token' });
  expect(changed).toMatchObject({ header: 'X-Desk-Token', scheme: 'SSH-JWT' });
  expect(desk.audit.at(-1)?.details).toEqual({ names: 'header' });
  for (const refused of ['', 'Cookie', 'x y', 'X-A\r\nCookie']) {
    const error = await desk.fail('workspaces:update', { workspaceId, header: refused });
    expect(error).toMatchObject({ code: 'usage.invalid' });
  }
});

test('the app adds a key to the sample’s page, but never a real one', async () => {
  const registered: string[] = [];
  const sample = {
    baseUrl: 'http://127.0.0.1:9',
    email: 'sample@example.test',
    register: async (name: string) => void registered.push(name),
    deleteKey: async () => undefined,
    stop: async () => undefined,
    getConnect: () => null,
    getPeople: () => [],
    nextDay: async () => undefined,
    countDaysLeft: () => 0,
    startTeam: () => Promise.reject(new Error('not asked')),
    addColleague: () => Promise.reject(new Error('not asked')),
    start: async () => undefined,
    close: async () => undefined,
  };
  const desk = open({ sample });
  const real = await desk.call('keys:generate', { type: 'ed25519', name: 'Real' });
  expect(await desk.fail('sample:registerKey', { keyId: real.id })).toMatchObject({ code: 'key.unknown' });
  const { id: workspaceId } = await desk.call('sample:open', {});
  const second = await desk.call('keys:generate', { type: 'ed25519', name: 'Second', workspaceId });
  expect([real.isSample, second.isSample]).toEqual([false, true]);
  await desk.call('sample:registerKey', { keyId: second.id });
  expect(await desk.fail('sample:registerKey', { keyId: real.id })).toMatchObject({ code: 'key.unknown' });
  expect(registered).toEqual(['Sample key', 'Second']);
  await desk.desk.close();
});

test('the scheme of a workspace is a setting, in the form of a single word', async () => {
  const desk = open();
  const { id: workspaceId } = await desk.call('workspaces:add', workspace);
  expect(await desk.call('workspaces:update', { workspaceId, scheme: 'Bearer' })).toMatchObject({
    scheme: 'Bearer',
    email: workspace.email,
  });
  expect(desk.audit.at(-1)).toEqual({
    action: 'workspace.changed',
    workspaceId,
    details: { names: 'scheme' },
  });
  for (const scheme of ['', 'two words', 'x\r\nCookie: a', '1st']) {
    const error = await desk.fail('workspaces:update', { workspaceId, scheme });
    expect(error).toMatchObject({ code: 'usage.invalid' });
  }
});
