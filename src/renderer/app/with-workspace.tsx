import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NotLoaded } from '../components/error-notice.tsx';
import { useWorkspaces } from '../domain/workspace/use-workspaces.ts';
import { WorkspaceProvider } from '../lib/workspace-context.tsx';

/**
 * Screens of records need a workspace; without one, the welcome page is shown. Another workspace remounts the screen.
 */
export function WithWorkspace({ children }: { children: ReactNode }) {
  const state = useWorkspaces();
  const { active } = state;
  if (state.error !== null || state.isLoading) return <NotLoaded query={state} what="the workspace" />;
  if (active === null) return <Navigate to="/welcome" replace />;
  return (
    <WorkspaceProvider key={active.id} workspace={active}>
      {children}
    </WorkspaceProvider>
  );
}
