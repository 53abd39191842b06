import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ListQuery, SumName, Totals } from '../../../../rules/query.ts';
import { useBridge } from '../../../lib/desk-context.tsx';
import { ask } from '../../../lib/desk-error.ts';
import { useListQuery } from '../../../lib/desk-query.ts';
import { useWorkspace } from '../../../lib/workspace-context.tsx';

export type GroupOrder = 'value' | 'count' | SumName;

/** The list beside the groups, as last made; null while it is being made. */
export interface ListMoment {
  readonly query: ListQuery;
  readonly snapshotId: string;
}

/**
 * Identifies the state of the records that the groups were made from. It changes when the list is made again for newer
 * data, but not when another group is shown, because groups need not be counted again then.
 */
function useMoment(made: ListMoment | null): string | null {
  const [moment, setMoment] = useState<string | null>(null);
  const last = useRef<string | null>(null);
  const query = made === null ? null : JSON.stringify(made.query);
  const snapshotId = made?.snapshotId ?? null;
  useEffect(() => {
    if (query === null || snapshotId === null) return;
    const isMadeAgain = last.current === null || last.current === query;
    last.current = query;
    if (isMadeAgain) setMoment(snapshotId);
  }, [query, snapshotId]);
  return moment;
}

/** The groups of a list by one column, independent of the group that it shows, and the totals of all rows. */
export function useGroups(options: {
  query: Omit<ListQuery, 'sort'>;
  by: string;
  order: GroupOrder;
  limit: number;
  made: ListMoment | null;
}) {
  const { query, by, order, limit } = options;
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  const moment = useMoment(options.made);
  const direction = order === 'value' && by !== 'date_of_service.month' ? 'asc' : 'desc';
  const groups = useListQuery('records:group', { workspaceId, query, by, order, direction, limit }, moment);
  const total = useQuery({
    queryKey: ['list', moment, 'total', workspaceId, query],
    enabled: moment !== null,
    gcTime: 10_000,
    // A claim of two members is in two groups, so their sums do not make the total.
    queryFn: async (): Promise<Totals> => {
      const made = await ask(bridge, 'records:getTotals', { workspaceId, query });
      const none = { billed: null, allowed: null, paid: null, patientResponsibility: null };
      return { ...none, ...made.totals, count: made.total };
    },
  });
  return { groups, total: total.data ?? null };
}
