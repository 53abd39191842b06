import type { Row } from '../../../rules/query.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** A few columns of some records, by ID; those that are not on this computer are left out. */
export function useRowsById(
  entity: 'claims' | 'members',
  ids: readonly number[],
  fields: readonly string[],
): ReadonlyMap<number, Row> {
  const { data } = useWorkspaceQuery(
    'records:readFirst',
    {
      query: {
        entity,
        conditions: [{ field: 'id', operator: 'isOneOf', values: [...ids] }],
        includesMissing: true,
        ...(entity === 'members' ? { includesArchived: true } : {}),
      },
      limit: Math.max(1, ids.length),
      fields: ['id', ...fields],
      isLookup: true,
    },
    { enabled: ids.length > 0 },
  );
  return new Map(
    (data?.rows ?? []).flatMap((row) => (typeof row.id === 'number' ? [[row.id, row] as const] : [])),
  );
}
