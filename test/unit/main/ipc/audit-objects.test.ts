import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDesk } from '../../../support/test-desk.ts';

const address = { baseUrl: 'https://claims.example', email: 'dana@x.example', name: 'Front desk' };

/** A desk whose sample is open. */
async function givenSample() {
  const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-objects-'));
  const desk = openTestDesk({
    profileDir,
    sample: {
      baseUrl: 'http://127.0.0.1:1',
      email: 'sample@claimdesk.example',
      register: async () => undefined,
      deleteKey: async () => undefined,
      getConnect: () => null,
      getPeople: () => [],
      stop: async () => undefined,
      start: async () => undefined,
      nextDay: async () => undefined,
      countDaysLeft: () => 0,
      startTeam: () => Promise.reject(new Error('not asked')),
      addColleague: () => Promise.reject(new Error('not asked')),
      close: async () => undefined,
    },
  });
  onTestFinished(async () => {
    await desk.desk.close();
    await rm(profileDir, { recursive: true, force: true, maxRetries: 3 });
  });
  return { desk, sample: await desk.call('sample:open', {}) };
}

test('with only the sample open, only real actions are recorded', async () => {
  const { desk, sample } = await givenSample();
  await desk.call('settings:set', { density: 'comfortable' });
  const made = await desk.call('keys:generate', { type: 'ed25519', workspaceId: sample.id });
  await desk.call('keys:rename', { keyId: made.id, name: 'Second sample key' });
  await desk.call('workspaces:update', { workspaceId: sample.id, name: 'Mine' });
  await desk.desk.lockNow();
  await desk.call('lock:unlock', {});
  expect(desk.actions()).toEqual([]);
  const key = await desk.call('keys:generate', { type: 'ed25519' });
  await desk.call('keys:rename', { keyId: key.id, name: 'Front desk' });
  expect(desk.actions()).toEqual(['key.made', 'key.renamed']);
});

test('what concerns a real key or workspace is recorded next to the sample, even if it removes the last one', async () => {
  const { desk, sample } = await givenSample();
  const { id: workspaceId } = await desk.call('workspaces:add', address);
  const key = await desk.call('keys:generate', { type: 'ed25519', workspaceId });
  await desk.call('workspaces:activate', { workspaceId: sample.id });
  await desk.call('settings:set', { density: 'comfortable' });
  await desk.call('workspaces:remove', { workspaceId });
  await desk.call('keys:retire', { keyId: key.id, typedName: key.name });
  expect(desk.audit.map(({ action, workspaceId: of }) => [action, of])).toEqual([
    ['workspace.added', workspaceId],
    ['key.made', workspaceId],
    ['settings.changed', null],
    ['workspace.removed', workspaceId],
    ['key.retired', null],
  ]);
});

test('locking and unlocking next to the sample is recorded if there is anything real', async () => {
  const { desk } = await givenSample();
  await desk.call('keys:generate', { type: 'ed25519' });
  await desk.call('settings:get', {});
  await desk.desk.lockNow();
  await desk.call('lock:unlock', {});
  expect(desk.actions()).toEqual(['key.made', 'desk.locked', 'desk.unlocked']);
});
