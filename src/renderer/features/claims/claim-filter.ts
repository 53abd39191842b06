import type { Condition, ListQuery } from '../../../contract/query.ts';
import { addDays, parseMoment } from '../../lib/format-date.ts';
import { toDecimalText } from '../../lib/format-money.ts';
import type { ListSettings } from '../../lib/list-memory.tsx';
import { buildListQuery } from '../../lib/list-query.ts';

/** What the filter bar of a claims list holds: as typed, so that half a date is not lost. */
export interface ClaimFilter {
  readonly statuses: readonly string[];
  readonly networks: readonly string[];
  readonly serviceFrom: string;
  readonly serviceTo: string;
  readonly billedAtLeast: string;
}

export const noClaimFilter: ClaimFilter = {
  statuses: [],
  networks: [],
  serviceFrom: '',
  serviceTo: '',
  billedAtLeast: '',
};

/** Known values (field-notes §3); others may come and are found by the search box. */
export const claimStatuses = ['In Process', 'Processed', 'Partially Approved', 'Rejected', 'Adjusted'];
export const claimNetworks = ['IN', 'OUT', 'TIER1', 'TIER2'];

/**
 * The filter as conditions. The last day counts as a whole although a date may arrive as a date-time, so it
 * is asked for as "before the day after". What is not yet a date or a number asks for nothing.
 */
export function claimConditions(filter: ClaimFilter): Condition[] {
  const conditions: Condition[] = [];
  if (filter.statuses.length > 0) {
    conditions.push({ field: 'status', operator: 'isOneOf', values: [...filter.statuses] });
  }
  if (filter.networks.length > 0) {
    conditions.push({ field: 'network', operator: 'isOneOf', values: [...filter.networks] });
  }
  const from = parseMoment(filter.serviceFrom)?.day;
  if (from !== undefined) {
    conditions.push({ field: 'date_of_service.start', operator: 'atLeast', values: [from] });
  }
  const to = parseMoment(filter.serviceTo)?.day;
  if (to !== undefined) {
    conditions.push({ field: 'date_of_service.start', operator: 'lessThan', values: [addDays(to, 1)] });
  }
  const amount = toDecimalText(filter.billedAtLeast.replace(/[$,\s]/g, ''));
  if (amount !== null) {
    conditions.push({ field: 'amount_billed', operator: 'atLeast', values: [Number(amount)] });
  }
  return conditions;
}

export function claimQuery(
  settings: ListSettings<ClaimFilter>,
  always: readonly Condition[] = [],
): ListQuery {
  return buildListQuery('claims', {
    search: settings.search,
    conditions: [...always, ...claimConditions(settings.filter)],
    sort: settings.sort,
  });
}
