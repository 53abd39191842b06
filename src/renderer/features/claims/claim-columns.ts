import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';

/**
 * The default columns of a claims list, in the order of a claim. Some are only in wide windows, because patient and
 * provider need the space more; the allowed amount is also among the totals.
 */
export const claimLayouts: readonly ColumnLayout[] = [
  { path: 'id', width: 84, isLink: true },
  { path: 'date_of_service', width: 140 },
  { path: 'patient_name', width: 84, fittingWidth: 110, flex: 3, besideRank: 1 },
  { path: 'service_provider', width: 84, fittingWidth: 150, flex: 4, besideRank: 2 },
  { path: 'status', width: 140, besideRank: 1 },
  { path: 'members.name', fromPx: 1800, width: 110, flex: 2 },
  { path: 'members.employer.name', fromPx: 1800, width: 110, flex: 2 },
  { path: 'carrier', fromPx: 2200, width: 130, flex: 1 },
  { path: 'review.state', width: 104 },
  { path: 'review.outcome', fromPx: 2200, width: 118 },
  { path: 'type.name', fromPx: 1600, width: 90 },
  { path: 'network', fromPx: 1440, width: 130 },
  { path: 'amount_billed', width: 94 },
  { path: 'amount_allowed', fromPx: 1600, width: 90 },
  { path: 'amount_paid', fromPx: 1440, width: 90 },
  { path: 'patient_responsibility', width: 104, header: 'Patient resp.', besideRank: 1 },
];

/** The columns of a worklist: those that show why a claim is in it have short titles, and texts take the space that names leave. */
export const worklistLayouts: readonly ColumnLayout[] = [
  { path: 'patient_name', width: 124, fittingWidth: 110, flex: 3, besideRank: 1 },
  ...claimLayouts,
  { path: 'facts.denial', width: 140 },
  { path: 'review.appeal', width: 84 },
  { path: 'review.owner', width: 190 },
  { path: 'remarks', width: 120, flex: 5, header: 'Carrier’s reason' },
  { path: 'review.on_whom', width: 120, flex: 1 },
  { path: 'review.reason', width: 120, flex: 2 },
  { path: 'review.changed_fields', width: 190, flex: 3 },
  { path: 'review.changed_responsibility', width: 110, header: 'Change' },
  { path: 'facts.changed_since_paid', width: 190 },
  { path: 'facts.amounts_disagree', width: 150 },
  { path: 'facts.carrier_deductible', width: 140, header: 'Deductible off by' },
  { path: 'facts.carrier_out_of_pocket', width: 150, header: 'Over out-of-pocket' },
  { path: 'facts.carrier_difference', width: 140, header: 'Largest difference' },
  { path: 'facts.high_cost_from', width: 100, header: 'Threshold' },
  { path: 'amount_paid_other', width: 130, header: 'Other insurance' },
];

/** The columns of the worklist *Escalated*, whose claims wait on no one. */
export const escalatedLayouts: readonly ColumnLayout[] = worklistLayouts.map((layout) =>
  layout.path === 'review.on_whom' ? { ...layout, header: 'Escalated to' } : layout,
);
