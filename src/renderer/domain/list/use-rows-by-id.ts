import { useQuery } from '@tanstack/react-query';
import type { Row } from '../../../rules/query.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { readFirstRows } from './read-first-rows.ts';

/** A few columns of some records, by ID; those that are not on this computer are left out. */
export function useRowsById(
  entity: 'claims' | 'members',
  ids: readonly number[],
  fields: readonly string[],
): ReadonlyMap<number, Row> {
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  const { data } = useQuery({
    queryKey: ['records', workspaceId, 'named', entity, ids, fields],
    queryFn: () =>
      readFirstRows(bridge, {
        workspaceId,
        query: {
          entity,
          conditions: [{ field: 'id', operator: 'isOneOf', values: [...ids] }],
          includesMissing: true,
          ...(entity === 'members' ? { includesArchived: true } : {}),
        },
        limit: Math.max(1, ids.length),
        fields: ['id', ...fields],
        isLookup: true,
      }),
    enabled: ids.length > 0,
  });
  return new Map((data ?? []).flatMap((row) => (typeof row.id === 'number' ? [[row.id, row] as const] : [])));
}
