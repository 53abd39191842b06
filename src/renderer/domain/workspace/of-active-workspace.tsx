import type { ReactNode } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { Hint } from '../../components/text.tsx';
import { useWorkspaces } from './use-workspaces.ts';

/** What is about the open workspace; until that is known why it is not, and `none` where there is no workspace. */
export function OfActiveWorkspace(props: { none: string; children: (workspace: Workspace) => ReactNode }) {
  const state = useWorkspaces();
  if (state.error !== null || state.isLoading) return <NotLoaded query={state} what="the workspaces" />;
  if (state.active === null) return <Hint>{props.none}</Hint>;
  return props.children(state.active);
}
