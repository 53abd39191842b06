import { createContext, type ReactNode, useContext } from 'react';
import type { Workspace } from '../../contract/workspace.ts';

const WorkspaceContext = createContext<Workspace | null>(null);

export function WorkspaceProvider({ workspace, children }: { workspace: Workspace; children: ReactNode }) {
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}

/** The workspace that is active. Screens of records are shown with one only. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('There is no workspace above this component.');
  return workspace;
}
