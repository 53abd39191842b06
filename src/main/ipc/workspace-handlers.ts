import type { Handlers } from '../../contract/procedures.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { type DeskState, spaceOf } from './desk-state.ts';

type Names =
  | 'workspaces:list'
  | 'workspaces:add'
  | 'workspaces:activate'
  | 'workspaces:rename'
  | 'workspaces:remove';

/** Workspaces of the profile, and the sample's while it is open. */
export function createWorkspaceHandlers(state: DeskState): Handlers<Names> {
  const { real } = state;

  const list = async (): Promise<{ workspaces: Workspace[]; activeId: string | null }> => {
    const sample = (await state.sample?.space.book.list()) ?? [];
    const workspaces = [...sample.map((one) => ({ ...one, isSample: true })), ...(await real.book.list())];
    const sampleIsActive =
      state.activeSampleId !== null && sample.some(({ id }) => id === state.activeSampleId);
    return { workspaces, activeId: sampleIsActive ? state.activeSampleId : await real.book.getActiveId() };
  };
  const told = async (workspace: Workspace): Promise<Workspace> => {
    state.emit({ name: 'workspaces:changed', payload: { activeId: (await list()).activeId } });
    return workspace;
  };

  return {
    'workspaces:list': list,
    'workspaces:add': async (input) => {
      const workspace = await real.book.add(input);
      state.activeSampleId = null;
      return told(await real.book.activate(workspace.id));
    },
    'workspaces:activate': async ({ workspaceId }) => {
      const space = await spaceOf(state, workspaceId);
      state.activeSampleId = space.isSample ? workspaceId : null;
      return told({ ...(await space.book.activate(workspaceId)), isSample: space.isSample });
    },
    'workspaces:rename': async ({ workspaceId, name, color }) => {
      const space = await spaceOf(state, workspaceId);
      return told({ ...(await space.book.rename(workspaceId, name, color)), isSample: space.isSample });
    },
    'workspaces:remove': async ({ workspaceId }) => {
      const space = await spaceOf(state, workspaceId);
      // The engine may hold the files open.
      if (!state.isLocked) await (await state.getEngine()).closeWorkspace(workspaceId);
      await space.removeWorkspace(workspaceId);
      if (state.activeSampleId === workspaceId) state.activeSampleId = null;
      state.emit({ name: 'workspaces:changed', payload: { activeId: (await list()).activeId } });
      return { isDone: true };
    },
  };
}
