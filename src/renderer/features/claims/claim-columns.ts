import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { type ListPlan, startSettings } from '../../domain/list/list-settings.ts';

/** From this width there is space for more columns than at 1280. */
const isWideScreen = globalThis.innerWidth >= 1600;

/** The default columns of a claims list, in the order of a claim. */
export const claimLayouts: readonly ColumnLayout[] = [
  { path: 'id', width: 84, isLink: true },
  { path: 'date_of_service', width: 140 },
  { path: 'patient_name', width: 84, flex: 3 },
  { path: 'service_provider', width: 84, flex: 4 },
  { path: 'status', width: 142 },
  { path: 'type.name', width: 90 },
  { path: 'network', width: 126 },
  { path: 'amount_billed', width: 94 },
  { path: 'amount_allowed', width: 90 },
  { path: 'amount_paid', width: 90 },
  { path: 'patient_responsibility', width: 104, header: 'Patient resp.' },
];

/** Totals show the allowed amount of any list; at 1280, patient and provider need the space more. */
const onWideScreens: ReadonlySet<string> = new Set(['amount_allowed', 'type.name']);

export const claimPlan: ListPlan = {
  entity: 'claims',
  initial: startSettings({
    columns: claimLayouts
      .map((layout) => layout.path)
      .filter((path) => isWideScreen || !onWideScreens.has(path)),
    sort: [{ field: 'date_of_service', direction: 'desc' }],
    frozen: ['id'],
  }),
};
