import { Table, Text } from '@mantine/core';
import type { Condition } from '../../../contract/query.ts';
import { Total } from '../../components/amount.tsx';
import { Section } from '../../components/page.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatCount } from '../../lib/format-value.ts';
import { ExportReport } from './export-report.tsx';
import { reimbursedTable } from './report-rows.ts';
import styles from './reports-page.module.css';
import { useTotals } from './use-totals.ts';

const moneyColumns = [
  'id',
  'date_of_service.first_day',
  'members.employer.name',
  'facts.plan_year',
  'patient_responsibility',
  'facts.eligible',
  'review.reimbursed',
  'facts.open',
];

export function ReimbursedReport(props: {
  workspaceId: string;
  rows: readonly {
    employerId: number;
    planYear: string;
    claims: number;
    eligible: number;
    reimbursed: number;
  }[];
}) {
  const { workspaceId, rows } = props;
  const open = useOpenList(workspaceId);
  const employers = useDeskQuery('records:listEmployers', { workspaceId }).data?.employers ?? [];
  const inYears: Condition[] = [{ field: 'facts.plan_year', operator: 'isNotEmpty', values: [] }];
  const total = useTotals(workspaceId, 'plan years', [inYears]).data?.[0]?.count ?? 0;
  const nameOf = (id: number) => employers.find((one) => one.id === id)?.name ?? `Employer ${id}`;
  return (
    <Section
      title="Reimbursed against eligible"
      beside={
        <Text size="xs" c="dimmed">
          For your records. A claim of two employers counts for both. Reimbursed includes claims no longer in
          the service.
        </Text>
      }
      actions={
        <ExportReport
          workspaceId={workspaceId}
          table={reimbursedTable(rows, nameOf)}
          conditions={inYears}
          columns={moneyColumns}
          total={total}
        />
      }
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          No claims with an employer and dates yet.
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label="Reimbursed against eligible, scrollable">
          <Table
            verticalSpacing={2}
            aria-label="Reimbursed against eligible"
            className={styles.figures ?? ''}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Employer</Table.Th>
                {['Plan year', 'Claims', 'Eligible', 'Reimbursed', 'Open'].map((head) => (
                  <Table.Th key={head}>{head}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ employerId, planYear, claims, eligible, reimbursed }) => (
                <Table.Tr key={`${employerId} ${planYear}`}>
                  <Table.Td>
                    <EmployerLink employer={{ id: employerId, name: nameOf(employerId) }} />
                  </Table.Td>
                  <Table.Td>{planYear}</Table.Td>
                  <Table.Td>
                    <button
                      type="button"
                      className={styles.count}
                      title="Show these claims"
                      onClick={() =>
                        open(
                          'claims',
                          [
                            { field: 'members.employer.id', operator: 'is', values: [employerId] },
                            { field: 'facts.plan_year', operator: 'is', values: [planYear] },
                          ],
                          [['members.employer.id', employerId, nameOf(employerId)]],
                        )
                      }
                    >
                      {formatCount(claims)}
                    </button>
                  </Table.Td>
                  <Table.Td>
                    <Total amount={eligible} />
                  </Table.Td>
                  <Table.Td>
                    <Total amount={reimbursed} />
                  </Table.Td>
                  <Table.Td>
                    <Total amount={eligible - reimbursed} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Section>
  );
}
