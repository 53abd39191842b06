import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Entity } from '../../../rules/list-fields.ts';
import type { Row } from '../../../rules/query.ts';
import type { ListRef } from './list-ref.ts';

/** The nouns for the records of each list. */
export const nounsOf = {
  claims: { one: 'claim', many: 'claims', title: 'Claims' },
  lines: { one: 'claim line', many: 'claim lines', title: 'Claim lines' },
  members: { one: 'member', many: 'members', title: 'Members' },
  dependents: { one: 'dependent', many: 'dependents', title: 'Dependents' },
} as const satisfies Record<Entity, { one: string; many: string; title: string }>;

/** The ID of the record that a row opens: a line opens its claim. Null: it has none. */
export function recordIdOf(entity: Entity, row: Row): number | null {
  const id = row[entity === 'lines' ? '$claim_id' : 'id'];
  return typeof id === 'number' ? id : null;
}

type Pages = Exclude<Entity, 'lines'> | 'duplicates';

/** Shows the page of a record, or a claim's page of duplicates, opened from a list. */
export function useGoToRecord(page: Pages) {
  const navigate = useNavigate();
  return useCallback(
    (id: number, search: ListRef, replace = false): Promise<void> => {
      const how = { search, replace };
      if (page === 'members') return navigate({ to: '/members/$memberId', params: { memberId: id }, ...how });
      if (page === 'dependents')
        return navigate({ to: '/dependents/$dependentId', params: { dependentId: id }, ...how });
      const to = page === 'duplicates' ? '/claims/$claimId/duplicates' : '/claims/$claimId';
      return navigate({ to, params: { claimId: id }, ...how });
    },
    [navigate, page],
  );
}

/** Opens the page of a row of this list. `isCompared`: a claim's page of duplicates. */
export function useOpenRecord(entity: Entity, list: string, isCompared = false) {
  const goTo = useGoToRecord(isCompared ? 'duplicates' : entity === 'lines' ? 'claims' : entity);
  return useCallback(
    (row: Row, at: number) => {
      const id = recordIdOf(entity, row);
      if (id !== null) void goTo(id, { list, at });
    },
    [goTo, entity, list],
  );
}
