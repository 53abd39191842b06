import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Entity } from '../../../contract/fields.ts';
import type { Row } from '../../../contract/query.ts';

/** What lists call their records. */
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

/** Opens the page of a row of this list. `isCompared`: a claim's page of duplicates. */
export function useOpenRecord(entity: Entity, list: string, isCompared = false) {
  const navigate = useNavigate();
  return useCallback(
    (row: Row, at: number) => {
      const id = recordIdOf(entity, row);
      if (id === null) return;
      const search = { list, at };
      if (entity === 'members') void navigate({ to: '/members/$memberId', params: { memberId: id }, search });
      else if (entity === 'dependents')
        void navigate({ to: '/dependents/$dependentId', params: { dependentId: id }, search });
      else {
        const to = isCompared ? '/claims/$claimId/duplicates' : '/claims/$claimId';
        void navigate({ to, params: { claimId: id }, search });
      }
    },
    [navigate, entity, list, isCompared],
  );
}
