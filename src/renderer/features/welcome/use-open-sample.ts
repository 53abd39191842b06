import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** One click: the sample service starts, its workspace opens, and the sync begins by itself. */
export function useOpenSample(onOpened: () => void) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const opening = useMutation({
    mutationFn: async () => {
      const workspace = await ask(bridge, 'sample:open', {});
      const { activeId } = await ask(bridge, 'workspaces:list', {});
      if (activeId !== workspace.id) {
        await ask(bridge, 'workspaces:activate', { workspaceId: workspace.id });
      }
      const status = await ask(bridge, 'sync:getStatus', { workspaceId: workspace.id });
      if (status.running === null && status.lastComplete === null) {
        await ask(bridge, 'sync:start', { workspaceId: workspace.id });
      }
    },
    onSuccess: async () => {
      for (const domain of ['workspaces', 'sample', 'sync', 'keys']) {
        await cache.invalidateQueries({ queryKey: keyPrefixes.domain(domain) });
      }
      onOpened();
    },
  });
  return { open: () => opening.mutate(), isOpening: opening.isPending, error: opening.error };
}
