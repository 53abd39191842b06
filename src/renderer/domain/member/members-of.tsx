import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Condition, Row } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { Section } from '../../components/page.tsx';
import styles from '../claim/claims-of.module.css';
import type { ColumnLayout } from '../list/grid/grid-columns.ts';
import { type ListPlan, startSettings } from '../list/list-settings.ts';
import { RecordList } from '../list/record-list.tsx';

const layouts: readonly ColumnLayout[] = [
  { path: 'id', width: 88, isLink: true },
  { path: 'last_name', width: 116, flex: 2 },
  { path: 'first_name', width: 110, flex: 2 },
  { path: 'email', width: 184, flex: 3 },
  { path: 'employer.name', width: 156, flex: 3 },
  { path: 'partner_key', width: 110 },
  { path: 'archived', width: 82 },
];

/** The members of an employer or a tenant, as a list of its own that a member page can walk. */
export function MembersOf(props: {
  workspace: Workspace;
  listId: string;
  conditions: readonly Condition[];
  emptyText: string;
}) {
  const { workspace, listId, conditions } = props;
  const navigate = useNavigate();
  const plan = useMemo<ListPlan>(
    () => ({
      entity: 'members',
      always: conditions,
      initial: startSettings({
        columns: layouts.map((layout) => layout.path),
        sort: [{ field: 'last_name', direction: 'asc' }],
        frozen: ['id'],
      }),
    }),
    [conditions],
  );
  const open = useCallback(
    (row: Row, at: number) => {
      if (typeof row.id !== 'number') return;
      void navigate({ to: '/members/$memberId', params: { memberId: row.id }, search: { list: listId, at } });
    },
    [navigate, listId],
  );
  return (
    <RecordList
      workspace={workspace}
      listId={listId}
      entity="members"
      one="member"
      many="members"
      plan={plan}
      layouts={layouts}
      onOpen={open}
      emptyText={props.emptyText}
      frame={(actions, content) => (
        <Section title="Members" actions={actions}>
          <div className={styles.claims}>{content}</div>
        </Section>
      )}
    />
  );
}
