import { Button, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { localDayOf } from '../../../contract/days.ts';
import type { ReportSource } from '../../../contract/export.ts';
import type { Condition, Totals } from '../../../contract/query.ts';
import { reviewOutcomes } from '../../../contract/review.ts';
import { Total } from '../../components/amount.tsx';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { ClaimSums } from '../../domain/claim/claim-sums.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { groupName } from '../../domain/list/describe-group.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDay } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';
import { outcomeLabels } from '../../lib/review-labels.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import {
  ageRanges,
  doneCondition,
  doneTable,
  formatShare,
  openCondition,
  openTable,
  reimbursedTable,
  sumByDay,
} from './report-rows.ts';
import styles from './reports-page.module.css';

const openColumns = [
  'id',
  'date_of_service.first_day',
  'date_of_service.last_day',
  'patient_name',
  'service_provider',
  'status',
  'patient_responsibility',
  'review.state',
  'review.owner',
  'review.on_whom',
  'review.reminder',
  'review.at',
];
const doneColumns = [...openColumns, 'review.decided_outcome', 'review.by', 'review.changed_at'];
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

/** How reviews stand: what is open, what was done, and what was reimbursed. Each exports its figures and its claims. */
export function ReportsPage() {
  const { id: workspaceId } = useWorkspace();
  const report = useDeskQuery('worklists:report', { workspaceId }, { keepsPrevious: true });
  return (
    <Page title="Reports" documentTitle="Reports">
      <Stack gap="sm">
        <OpenReport workspaceId={workspaceId} />
        {report.error !== null && (
          <ErrorNotice
            error={report.error}
            title="Couldn’t load the reports"
            action={<RetryButton onRetry={() => void report.refetch()} />}
          />
        )}
        {report.isPending && <LoadingState what="the reports" />}
        {report.data !== undefined && (
          <>
            <DoneReport workspaceId={workspaceId} done={report.data.done} />
            <ReimbursedReport workspaceId={workspaceId} rows={report.data.reimbursed} />
          </>
        )}
      </Stack>
    </Page>
  );
}

/** Exports a report: its figures as they are shown, or the claims behind them. */
function ExportReport(props: {
  workspaceId: string;
  table: ReportSource;
  conditions: readonly Condition[];
  columns: readonly string[];
  total: number;
}) {
  const { requestExport } = useAppActions();
  const { workspaceId, table, columns, total } = props;
  const about = table.title.toLowerCase();
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Export table… (${about})`}
        disabled={table.rows.length === 0}
        onClick={() =>
          requestExport({
            workspaceId,
            source: table,
            total: table.rows.length,
            shownColumns: table.columns.map(({ path }) => path),
          })
        }
      >
        Export table…
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Export claims… (${about})`}
        disabled={total === 0}
        onClick={() =>
          requestExport({
            workspaceId,
            source: { kind: 'list', query: { entity: 'claims', conditions: [...props.conditions] } },
            total,
            shownColumns: columns,
          })
        }
      >
        Export claims…
      </Button>
    </>
  );
}

/** Count and sums of several lists of claims, in their order. */
function useTotals(workspaceId: string, name: string, lists: readonly (readonly Condition[])[]) {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['worklists', workspaceId, 'totals', name, lists],
    queryFn: async () => {
      const totals: Totals[] = [];
      for (const conditions of lists) {
        const list = await ask(bridge, 'records:open', {
          workspaceId,
          query: { entity: 'claims', conditions: [...conditions] },
        });
        void bridge.call['records:close']({ workspaceId, snapshotId: list.snapshotId });
        if (list.totals !== null) totals.push(list.totals);
      }
      return totals;
    },
  });
}

