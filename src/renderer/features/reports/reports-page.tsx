import { Stack } from '@mantine/core';
import { formatCount } from '../../../rules/count.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { reviewOutcomes } from '../../../rules/review/decision.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Loaded } from '../../components/error-notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { Hint } from '../../components/text.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { useHasTeam } from '../../domain/team/use-has-team.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { decidedColumns, ExportReport } from './export-report.tsx';
import { LettersReport } from './letters-report.tsx';
import { OpenReport } from './open-report.tsx';
import { OwedReport } from './owed-report.tsx';
import { PeopleReport } from './people-report.tsx';
import { ReimbursedReport } from './reimbursed-report.tsx';
import { doneTable, formatShare, sumByDay } from './report-rows.ts';
import styles from './reports-page.module.css';
import { RulesReport } from './rules-report.tsx';

/**
 * The state of reviews: open claims, in a team by person, completed work, and reimbursements. Each part exports its
 * figures and its claims.
 */
export function ReportsPage() {
  const hasTeam = useHasTeam();
  const today = localDayOf(useNow());
  const report = useWorkspaceQuery('worklists:report', {}, { keepsPrevious: true });
  return (
    <Page title="Reports" documentTitle="Reports">
      <Stack gap="sm">
        <OpenReport />
        {hasTeam && <PeopleReport />}
        <Loaded query={report} what="the reports">
          {({ done, byRules, reimbursed }) => (
            <>
              <DoneReport done={done} />
              <RulesReport rows={byRules} days={sumByDay(done)} today={today} />
              <ReimbursedReport rows={reimbursed} />
              <OwedReport />
              <LettersReport />
            </>
          )}
        </Loaded>
      </Stack>
    </Page>
  );
}

const { doneReviews } = figures;

function DoneReport(props: { done: Parameters<typeof sumByDay>[0] }) {
  const days = sumByDay(props.done);
  const total = useTotals('done', [[...doneReviews.counts]]).data?.[0]?.count ?? 0;
  return (
    <Section
      title={doneReviews.name}
      beside={<FigureNote of={[doneReviews]} />}
      actions={
        <ExportReport
          table={doneTable(days)}
          conditions={doneReviews.counts}
          columns={decidedColumns}
          total={total}
        />
      }
    >
      {days.length === 0 ? (
        <Hint>Nothing is done yet.</Hint>
      ) : (
        <Scrollable label="Done by day, scrollable">
          <DataTable
            label="Done by day and outcome"
            verticalSpacing={2}
            className={styles.figures ?? ''}
            rows={days}
            keyOf={({ day }) => day}
            columns={[
              ['Day', ({ day }) => formatDay(day)],
              ...reviewOutcomes.map(
                (outcome): TableColumn<(typeof days)[number]> => [
                  outcomeLabels[outcome],
                  ({ byOutcome }) => formatCount(byOutcome[outcome]),
                ],
              ),
              ['All', ({ claims }) => formatCount(claims)],
              [
                'Reopened',
                ({ reopened, claims }) => `${formatCount(reopened)} (${formatShare(reopened, claims)})`,
              ],
            ]}
          />
        </Scrollable>
      )}
    </Section>
  );
}
