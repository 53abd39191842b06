import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { ScreenList } from '../../domain/list/screen-list.tsx';
import { ClaimPage } from './claim-pages.ts';

/** At 1280 the procedure needs the space more than some others. */
const layouts: readonly ColumnLayout[] = [
  { path: '$claim_id', width: 84, isLink: true },
  { path: 'id', fromPx: 1600, width: 84 },
  { path: 'date_of_service', width: 140 },
  { path: 'procedure_code', width: 96 },
  { path: 'procedure_name', width: 150, flex: 2 },
  { path: 'members.name', fromPx: 1600, width: 110, flex: 1 },
  { path: 'members.employer.name', fromPx: 1600, width: 110, flex: 1 },
  { path: 'quantity', width: 80 },
  { path: 'amount_billed', width: 98 },
  { path: 'amount_allowed', width: 94 },
  { path: 'amount_paid', width: 92 },
  { path: 'patient_responsibility', width: 104, header: 'Patient resp.' },
];

/** All claim lines; a row opens its claim. */
export const LinesPage = () => (
  <ScreenList
    entity="lines"
    layouts={layouts}
    renderRecord={(id, from) => <ClaimPage claimId={id} from={from} />}
  />
);
