import { useQueryClient } from '@tanstack/react-query';
import { useDeskQuery, useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** The sync of a workspace: its state and the operations on it. */
export function useSync() {
  const workspace = useWorkspace();
  const cache = useQueryClient();
  const status = useWorkspaceQuery('sync:getStatus');
  const sample = useDeskQuery('sample:getState', {}, { enabled: workspace.isSample });
  const start = useWorkspaceMutation('sync:start');
  const cancel = useWorkspaceMutation('sync:cancel');
  const pause = useWorkspaceMutation('sync:pause');
  const quick = useWorkspaceMutation('sync:refresh');
  const loss = useWorkspaceMutation('sync:answerLoss');
  return {
    status: status.data,
    error: status.error,
    refetch: status.refetch,
    /** The sample service is started and stopped here; for a real one the engine knows from its last request. */
    isOffline: workspace.isSample
      ? sample.data?.isRunning === false
      : status.data?.isServiceReachable === false,
    start: () => start.mutate({}),
    startError: start.error ?? quick.error ?? loss.error,
    isStarting: start.isPending || quick.isPending,
    cancel: () => cancel.mutate({}),
    cancelError: cancel.error,
    isCanceling: cancel.isPending,
    pause: () => pause.mutate({}),
    isPausing: pause.isPending,
    quickRefresh: () => quick.mutate({}),
    answerLoss: (answer: 'accept' | 'decline') => loss.mutate({ answer }),
    isAnswering: loss.isPending,
    refresh: () => cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('sync', workspace.id) }),
  };
}
