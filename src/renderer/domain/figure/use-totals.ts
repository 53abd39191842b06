import { useQuery } from '@tanstack/react-query';
import type { Condition, Totals } from '../../../rules/query.ts';
import { useAsk } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** Count and sums of several lists of claims, in their order. */
export function useTotals(
  name: string,
  lists: readonly (readonly Condition[])[],
  { includesMissing = false }: { includesMissing?: boolean } = {},
) {
  const { id: workspaceId } = useWorkspace();
  const ask = useAsk();
  return useQuery({
    queryKey: ['worklists', workspaceId, 'totals', name, lists, includesMissing],
    queryFn: async () => {
      const totals: Totals[] = [];
      for (const conditions of lists) {
        const query = { entity: 'claims' as const, conditions: [...conditions], includesMissing };
        const answer = await ask('records:getTotals', { query });
        if (answer.totals !== null) totals.push(answer.totals);
      }
      return totals;
    },
  });
}
