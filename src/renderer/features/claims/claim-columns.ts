import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { type ListPlan, startSettings } from '../../domain/list/list-settings.ts';

/** The default columns of a claims list, in the order of a claim. */
export const claimLayouts: readonly ColumnLayout[] = [
  { path: 'id', width: 84, isLink: true },
  { path: 'date_of_service', width: 140 },
  { path: 'patient_name', width: 84, fittingWidth: 130, flex: 3 },
  { path: 'service_provider', width: 84, fittingWidth: 150, flex: 4 },
  { path: 'members.name', width: 110, flex: 2 },
  { path: 'members.employer.name', width: 110, flex: 2 },
  { path: 'status', width: 142 },
  { path: 'review.state', width: 104 },
  { path: 'review.outcome', width: 118 },
  { path: 'type.name', width: 90 },
  { path: 'network', width: 130 },
  { path: 'amount_billed', width: 94 },
  { path: 'amount_allowed', width: 90 },
  { path: 'amount_paid', width: 90 },
  { path: 'patient_responsibility', width: 104, header: 'Patient resp.' },
];

/**
 * The width of the window in pixels from which a column is there from the start: before that, patient and provider need
 * the space more, and totals show the allowed amount of any list.
 */
const fromWidth: Readonly<Record<string, number>> = {
  network: 1440,
  amount_allowed: 1600,
  'review.outcome': 1600,
  'type.name': 1600,
  'members.name': 1800,
  'members.employer.name': 1800,
};

export const claimPlan: ListPlan = {
  entity: 'claims',
  initial: startSettings({
    columns: claimLayouts
      .map((layout) => layout.path)
      .filter((path) => globalThis.innerWidth >= (fromWidth[path] ?? 0)),
    sort: [{ field: 'date_of_service', direction: 'desc' }],
    frozen: ['id'],
  }),
};
