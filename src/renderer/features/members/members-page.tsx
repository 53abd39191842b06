import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import type { Row } from '../../../contract/query.ts';
import type { MemberRecord } from '../../../contract/records.ts';
import { Page } from '../../components/page.tsx';
import type { ColumnLayout } from '../../domain/list/grid/grid-columns.ts';
import { type ListPlan, startSettings } from '../../domain/list/list-settings.ts';
import { ScreenList } from '../../domain/list/screen-list.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { MemberPage } from './member-page.tsx';

const layouts: readonly ColumnLayout[] = [
  { path: 'id', width: 88, isLink: true },
  { path: 'last_name', width: 104, flex: 2 },
  { path: 'first_name', width: 100, flex: 2 },
  { path: 'email', width: 176, flex: 3 },
  { path: 'employer.name', width: 148, flex: 3 },
  { path: 'date_of_birth', width: 104 },
  { path: 'ssn', width: 110 },
  { path: 'partner_key', width: 104 },
  { path: 'archived', width: 80 },
];

const plan: ListPlan = {
  entity: 'members',
  initial: startSettings({
    columns: layouts.map((layout) => layout.path),
    sort: [{ field: 'last_name', direction: 'asc' }],
    frozen: ['id'],
  }),
};

/** All members of the workspace; archived ones only on request. */
export function MembersPage({ logins }: { logins: (member: MemberRecord) => ReactNode }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const open = useCallback(
    (row: Row, at: number) => {
      if (typeof row.id !== 'number') return;
      void navigate({
        to: '/members/$memberId',
        params: { memberId: row.id },
        search: { list: 'members', at },
      });
    },
    [navigate],
  );
  return (
    <ScreenList
      workspace={workspace}
      entity="members"
      one="member"
      many="members"
      plan={plan}
      layouts={layouts}
      onOpen={open}
      renderRecord={(row, at) =>
        typeof row.id === 'number' ? (
          <MemberPage memberId={row.id} from={{ list: 'members', at }} logins={logins} />
        ) : null
      }
      frame={(actions, content) => (
        <Page title="Members" documentTitle="Members" actions={actions}>
          {content}
        </Page>
      )}
    />
  );
}
