import { randomUUID } from 'node:crypto';
import type { EngineHandlers } from '../../../contract/procedures.ts';
import type { SavedView } from '../../../contract/store.ts';
import { sessionName, toViewFile } from '../../../contract/views.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { DeskError } from '../../lib/errors.ts';
import { toExportError } from '../export/export-error.ts';
import type { EngineState } from '../state/engine-state.ts';
import { readTeamSettings, withTeamViews } from '../team/hold-team-settings.ts';

/** The saved views of a workspace and of its team. */
export async function listViews(
  { files }: Pick<EngineState, 'files'>,
  workspaceId: string,
): Promise<SavedView[]> {
  const userData = await files.getUserData(workspaceId);
  if (!userData.isThere()) return [];
  const ownViews = await userData.call('listViews', { workspaceId });
  return withTeamViews(ownViews, await readTeamSettings(files, workspaceId));
}

/** Answers the procedures about saved views. */
export function createViewHandlers(state: EngineState) {
  const userDataOf = (workspaceId: string) => state.files.getUserData(workspaceId);
  const now = (): string => new Date(state.clock.now()).toISOString();
  const changed = (workspaceId: string): void =>
    state.emit({ name: 'views:changed', payload: { workspaceId } });

  return {
    'views:list': async ({ workspaceId }) => ({ views: await listViews(state, workspaceId) }),
    'views:save': async ({ workspaceId, id, name, query }) => {
      const at = now();
      const saved = await (await userDataOf(workspaceId)).call('saveView', {
        id: id ?? randomUUID(),
        workspace_id: workspaceId,
        name,
        query,
        created_at: at,
        updated_at: at,
      });
      if (saved === null) throw new DeskError('note.unknown');
      // The state of lists is stored while the user types, and no window shows it.
      if (name === sessionName) return saved;
      changed(workspaceId);
      await state.auditAction(workspaceId, id === undefined ? 'view.made' : 'view.changed', {
        viewId: saved.id,
      });
      return saved;
    },
    'views:export': async ({ name, content, targetId }) => {
      const file = toViewFile(name, content);
      const path = await state.main.resolveSaveTarget({ targetId, purpose: 'view' });
      await writeFileAtomic(path, `${JSON.stringify(file, null, 2)}\n`).catch((error: unknown) => {
        throw toExportError(error);
      });
      return { leftOut: file.leftOut };
    },
    'views:remove': async (request) => {
      if (!(await (await userDataOf(request.workspaceId)).call('removeView', request)))
        throw new DeskError('note.unknown');
      changed(request.workspaceId);
      await state.auditAction(request.workspaceId, 'view.removed', { viewId: request.id });
      return { isDone: true };
    },
  } satisfies EngineHandlers;
}
