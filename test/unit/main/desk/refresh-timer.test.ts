import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { profilePaths } from '../../../../src/main/lib/paths.ts';
import { givenCheapSecrets, vaultPassphrase } from '../../../support/cheap-secrets.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk, type TestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();
const minute = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function givenDesk(watchesIdle = true): Promise<{ desk: TestDesk; workspaceId: string }> {
  const desk = openTestDesk({ profileDir: profileDir(), watchesIdle });
  if (existsSync(profilePaths(profileDir()).secrets))
    await desk.call('lock:unlock', { passphrase: vaultPassphrase });
  const { id: workspaceId } = await desk.call('workspaces:add', {
    baseUrl: 'https://claims.example.com',
    email: 'a@example.com',
  });
  await desk.call('workspaces:add', { baseUrl: 'https://other.example.com', email: 'a@example.com' });
  await desk.call('keys:generate', { type: 'ed25519', workspaceId });
  return { desk, workspaceId };
}

/** A minute goes by, and some real time for what the interval began; as long as it takes to be `until` so many. */
async function passMinute(desk: TestDesk, until?: number): Promise<void> {
  vi.advanceTimersByTime(minute);
  const tries = until === undefined ? 5 : 500;
  for (let at = 0; at < tries && desk.refreshes.length !== until; at += 1) {
    await wait(10);
  }
}

test('is on until you choose otherwise: each workspace that has a key is checked every minute', async () => {
  const { desk, workspaceId } = await givenDesk();
  await passMinute(desk, 1);
  await desk.call('settings:set', { autoRefreshMinutes: 0 });
  await passMinute(desk);
  await passMinute(desk);
  expect(desk.refreshes).toEqual([{ workspaceId, minutes: 30 }]);
  await desk.call('settings:set', { autoRefreshMinutes: 15 });
  await passMinute(desk, 2);
  await passMinute(desk, 3);
  expect(desk.refreshes.slice(1)).toEqual([
    { workspaceId, minutes: 15 },
    { workspaceId, minutes: 15 },
  ]);
  await desk.desk.close();
  await passMinute(desk);
  expect(desk.refreshes).toHaveLength(3);
});

test('what is due is refreshed when the desk is unlocked', async () => {
  givenCheapSecrets(profileDir());
  const { desk } = await givenDesk();
  await desk.desk.lockNow();
  await desk.call('lock:unlock', { passphrase: vaultPassphrase });
  vi.advanceTimersByTime(5000);
  for (let at = 0; at < 500 && desk.refreshes.length === 0; at += 1) await wait(10);
  expect(desk.refreshes).toHaveLength(1);
  await desk.desk.close();
});

test('nothing is refreshed while the desk is locked, nor by a one-shot command', async () => {
  const { desk } = await givenDesk();
  await desk.call('settings:set', { autoRefreshMinutes: 15 });
  await desk.desk.lockNow();
  await passMinute(desk);
  await passMinute(desk);
  expect(desk.refreshes).toEqual([]);
  await desk.desk.close();

  const command = openTestDesk({ profileDir: profileDir() });
  await passMinute(command);
  await passMinute(command);
  expect(command.refreshes).toEqual([]);
  await command.desk.close();
});