function OpenReport({ workspaceId }: { workspaceId: string }) {
  const open = useOpenList(workspaceId);
  const today = localDayOf(useNow());
  const ranges = ageRanges(today);
  const lists = ranges.map(({ conditions }) => [openCondition, ...conditions]);
  const ages = useTotals(workspaceId, `open ${today}`, lists);
  const total = ages.data?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const owners = useOpenGroups(workspaceId, 'Owner', 'review.owner');
  const states = useOpenGroups(workspaceId, 'State', 'review.state');
  const waiting = ['waiting', 'back', 'escalated'];
  const whoms = useOpenGroups(workspaceId, 'On whom', 'review.on_whom', waiting);
  const reasons = useOpenGroups(workspaceId, 'Reason', 'review.reason', waiting);
  return (
    <Section
      title="Open"
      beside={
        <Text size="xs" c="dimmed">
          Claims in scope that nobody is done with. Age is counted from the last day of service.
        </Text>
      }
      actions={
        <ExportReport
          workspaceId={workspaceId}
          table={openTable([
            {
              by: 'Age',
              groups: (ages.data ?? []).map((totals, at) => ({ name: ranges[at]?.label ?? '', totals })),
            },
            ...[owners, states, whoms, reasons].map(({ by, rows }) => ({ by, groups: rows })),
          ])}
          conditions={[openCondition]}
          columns={openColumns}
          total={total}
        />
      }
    >
      {ages.error !== null && <ErrorNotice error={ages.error} title="Couldn’t load open claims" />}
      <div className={styles.tables}>
        <ClaimSums
          label="Open by age"
          head="Age"
          rows={(ages.data ?? []).flatMap((totals, at) =>
            totals.count === 0
              ? []
              : [
                  {
                    key: String(at),
                    label: ranges[at]?.label,
                    totals,
                    onOpen: () => open('claims', lists[at] ?? []),
                  },
                ],
          )}
        />
        <OpenGroups label="Open by owner" groups={owners} />
        <OpenGroups label="Open by state" groups={states} />
        <OpenGroups label="Waiting and escalated by whom" groups={whoms} />
        <OpenGroups label="Waiting and escalated by reason" groups={reasons} />
      </div>
    </Section>
  );
}

/** The figures of open claims by a column, largest first; `states`: of claims in these alone. */
function useOpenGroups(workspaceId: string, by: string, column: string, states?: readonly string[]) {
  const open = useOpenList(workspaceId);
  const condition: Condition =
    states === undefined ? openCondition : { ...openCondition, values: [...states] };
  const groups = useDeskQuery('records:group', {
    workspaceId,
    query: { entity: 'claims', conditions: [condition] },
    by: column,
    order: 'count',
    direction: 'desc',
    limit: 1000,
  });
  return {
    by,
    rows: (groups.data?.groups ?? []).map(({ value, label, totals, conditions }) => ({
      key: String(value),
      name: groupName(column, value, label),
      totals,
      onOpen: () => open('claims', [condition, ...conditions]),
    })),
  };
}

/** More groups are in the export alone. */
const maxShownGroups = 20;

function OpenGroups({ label, groups }: { label: string; groups: ReturnType<typeof useOpenGroups> }) {
  if (groups.rows.length === 0) return null;
  const rows = groups.rows.slice(0, maxShownGroups).map(({ name, ...row }) => ({ ...row, label: name }));
  return <ClaimSums label={label} head={groups.by} rows={rows} />;
}

function DoneReport(props: { workspaceId: string; done: Parameters<typeof sumByDay>[0] }) {
  const days = sumByDay(props.done);
  const total = useTotals(props.workspaceId, 'done', [[doneCondition]]).data?.[0]?.count ?? 0;
  return (
    <Section
      title="Done by day and outcome"
      beside={
        <Text size="xs" c="dimmed">
          A claim counts on each day it was done. Reopened: a sync changed it after that.
        </Text>
      }
      actions={
        <ExportReport
          workspaceId={props.workspaceId}
          table={doneTable(days)}
          conditions={[doneCondition]}
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

function ReimbursedReport(props: {
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
