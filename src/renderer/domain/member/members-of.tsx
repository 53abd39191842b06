import { useCallback } from 'react';
import type { Condition } from '../../../rules/query.ts';
import { Section } from '../../components/page.tsx';
import styles from '../claim/claims-of.module.css';
import type { ColumnLayout } from '../list/grid/grid-columns.ts';
import { planOf, usePlan } from '../list/list-plan.ts';
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
export function MembersOf(props: { listId: string; conditions: readonly Condition[]; emptyText: string }) {
  const { conditions, ...list } = props;
  const plan = usePlan(useCallback((px) => planOf('members', layouts, px, conditions), [conditions]));
  return (
    <RecordList
      {...list}
      entity="members"
      plan={plan}
      layouts={layouts}
      frame={(actions, content) => (
        <Section title="Members" actions={actions}>
          <div className={styles.claims}>{content}</div>
        </Section>
      )}
    />
  );
}
