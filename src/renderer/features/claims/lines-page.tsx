import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Row } from '../../../contract/query.ts';
import { Page } from '../../components/page.tsx';
import { defaultColumns, usePlan } from '../../domain/list/default-columns.ts';
import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { type ListPlan, startSettings } from '../../domain/list/list-settings.ts';
import { ScreenList } from '../../domain/list/screen-list.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ClaimPage } from './claim-page.tsx';

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

const linesPlan = (windowPx: number): ListPlan => ({
  entity: 'lines',
  initial: startSettings({
    columns: defaultColumns(layouts, windowPx),
    sort: [{ field: 'date_of_service', direction: 'desc' }],
    frozen: ['$claim_id'],
  }),
});

const renderClaim = ({ $claim_id: claimId }: Row, at: number) =>
  typeof claimId === 'number' ? <ClaimPage claimId={claimId} from={{ list: 'lines', at }} /> : null;

/** All claim lines; a row opens its claim. */
export function LinesPage() {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const plan = usePlan(linesPlan);
  const open = useCallback(
    (row: Row, at: number) => {
      const claimId = row.$claim_id;
      if (typeof claimId !== 'number') return;
      void navigate({ to: '/claims/$claimId', params: { claimId }, search: { list: 'lines', at } });
    },
    [navigate],
  );
  return (
    <ScreenList
      workspace={workspace}
      entity="lines"
      one="claim line"
      many="claim lines"
      plan={plan}
      layouts={layouts}
      onOpen={open}
      renderRecord={renderClaim}
      frame={(actions, content) => (
        <Page title="Claim lines" documentTitle="Claim lines" actions={actions}>
          {content}
        </Page>
      )}
    />
  );
}
