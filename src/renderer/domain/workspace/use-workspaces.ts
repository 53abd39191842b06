import type { Workspace } from '../../../contract/workspace.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';

interface WorkspacesState {
  readonly isLoading: boolean;
  readonly workspaces: readonly Workspace[];
  readonly active: Workspace | null;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** The workspaces and the one that is open. */
export function useWorkspaces(): WorkspacesState {
  const query = useDeskQuery('workspaces:list', {});
  const workspaces = query.data?.workspaces ?? [];
  return {
    isLoading: query.isPending,
    workspaces,
    active: workspaces.find((workspace) => workspace.id === query.data?.activeId) ?? null,
    error: query.error,
    refetch: query.refetch,
  };
}
