import { createContext, type ReactNode, useContext } from 'react';
import type { Workspace } from '../../contract/workspace.ts';

const WorkspaceContext = createContext<Workspace | null>(null);

/** Gives its content the open workspace, so that no component passes it on; null: there is none. */
export const WorkspaceProvider = (props: { workspace: Workspace | null; children: ReactNode }) => (
  <WorkspaceContext value={props.workspace}>{props.children}</WorkspaceContext>
);

/** The open workspace. What is about records is shown only when there is one. */
export function useWorkspace(): Workspace {
  const workspace = useOpenWorkspace();
  if (workspace === null) throw new Error('There is no workspace above this component.');
  return workspace;
}

/** The open workspace, where there may be none. */
export const useOpenWorkspace = (): Workspace | null => useContext(WorkspaceContext);
