import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../contract/procedures.ts';
import { findNotices } from '../lib/find-notices.ts';
import { requireConfirmed } from './confirm.ts';
import type { DeskState } from './desk-state.ts';

type Names =
  | 'app:getInfo'
  | 'settings:get'
  | 'settings:set'
  | 'secrets:createVault'
  | 'files:chooseSaveTarget';

/** What the app is, its settings, and where files go. */
export function createAppHandlers(state: DeskState): Handlers<Names> {
  const { ports } = state;
  return {
    'app:getInfo': async () => ({
      version: ports.version,
      shell: ports.shell,
      platform: process.platform,
      secrets: {
        kind: state.real.secrets.kind,
        state: await state.real.secrets.getState(),
      },
      isReadOnly: ports.isReadOnly,
      isLocked: state.isLocked,
      notices: await findNotices(ports),
    }),
    'settings:get': () => state.settings.get(),
    'settings:set': async (changes) => {
      const settings = await state.settings.set(changes);
      state.emit({ name: 'settings:changed', payload: {} });
      return settings;
    },
    'secrets:createVault': async ({ passphrase }) => {
      // Where there is nothing yet to protect, nothing is replaced.
      if (!(await state.real.isEmpty())) {
        await requireConfirmed(state, {
          message: 'Keep this profile’s secrets in a vault instead of the keychain?',
          detail: 'What the keychain protects in this profile can’t be opened any more.',
          action: 'Make vault',
        });
        await state.recordFirst({ action: 'vault.made', workspaceId: null, details: {} });
      }
      await state.secrets.createVault(passphrase);
      await state.endEngine();
      return { isDone: true };
    },
    'files:chooseSaveTarget': async ({ purpose, suggestedName }) => {
      const path = await ports.chooseSavePath(suggestedName);
      if (path === null) return null;
      const targetId = randomUUID();
      state.saveTargets.set(targetId, { path, purpose });
      return { targetId, displayPath: path };
    },
  };
}
