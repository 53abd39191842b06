import { Table, Text } from '@mantine/core';
import { reviewOutcomes } from '../../../contract/review.ts';
import { Section } from '../../components/page.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { formatDay } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';
import { outcomeLabels } from '../../lib/review-labels.ts';
import { ExportReport, openColumns } from './export-report.tsx';
import { doneTable, formatShare, sumByDay } from './report-rows.ts';
import styles from './reports-page.module.css';
import { useTotals } from './use-totals.ts';

const { doneReviews } = figures;
const doneColumns = [...openColumns, 'review.decided_outcome', 'review.by', 'review.changed_at'];

export function DoneReport(props: { workspaceId: string; done: Parameters<typeof sumByDay>[0] }) {
  const days = sumByDay(props.done);
  const total = useTotals(props.workspaceId, 'done', [[...doneReviews.counts]]).data?.[0]?.count ?? 0;
  return (
    <Section
      title={doneReviews.name}
      beside={<FigureNote of={[doneReviews]} />}
      actions={
        <ExportReport
          workspaceId={props.workspaceId}
          table={doneTable(days)}
          conditions={doneReviews.counts}
          columns={doneColumns}
          total={total}
        />
      }
    >
      {days.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing is done yet.
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label="Done by day, scrollable">
          <Table verticalSpacing={2} aria-label="Done by day and outcome" className={styles.figures ?? ''}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Day</Table.Th>
                {reviewOutcomes.map((outcome) => (
                  <Table.Th key={outcome}>{outcomeLabels[outcome]}</Table.Th>
                ))}
                <Table.Th>All</Table.Th>
                <Table.Th>Reopened</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map(({ day, byOutcome, claims, reopened }) => (
                <Table.Tr key={day}>
                  <Table.Td>{formatDay(day)}</Table.Td>
                  {reviewOutcomes.map((outcome) => (
                    <Table.Td key={outcome}>{formatCount(byOutcome[outcome])}</Table.Td>
                  ))}
                  <Table.Td>{formatCount(claims)}</Table.Td>
                  <Table.Td>
                    {formatCount(reopened)} ({formatShare(reopened, claims)})
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
