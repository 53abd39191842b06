import { useQueryClient } from '@tanstack/react-query';
import type { Workspace } from '../../../contract/workspace.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** The sync of a workspace: its state and the operations on it. */
export function useSync(workspace: Workspace) {
  const workspaceId = workspace.id;
  const cache = useQueryClient();
  const status = useDeskQuery('sync:getStatus', { workspaceId });
  const sample = useDeskQuery('sample:getState', {}, { enabled: workspace.isSample });
  const start = useDeskMutation('sync:start');
  const cancel = useDeskMutation('sync:cancel');
  const pause = useDeskMutation('sync:pause');
  const quick = useDeskMutation('sync:refresh');
  const loss = useDeskMutation('sync:answerLoss');
  return {
    status: status.data,
    error: status.error,
    refetch: status.refetch,
    /** The sample service is started and stopped here; for a real one the engine knows from its last request. */
    isOffline: workspace.isSample
      ? sample.data?.isRunning === false
      : status.data?.isServiceReachable === false,
    start: () => start.mutate({ workspaceId }),
    startError: start.error ?? quick.error ?? loss.error,
    isStarting: start.isPending || quick.isPending,
    cancel: () => cancel.mutate({ workspaceId }),
    cancelError: cancel.error,
    isCanceling: cancel.isPending,
    pause: () => pause.mutate({ workspaceId }),
    isPausing: pause.isPending,
    quickRefresh: () => quick.mutate({ workspaceId }),
    answerLoss: (answer: 'accept' | 'decline') => loss.mutate({ workspaceId, answer }),
    isAnswering: loss.isPending,
    refresh: () => cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('sync', workspaceId) }),
  };
}
