import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../components/error-notice.tsx';
import { LoadingState } from '../components/states.tsx';
import { useWorkspaces } from '../domain/workspace/use-workspaces.ts';
import { WorkspaceProvider } from '../lib/workspace-context.tsx';

/**
 * Screens of records need a workspace; without one, the welcome page is shown. Another workspace remounts the screen.
 */
export function WithWorkspace({ children }: { children: ReactNode }) {
  const { active, isLoading, error } = useWorkspaces();
  if (error !== null) return <ErrorNotice error={error} title="Couldn’t read the workspaces" />;
  if (isLoading) return <LoadingState what="the workspace" />;
  if (active === null) return <Navigate to="/welcome" replace />;
  return (
    <WorkspaceProvider key={active.id} workspace={active}>
      {children}
    </WorkspaceProvider>
  );
}
