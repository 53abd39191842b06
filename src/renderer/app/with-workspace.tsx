import { Navigate } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { Workspace } from '../../contract/workspace.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { LoadingState } from '../components/states.tsx';
import { useWorkspaces } from '../lib/use-workspaces.ts';

/** Screens of records need a workspace; without one, the welcome. Another workspace is another screen. */
export function WithWorkspace({ children }: { children: (workspace: Workspace) => ReactNode }) {
  const { active, isLoading, error } = useWorkspaces();
  if (error !== null) return <ErrorNotice error={error} title="The workspaces cannot be read" />;
  if (isLoading) return <LoadingState what="the workspace" />;
  if (active === null) return <Navigate to="/welcome" replace />;
  return <Fragment key={active.id}>{children(active)}</Fragment>;
}
