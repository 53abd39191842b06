import { useQuery } from '@tanstack/react-query';
import type { Condition, Totals } from '../../../rules/query.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** Count and sums of several lists of claims, in their order. */
export function useTotals(
  name: string,
  lists: readonly (readonly Condition[])[],
  { includesMissing = false }: { includesMissing?: boolean } = {},
) {
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  return useQuery({
    queryKey: ['worklists', workspaceId, 'totals', name, lists, includesMissing],
    queryFn: async () => {
      const totals: Totals[] = [];
      for (const conditions of lists) {
        const query = { entity: 'claims' as const, conditions: [...conditions], includesMissing };
        const answer = await ask(bridge, 'records:getTotals', { workspaceId, query });
        if (answer.totals !== null) totals.push(answer.totals);
      }
      return totals;
    },
  });
}
