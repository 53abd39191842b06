import type { ColumnLayout } from '../../components/record-grid/grid-columns.ts';
import { type ListPlan, startSettings } from '../../lib/list-settings.ts';

/** The usual columns of a claims list, in an order that reads like the claim. */
export const claimLayouts: readonly ColumnLayout[] = [
  { path: 'id', width: 84, isLink: true },
  { path: 'date_of_service.start', width: 140 },
  { path: 'patient_name', width: 88, flex: 3 },
  { path: 'service_provider', width: 88, flex: 4 },
  { path: 'status', width: 144 },
  { path: 'network', width: 68 },
  { path: 'amount_billed', width: 98 },
  { path: 'amount_allowed', width: 94 },
  { path: 'amount_paid', width: 92 },
  { path: 'patient_responsibility', width: 104, header: 'Patient resp.' },
];

export const claimPlan: ListPlan = {
  entity: 'claims',
  initial: startSettings({
    columns: claimLayouts.map((layout) => layout.path),
    sort: [{ field: 'date_of_service.start', direction: 'desc' }],
    frozen: ['id'],
  }),
};
