import type { ColumnLayout } from '../../components/record-grid/grid-columns.ts';
import type { ListSettings } from '../../lib/list-memory.tsx';
import { type ClaimFilter, noClaimFilter } from './claim-filter.ts';

/** The usual columns of a claims list, in an order that reads like the claim. */
export const claimLayouts: readonly ColumnLayout[] = [
  { path: 'id', width: 68, isLink: true },
  { path: 'date_of_service.start', width: 132 },
  { path: 'patient_name', width: 110, flex: 3 },
  { path: 'service_provider', width: 112, flex: 4 },
  { path: 'type.name', width: 68 },
  { path: 'status', width: 144 },
  { path: 'network', width: 72 },
  { path: 'amount_billed', width: 90 },
  { path: 'amount_allowed', width: 84 },
  { path: 'amount_paid', width: 84 },
  { path: 'patient_responsibility', width: 84, header: 'Patient' },
];

export const claimListStart: ListSettings<ClaimFilter> = {
  search: '',
  filter: noClaimFilter,
  sort: [{ field: 'date_of_service.start', direction: 'desc' }],
  columns: claimLayouts.map((layout) => layout.path),
};
