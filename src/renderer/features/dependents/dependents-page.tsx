import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Row } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { Page } from '../../components/page.tsx';
import type { ColumnLayout } from '../../components/record-grid/grid-columns.ts';
import { RecordList } from '../../components/record-list.tsx';
import type { ListPlan } from '../../lib/list-memory.tsx';
import { buildListQuery } from '../../lib/list-query.ts';

const layouts: readonly ColumnLayout[] = [
  { path: 'id', width: 96, isLink: true },
  { path: 'last_name', width: 130, flex: 2 },
  { path: 'first_name', width: 120, flex: 2 },
  { path: 'middle_name', width: 110, flex: 1 },
  { path: '$member_id', width: 92 },
  { path: 'date_of_birth', width: 104 },
  { path: 'ssn', width: 110 },
  { path: 'email', width: 190, flex: 3 },
  { path: 'partner_key', width: 120 },
];

const plan: ListPlan<null> = {
  initial: {
    search: '',
    filter: null,
    sort: [{ field: 'last_name', direction: 'asc' }],
    columns: layouts.map((layout) => layout.path),
  },
  toQuery: ({ search, sort }) => buildListQuery('dependents', { search, sort }),
};

/** All dependents of all members. */
export function DependentsPage({ workspace }: { workspace: Workspace }) {
  const navigate = useNavigate();
  const open = useCallback(
    (row: Row, at: number) => {
      if (typeof row.id !== 'number') return;
      void navigate({
        to: '/dependents/$dependentId',
        params: { dependentId: row.id },
        search: { list: 'dependents', at },
      });
    },
    [navigate],
  );
  return (
    <RecordList
      workspace={workspace}
      listId="dependents"
      entity="dependents"
      one="dependent"
      many="dependents"
      plan={plan}
      layouts={layouts}
      onOpen={open}
      frame={(actions, content) => (
        <Page title="Dependents" documentTitle="Dependents" actions={actions}>
          {content}
        </Page>
      )}
    />
  );
}
