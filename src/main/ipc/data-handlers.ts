import type { Handlers } from '../../contract/procedures.ts';
import { DeskError } from '../lib/errors.ts';
import { requireConfirmed } from './confirm.ts';
import type { DeskState } from './desk-state.ts';

/** What a person types so that everything goes; the command line and the window ask for the same words. */
const confirmingText = 'remove everything';

/** Removes all that this profile keeps on this computer: secrets first, so that what is left says nothing. */
export function createDataHandlers(state: DeskState): Handlers<'data:removeEverything'> {
  return {
    'data:removeEverything': async ({ typed }) => {
      if (typed.trim().toLowerCase() !== confirmingText) throw new DeskError('data.notConfirmed');
      if (state.ports.isReadOnly) throw new DeskError('profile.busy');
      if (!(await state.real.isEmpty())) {
        await requireConfirmed(state, {
          message: 'Permanently remove everything?',
          detail:
            'Every workspace, record, key, note, backup, and setting in this profile is deleted, and the audit log.',
          action: 'Remove everything',
        });
        await state.recordFirst({ action: 'profile.removed', workspaceId: null, details: {} });
      }
      await state.endEngine();
      state.real.signer.forget();
      state.saveTargets.clear();
      state.heldKeyFiles.clear();
      await state.real.removeEverything();
      await state.ports.clearClipboard().catch(() => undefined);
      state.emit({ name: 'workspaces:changed', payload: { activeId: null } });
      state.emit({ name: 'keys:changed', payload: {} });
      state.emit({ name: 'settings:changed', payload: {} });
      return { isDone: true };
    },
  };
}
