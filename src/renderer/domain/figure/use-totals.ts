import { useQuery } from '@tanstack/react-query';
import type { Condition, Totals } from '../../../contract/query.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';

/** Count and sums of several lists of claims, in their order. */
export function useTotals(
  workspaceId: string,
  name: string,
  lists: readonly (readonly Condition[])[],
  { includesMissing = false }: { includesMissing?: boolean } = {},
) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['worklists', workspaceId, 'totals', name, lists, includesMissing],
    queryFn: async () => {
      const totals: Totals[] = [];
      for (const conditions of lists) {
        const list = await ask(bridge, 'records:open', {
          workspaceId,
          query: {
            entity: 'claims',
            conditions: [...conditions],
            ...(includesMissing ? { includesMissing } : {}),
          },
        });
        void bridge.call['records:close']({ workspaceId, snapshotId: list.snapshotId });
        if (list.totals !== null) totals.push(list.totals);
      }
      return totals;
    },
  });
}
