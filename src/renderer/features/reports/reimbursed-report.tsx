import { Table } from '@mantine/core';
import type { Condition } from '../../../contract/query.ts';
import type { ReviewReport } from '../../../contract/worklist-counts.ts';
import { Total } from '../../components/amount.tsx';
import { Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { Hint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import { ExportReport } from './export-report.tsx';
import { inPlanYear, planYearSums, reimbursedTable } from './report-rows.ts';
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

export function ReimbursedReport(props: { workspaceId: string; rows: ReviewReport['reimbursed'] }) {
  const { workspaceId, rows } = props;
  const employers = useDeskQuery('records:listEmployers', { workspaceId }).data?.employers ?? [];
  const total = useTotals(workspaceId, 'plan years', [figures.planYearReport.counts]).data?.[0]?.count ?? 0;
  const nameOf = (id: number) => employers.find((one) => one.id === id)?.name ?? `Employer ${id}`;
  return (
    <Section
      title={figures.planYearReport.name}
      beside={<FigureNote of={[figures.planYearReport]} />}
      actions={
        <ExportReport
          workspaceId={workspaceId}
          table={reimbursedTable(rows, nameOf)}
          conditions={figures.planYearReport.counts}
          columns={moneyColumns}
          total={total}
        />
      }
    >
      {rows.length === 0 ? (
        <Hint>No claims with an employer and dates yet.</Hint>
      ) : (
        <Scrollable label="Reimbursed against eligible, scrollable">
          <Table
            verticalSpacing={2}
            aria-label="Reimbursed against eligible"
            className={styles.figures ?? ''}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Employer</Table.Th>
                <Table.Th>Plan year</Table.Th>
                <Table.Th>Claims</Table.Th>
                {planYearSums.map(({ figure }) => (
                  <Table.Th key={figure.name}>{figure.name}</Table.Th>
                ))}
                <Table.Th>{figures.notKnown.name}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <YearRow
                  key={`${row.employerId} ${row.planYear}`}
                  workspaceId={workspaceId}
                  row={row}
                  employer={nameOf(row.employerId)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Scrollable>
      )}
      {rows.length > 0 && <Definitions />}
    </Section>
  );
}

/** An employer's plan year; each figure opens the claims that it is of. */
function YearRow(props: { workspaceId: string; row: ReviewReport['reimbursed'][number]; employer: string }) {
  const { row, employer } = props;
  const { employerId, planYear } = row;
  const open = useOpenList(props.workspaceId);
  const openClaims = (conditions: readonly Condition[], includesMissing = false) =>
    open(
      'claims',
      [...inPlanYear(employerId, planYear), ...conditions],
      [['members.employer.id', employerId, employer]],
      { includesMissing },
    );
  const show = (claims: number, name: string) => `Show ${formatCountOf(claims, 'claim')}: ${name}`;
  return (
    <Table.Tr>
      <Table.Td>
        <EmployerLink employer={{ id: employerId, name: employer }} />
      </Table.Td>
      <Table.Td>{planYear}</Table.Td>
      <Table.Td>
        <TextButton title={show(row.claims, 'all')} onClick={() => openClaims([])}>
          {formatCount(row.claims)}
        </TextButton>
      </Table.Td>
      {planYearSums.map(({ sum, figure }) => (
        <Table.Td key={sum}>
          {row[sum].claims === 0 ? (
            <Total amount={row[sum].amount} />
          ) : (
            <TextButton
              title={show(row[sum].claims, figure.name)}
              onClick={() => openClaims(figure.counts, sum === 'reimbursed')}
            >
              <Total amount={row[sum].amount} />
            </TextButton>
          )}
        </Table.Td>
      ))}
      <Table.Td>
        {row.notKnown === 0 ? (
          '0'
        ) : (
          <TextButton
            title={show(row.notKnown, figures.notKnown.name)}
            onClick={() => openClaims(figures.notKnown.counts)}
          >
            {formatCount(row.notKnown)}
          </TextButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Explains each column. */
function Definitions() {
  return (
    <dl className={styles.definitions}>
      {[...planYearSums.map(({ figure }) => figure), figures.notKnown].map(({ name, holds }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{holds}</dd>
        </div>
      ))}
    </dl>
  );
}
