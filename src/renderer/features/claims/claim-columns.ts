import type { ColumnLayout } from '../../components/record-grid/grid-columns.ts';
import type { ListSettings } from '../../lib/list-memory.tsx';
import { type ClaimFilter, noClaimFilter } from './claim-filter.ts';

/** The usual columns of a claims list, in an order that reads like the claim. */
export const claimLayouts: readonly ColumnLayout[] = [
  { path: 'id', width: 84, isLink: true },
  { path: 'date_of_service.start', width: 142 },
  { path: 'patient_name', width: 124, flex: 3 },
  { path: 'service_provider', width: 136, flex: 4 },
  { path: 'type.name', width: 72 },
  { path: 'status', width: 134 },
  { path: 'network', width: 82 },
  { path: 'amount_billed', width: 96 },
  { path: 'amount_allowed', width: 92 },
  { path: 'amount_paid', width: 96 },
  { path: 'patient_responsibility', width: 90, header: 'Patient' },
];

export const claimListStart: ListSettings<ClaimFilter> = {
  search: '',
  filter: noClaimFilter,
  sort: [{ field: 'date_of_service.start', direction: 'desc' }],
  columns: claimLayouts.map((layout) => layout.path),
};
