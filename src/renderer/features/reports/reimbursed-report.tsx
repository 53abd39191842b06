import type { ReactNode } from 'react';
import type { ReviewReport } from '../../../contract/worklist-counts.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import type { Condition } from '../../../rules/query.ts';
import { Total } from '../../components/amount.tsx';
import { ScrollableTable, type TableColumn } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { ExportReport } from './export-report.tsx';
import { inPlanYear, notKnownRow, planYearSums, reimbursedTable } from './report-rows.ts';
import styles from './reports-page.module.css';

const moneyColumns = [
  'id',
  'date_of_service.first_day',
  'members.employer.name',
  'facts.plan_year',
  'patient_responsibility',
  'facts.eligible_by_rules',
  'review.outcome',
  'facts.eligible',
  'facts.declined',
  'review.cause',
  'facts.disputed',
  'review.reimbursed',
  'facts.open',
];

type PlanYear = ReviewReport['reimbursed'][number];

/** Shows the sums of each plan year of an employer; each figure opens the claims behind it. */
export function ReimbursedReport(props: { rows: readonly PlanYear[] }) {
  const { rows } = props;
  const employers = useWorkspaceQuery('records:listEmployers').data?.employers ?? [];
  const total = useTotals('plan years', [figures.planYearReport.counts]).data?.[0]?.count ?? 0;
  const nameOf = (id: number) => employers.find((employer) => employer.id === id)?.name ?? `Employer ${id}`;
  const open = useOpenList();
  const { notKnown } = figures;
  const opener = (
    { employerId, planYear }: PlanYear,
    claims: number,
    name: string,
    conditions: readonly Condition[],
    shown: ReactNode,
    includesMissing = false,
  ) => (
    <TextButton
      title={`Show ${formatCountOf(claims, 'claim')}: ${name}`}
      onClick={() =>
        open(
          'claims',
          [...inPlanYear(employerId, planYear), ...conditions],
          employerId === null ? [] : [['members.employer.id', employerId, nameOf(employerId)]],
          { includesMissing },
        )
      }
    >
      {shown}
    </TextButton>
  );
  return (
    <Section
      title={figures.planYearReport.name}
      beside={<FigureNote of={[figures.planYearReport]} />}
      actions={
        <ExportReport
          table={reimbursedTable(rows, nameOf)}
          conditions={figures.planYearReport.counts}
          columns={moneyColumns}
          total={total}
        />
      }
    >
      {rows.length === 0 ? (
        <Hint>No claims yet.</Hint>
      ) : (
        <ScrollableTable
          label="Reimbursed against eligible"
          className={styles.figures ?? ''}
          rows={rows}
          keyOf={({ employerId, planYear }) => `${employerId} ${planYear}`}
          columns={[
            [
              'Employer',
              ({ employerId: id }) =>
                id === null ? notKnownRow : <EmployerLink employer={{ id, name: nameOf(id) }} />,
            ],
            ['Plan year', ({ planYear }) => planYear ?? notKnownRow],
            ['Claims', (row) => opener(row, row.claims, 'all', [], formatCount(row.claims))],
            ...planYearSums.map(
              ({ sum, figure }): TableColumn<PlanYear> => [
                figure.name,
                (row) => {
                  const { claims, amount } = row[sum];
                  const shown = <Total amount={amount} />;
                  const isPaid = sum === 'reimbursed';
                  return claims === 0
                    ? shown
                    : opener(row, claims, figure.name, figure.counts, shown, isPaid);
                },
              ],
            ),
            [
              notKnown.name,
              (row) =>
                row.notKnown === 0
                  ? '0'
                  : opener(row, row.notKnown, notKnown.name, notKnown.counts, formatCount(row.notKnown)),
            ],
          ]}
        />
      )}
      {rows.length > 0 && <Definitions />}
    </Section>
  );
}

/** Explains each column. */
const Definitions = () => (
  <dl className={styles.definitions}>
    {[...planYearSums.map(({ figure }) => figure), figures.notKnown].map(({ name, holds }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{holds}</dd>
      </div>
    ))}
  </dl>
);
