import type { ReactNode } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { Hint } from '../../components/text.tsx';
import { WorkspaceProvider } from '../../lib/workspace-context.tsx';
import { useWorkspaces } from './use-workspaces.ts';

/** Content for the open workspace; shows loading or an error until it is known, and `none` where there is none. */
export function OfActiveWorkspace(props: { none: string; children: (workspace: Workspace) => ReactNode }) {
  const state = useWorkspaces();
  if (state.error !== null || state.isLoading) return <NotLoaded query={state} what="the workspaces" />;
  if (state.active === null) return <Hint>{props.none}</Hint>;
  return <WorkspaceProvider workspace={state.active}>{props.children(state.active)}</WorkspaceProvider>;
}
