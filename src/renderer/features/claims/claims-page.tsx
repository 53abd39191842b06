import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Row } from '../../../contract/query.ts';
import { Page } from '../../components/page.tsx';
import { usePlan } from '../../domain/list/default-columns.ts';
import { ScreenList } from '../../domain/list/screen-list.tsx';
import { useReviewList } from '../../domain/review/use-review-list.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { claimLayouts, claimPlan } from './claim-columns.ts';
import { ClaimPage } from './claim-page.tsx';

const renderClaim = (row: Row, at: number) =>
  typeof row.id === 'number' ? <ClaimPage claimId={row.id} from={{ list: 'claims', at }} /> : null;

/** All claims of the workspace. */
export function ClaimsPage() {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const plan = usePlan(claimPlan);
  const open = useCallback(
    (row: Row, at: number) => {
      if (typeof row.id !== 'number') return;
      void navigate({
        to: '/claims/$claimId',
        params: { claimId: row.id },
        search: { list: 'claims', at },
      });
    },
    [navigate],
  );
  const { dialogs, ...review } = useReviewList(workspace.id);
  return (
    <ScreenList
      workspace={workspace}
      entity="claims"
      one="claim"
      many="claims"
      plan={plan}
      layouts={claimLayouts}
      onOpen={open}
      renderRecord={renderClaim}
      {...review}
      frame={(actions, content) => (
        <Page title="Claims" documentTitle="Claims" actions={actions}>
          {content}
          {dialogs}
        </Page>
      )}
    />
  );
}
