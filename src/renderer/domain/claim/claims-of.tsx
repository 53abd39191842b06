import { type ReactNode, useCallback } from 'react';
import type { Condition } from '../../../rules/query.ts';
import { Section } from '../../components/page.tsx';
import type { ColumnLayout } from '../list/grid/grid-columns.ts';
import { planOf, usePlan } from '../list/list-plan.ts';
import { RecordList } from '../list/record-list.tsx';
import { useReviewList } from '../review/use-review-list.tsx';
import styles from './claims-of.module.css';

const layoutsOfAll: readonly ColumnLayout[] = [
  { path: 'id', width: 84, isLink: true },
  { path: 'date_of_service', width: 140 },
  { path: 'patient_name', width: 112, flex: 3 },
  { path: 'service_provider', width: 128, flex: 4 },
  { path: 'type.name', width: 76 },
  { path: 'status', width: 142 },
  { path: 'review.state', width: 104, fromPx: 1440 },
  { path: 'network', width: 130, fromPx: 1600 },
  { path: 'amount_billed', width: 98 },
  { path: 'amount_allowed', width: 90, fromPx: 1600 },
  { path: 'amount_paid', width: 94 },
  { path: 'patient_responsibility', width: 104, header: 'Patient resp.' },
];

const layoutsOfPatient = layoutsOfAll.filter(({ path }) => path !== 'patient_name');

/** The claims of one person or organization, as a list that a claim page can step through. */
export function ClaimsOf(props: {
  listId: string;
  conditions: readonly Condition[];
  emptyText: string;
  /** All are claims of the same patient, whose page this is. */
  isOfPatient?: true;
  /** Shown beside the heading, such as how the claims were found. */
  beside?: ReactNode;
}) {
  const { listId, conditions, emptyText } = props;
  const layouts = props.isOfPatient ? layoutsOfPatient : layoutsOfAll;
  const plan = usePlan(useCallback((px) => planOf('claims', layouts, px, conditions), [layouts, conditions]));
  const { dialogs, ...review } = useReviewList();
  return (
    <RecordList
      listId={listId}
      entity="claims"
      plan={plan}
      layouts={layouts}
      emptyText={emptyText}
      {...review}
      frame={(actions, content) => (
        <Section title="Claims" beside={props.beside} actions={actions}>
          <div className={styles.claims}>{content}</div>
          {dialogs}
        </Section>
      )}
    />
  );
}
