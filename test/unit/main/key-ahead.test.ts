import { expect, test, vi } from 'vitest';
import type { DeskPorts } from '../../../src/main/desk/desk-state.ts';
import { createDesk } from '../../../src/main/desk.ts';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { createLog } from '../../../src/main/lib/log.ts';
import { openProfileSecrets } from '../../support/profile-secrets.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const profileDir = givenTempProfile();

test('a window has the profile opened before an engine asks for it; a one-shot command does not', async () => {
  const keychain = createEphemeralStore();
  await openProfileSecrets(profileDir(), { keychain }).store.set('a', Buffer.from('secret'));
  const read = vi.spyOn(keychain, 'get');
  const clock = { now: () => Date.UTC(2026, 10, 20) };
  const startEngine = vi.fn<DeskPorts['startEngine']>(() => Promise.reject(new Error('not asked for')));
  const open = (watchesIdle: boolean) =>
    createDesk(
      {
        shell: 'browser',
        profileDir: profileDir(),
        environment: {},
        clock,
        log: createLog({ filePath: null, clock }),
        startEngine,
        clearClipboard: async () => undefined,
        isReadOnly: true,
        policy: {},
      } as Partial<DeskPorts> as DeskPorts,
      { keychain, watchesIdle },
    );
  const command = open(false);
  await command.call('settings:get', {});
  expect(read).not.toHaveBeenCalled();
  await command.close();

  const window = open(true);
  await vi.waitFor(() => expect(read).toHaveBeenCalled());
  await window.close();
});
