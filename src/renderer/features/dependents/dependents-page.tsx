import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import type { Row } from '../../../contract/query.ts';
import type { MemberRecord } from '../../../contract/records.ts';
import { Page } from '../../components/page.tsx';
import { defaultColumns, usePlan } from '../../domain/list/default-columns.ts';
import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { type ListPlan, startSettings } from '../../domain/list/list-settings.ts';
import { ScreenList } from '../../domain/list/screen-list.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { DependentPage } from './dependent-page.tsx';

const layouts: readonly ColumnLayout[] = [
  { path: 'id', width: 92, isLink: true },
  { path: 'last_name', width: 116, flex: 2 },
  { path: 'first_name', width: 110, flex: 2 },
  { path: 'middle_name', fromPx: 1600, width: 100, flex: 1 },
  { path: 'relationship', width: 110 },
  { path: 'member.name', width: 130, flex: 2 },
  { path: '$member_id', width: 98 },
  { path: 'date_of_birth', width: 104 },
  { path: 'ssn', width: 108 },
  { path: 'email', fromPx: 1600, width: 180, flex: 3 },
  { path: 'partner_key', fromPx: 1800, width: 110 },
];

const dependentsPlan = (windowPx: number): ListPlan => ({
  entity: 'dependents',
  initial: startSettings({
    columns: defaultColumns(layouts, windowPx),
    sort: [{ field: 'last_name', direction: 'asc' }],
    frozen: ['id'],
  }),
});

/** All dependents of all members. */
export function DependentsPage({ logins }: { logins: (member: MemberRecord) => ReactNode }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const plan = usePlan(dependentsPlan);
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
    <ScreenList
      workspace={workspace}
      entity="dependents"
      one="dependent"
      many="dependents"
      plan={plan}
      layouts={layouts}
      onOpen={open}
      renderRecord={(row, at) =>
        typeof row.id === 'number' ? (
          <DependentPage dependentId={row.id} from={{ list: 'dependents', at }} logins={logins} />
        ) : null
      }
      frame={(actions, content) => (
        <Page title="Dependents" documentTitle="Dependents" actions={actions}>
          {content}
        </Page>
      )}
    />
  );
}
