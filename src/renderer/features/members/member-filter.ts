import type { Condition, ListQuery } from '../../../contract/query.ts';
import type { ListSettings } from '../../lib/list-memory.tsx';
import { buildListQuery } from '../../lib/list-query.ts';

/** What the filter bar of the member list holds. */
export interface MemberFilter {
  readonly employer: string;
  readonly includesArchived: boolean;
}

export const noMemberFilter: MemberFilter = { employer: '', includesArchived: false };

export function memberConditions(filter: MemberFilter): Condition[] {
  const employer = filter.employer.trim();
  return employer === '' ? [] : [{ field: 'employer.name', operator: 'contains', values: [employer] }];
}

export function memberQuery(settings: ListSettings<MemberFilter>): ListQuery {
  return buildListQuery('members', {
    search: settings.search,
    conditions: memberConditions(settings.filter),
    sort: settings.sort,
    includesArchived: settings.filter.includesArchived,
  });
}
