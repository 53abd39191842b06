import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Row } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { Page } from '../../components/page.tsx';
import { RecordList } from '../../components/record-list.tsx';
import type { ListPlan } from '../../lib/list-memory.tsx';
import { claimLayouts, claimListStart } from './claim-columns.ts';
import { type ClaimFilter, claimQuery } from './claim-filter.ts';
import { ClaimFilterBar } from './claim-filter-bar.tsx';

const plan: ListPlan<ClaimFilter> = {
  initial: claimListStart,
  toQuery: (settings) => claimQuery(settings),
};

/** All claims of the workspace. */
export function ClaimsPage({ workspace }: { workspace: Workspace }) {
  const navigate = useNavigate();
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
  return (
    <RecordList
      workspace={workspace}
      listId="claims"
      entity="claims"
      one="claim"
      many="claims"
      plan={plan}
      layouts={claimLayouts}
      filters={(filter, onChange) => <ClaimFilterBar filter={filter} onChange={onChange} />}
      onOpen={open}
      frame={(actions, content) => (
        <Page title="Claims" documentTitle="Claims" actions={actions}>
          {content}
        </Page>
      )}
    />
  );
}
