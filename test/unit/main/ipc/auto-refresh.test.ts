import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk, type TestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();
const minute = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

async function givenDesk(watchesIdle = true): Promise<{ desk: TestDesk; workspaceId: string }> {
  const desk = openTestDesk({ profileDir: profileDir(), watchesIdle });
  const { id: workspaceId } = await desk.call('workspaces:add', {
    baseUrl: 'https://claims.example.com',
    email: 'a@example.com',
  });
  await desk.call('workspaces:add', { baseUrl: 'https://other.example.com', email: 'a@example.com' });
  await desk.call('keys:generate', { type: 'ed25519', workspaceId });
  return { desk, workspaceId };
}

/** Lets what an interval began come to its end. */
async function pass(minutes: number): Promise<void> {
  for (let at = 0; at < minutes; at += 1) {
    vi.advanceTimersByTime(minute);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('is off until a person switches it on; then each workspace that has a key is looked at every minute', async () => {
  const { desk, workspaceId } = await givenDesk();
  await pass(3);
  expect(desk.refreshes).toEqual([]);
  await desk.call('settings:set', { autoRefreshMinutes: 15 });
  await pass(2);
  expect(desk.refreshes).toEqual([
    { workspaceId, minutes: 15 },
    { workspaceId, minutes: 15 },
  ]);
  await desk.desk.close();
  await pass(2);
  expect(desk.refreshes).toHaveLength(2);
});

test('nothing is refreshed while the desk is locked, nor by a one-shot command', async () => {
  const { desk } = await givenDesk();
  await desk.call('settings:set', { autoRefreshMinutes: 15 });
  await desk.desk.lockNow();
  await pass(2);
  expect(desk.refreshes).toEqual([]);
  await desk.desk.close();

  const command = openTestDesk({ profileDir: profileDir() });
  await pass(2);
  expect(command.refreshes).toEqual([]);
  await command.desk.close();
});
