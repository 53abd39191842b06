import { randomUUID } from 'node:crypto';
import type { MainHandlers } from '../../contract/procedures.ts';
import { openBackupRecord } from '../lib/backup-record.ts';
import { DeskError } from '../lib/errors.ts';
import { findNotices } from '../lib/find-notices.ts';
import { profilePaths } from '../lib/paths.ts';
import { requireConfirmed } from './confirm.ts';
import type { DeskState } from './desk-state.ts';
import { findExportFolders, requireInside } from './export-folders.ts';
import { forgetTokens, isSpaceEmpty, removeEverything } from './spaces.ts';

/** The text that the user types to confirm the removal of everything; the command line requires the same. */
const confirmingText = 'remove everything';

/** Says which folders with backups elsewhere stay; blank: there are none. */
async function nameBackupsElsewhere(profileDir: string): Promise<string> {
  const record = await openBackupRecord(profilePaths(profileDir).backups)
    .read()
    .catch(() => null);
  if (record === null) return ' Backups elsewhere, if you made any, stay: delete them yourself.';
  const dirs = record.targets.flatMap(({ dir, isNew }) => (isNew ? [] : [dir]));
  return dirs.length === 0 ? '' : ` Backups elsewhere stay: delete ${dirs.join(', ')} yourself.`;
}

/** Handles the app's info and settings, where files go, and the removal of everything in this profile. */
export function createAppHandlers(state: DeskState) {
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
      policySources: ports.policySources,
      notices: await findNotices(ports),
    }),
    'settings:get': () => state.settings.get(),
    'settings:set': async (changes) => {
      const settings = await state.settings.set(changes);
      state.emit({ name: 'settings:changed', payload: {} });
      return settings;
    },
    'files:chooseFolder': async () => {
      if (ports.chooseOpenPath === undefined) throw new DeskError('app.unavailable');
      return { path: await ports.chooseOpenPath('openDirectory') };
    },
    'files:chooseSaveTarget': async ({ purpose, suggestedName }) => {
      const folders = await findExportFolders(ports.policy, purpose);
      const path = await ports.chooseSavePath(suggestedName, folders?.[0]);
      if (path === null) return null;
      await requireInside(folders, path);
      const targetId = randomUUID();
      state.saveTargets.set(targetId, { path, purpose });
      return { targetId, displayPath: path };
    },
    /** Secrets are removed first, so that files that remain cannot be read. */
    'data:removeEverything': async ({ typed }) => {
      if (typed.trim().toLowerCase() !== confirmingText) throw new DeskError('data.notConfirmed');
      if (state.ports.isReadOnly) throw new DeskError('profile.busy');
      if (!(await isSpaceEmpty(state.real))) {
        await requireConfirmed(state, {
          message: 'Permanently remove everything?',
          detail: `Every workspace, record, key, note, backup, and setting in this profile is deleted, and the audit log.${await nameBackupsElsewhere(ports.profileDir)}`,
          action: 'Remove everything',
        });
        await state.recordFirst({ action: 'profile.removed', workspaceId: null, details: {} });
      }
      await state.endEngine();
      forgetTokens(state.real);
      state.saveTargets.clear();
      state.heldKeyFiles.clear();
      await removeEverything(state.real);
      await state.ports.clearClipboard().catch(() => undefined);
      state.emit({ name: 'workspaces:changed', payload: { activeId: null } });
      state.emit({ name: 'keys:changed', payload: {} });
      state.emit({ name: 'settings:changed', payload: {} });
      return { isDone: true };
    },
  } satisfies MainHandlers;
}
