import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../contract/procedures.ts';
import { findNotices } from '../lib/find-notices.ts';
import type { DeskState } from './desk-state.ts';

type Names = 'app:getInfo' | 'settings:get' | 'settings:set' | 'files:chooseSaveTarget';

/** What the app is, its settings, and where files go. */
export function createAppHandlers(state: DeskState): Handlers<Names> {
  const { ports } = state;
  return {
    'app:getInfo': async () => ({
      version: ports.version,
      shell: ports.shell,
      canUpdate: ports.canUpdate === true,
      platform: process.platform,
      secrets: {
        kind: state.real.secrets.kind,
        state: await state.real.secrets.getState(),
      },
      isReadOnly: ports.isReadOnly,
      isLocked: state.isLocked,
      policy: ports.policy,
      notices: await findNotices(ports),
    }),
    'settings:get': () => state.settings.get(),
    'settings:set': async (changes) => {
      const settings = await state.settings.set(changes);
      state.emit({ name: 'settings:changed', payload: {} });
      return settings;
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
