import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineHandle } from '../../../src/main/desk/desk-state.ts';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import { openTestDesk } from '../../support/test-desk.ts';

const profileDir = givenTempProfile();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('it is locked, closed and reported before anything is awaited; the entry follows at the next unlock', async () => {
  const audit: { action: string; details: unknown }[] = [];
  let isStopped = true;
  const closed = vi.fn(async () => undefined);
  const shut = vi.fn(async () => undefined);
  const handle = {
    // A stopped process: it takes what is sent, and never answers.
    appendAudit: (record) =>
      isStopped ? new Promise(() => undefined) : Promise.resolve(void audit.push(record)),
    close: closed,
    closeToWindows: shut,
    onEnded: () => undefined,
  } as Partial<EngineHandle> as EngineHandle;
  const { desk, events, call, fail } = openTestDesk({
    profileDir: profileDir(),
    secrets: createEphemeralStore(),
    watchesIdle: true,
    ports: { startEngine: async () => handle },
  });
  isStopped = false;
  await call('workspaces:add', { baseUrl: 'https://claims.example.com', email: 'a@example.com' });
  audit.length = 0;
  isStopped = true;
  void desk.getEngine();

  const locking = desk.lockNow();
  expect(desk.isLocked).toBe(true);
  expect(events.at(-1)).toEqual({ name: 'lock:changed', payload: { isLocked: true } });
  expect((await fail('keys:list', {})).code).toBe('app.locked');
  await vi.waitFor(() => expect(shut).toHaveBeenCalled());
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  await locking;
  expect(closed).toHaveBeenCalled();

  isStopped = false;
  await call('lock:unlock', {});
  expect(audit.map(({ action }) => action)).toEqual(['desk.locked', 'desk.unlocked']);
  expect(audit[0]?.details).toEqual({ lockedAt: '2026-11-20T00:00:00.000Z' });
  await desk.lockNow();
  expect(audit.at(-1)).toMatchObject({ action: 'desk.locked', details: {} });
  await desk.close();
});
