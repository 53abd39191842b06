import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Workspace } from '../../contract/workspace.ts';
import { useDeskMutation, useDeskQuery } from './desk-query.ts';
import { keyPrefixes } from './query-keys.ts';

function subscribeOnline(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

function isLoopback(baseUrl: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(baseUrl);
}

/** The sync of a workspace: where it stands, and everything a person can do with it. */
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
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const isServiceReachable = workspace.isSample
    ? sample.data?.isRunning !== false
    : isOnline || isLoopback(workspace.baseUrl);
  return {
    status: status.data,
    error: status.error,
    isServiceReachable,
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
