import { createContext, type ReactNode, useContext } from 'react';
import type { Workspace } from '../../contract/workspace.ts';

const WorkspaceContext = createContext<Workspace | null>(null);

export function WorkspaceProvider({ workspace, children }: { workspace: Workspace; children: ReactNode }) {
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}

/** The active workspace. Screens of records are shown only when there is one. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('There is no workspace above this component.');
  return workspace;
}
