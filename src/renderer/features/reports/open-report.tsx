import { ageRanges } from '../../../rules/age-ranges.ts';
import { localDayOf } from '../../../rules/days.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { ClaimSums } from '../../domain/claim/claim-sums.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { type Figure, figures } from '../../domain/figure/figures.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { groupName } from '../../domain/list/describe-group.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { ExportReport, openColumns } from './export-report.tsx';
import { openTable } from './report-rows.ts';
import styles from './reports-page.module.css';

const { openReviews, waitingReviews } = figures;

export function OpenReport() {
  const open = useOpenList();
  const today = localDayOf(useNow());
  const ranges = ageRanges(today);
  const lists = ranges.map(({ conditions }) => [...openReviews.counts, ...conditions]);
  const ages = useTotals(`open ${today}`, lists);
  const total = ages.data?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const owners = useOpenGroups('Owner', 'review.owner');
  const states = useOpenGroups('State', 'review.state');
  const whoms = useOpenGroups('Waiting on', 'review.on_whom', waitingReviews);
  const reasons = useOpenGroups('Reason', 'review.reason', waitingReviews);
  return (
    <Section
      title={openReviews.name}
      beside={<FigureNote of={[openReviews]} />}
      actions={
        <ExportReport
          table={openTable([
            {
              by: 'Age',
              groups: (ages.data ?? []).map((totals, at) => ({ name: ranges[at]?.label ?? '', totals })),
            },
            ...[owners, states, whoms, reasons].map(({ by, rows }) => ({ by, groups: rows })),
          ])}
          conditions={openReviews.counts}
          columns={openColumns}
          total={total}
        />
      }
    >
      <ErrorNotice error={ages.error} title="Couldn’t load open claims" />
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

/** The figures of open claims by a column, largest first. */
function useOpenGroups(by: string, column: string, figure: Figure = openReviews) {
  const open = useOpenList();
  const groups = useWorkspaceQuery('records:group', {
    query: { entity: 'claims', conditions: [...figure.counts] },
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
      onOpen: () => open('claims', [...figure.counts, ...conditions]),
    })),
  };
}

/** The most groups that are shown; the export has all. */
const maxShownGroups = 20;

function OpenGroups({ label, groups }: { label: string; groups: ReturnType<typeof useOpenGroups> }) {
  if (groups.rows.length === 0) return null;
  const rows = groups.rows.slice(0, maxShownGroups).map(({ name, ...row }) => ({ ...row, label: name }));
  return <ClaimSums label={label} head={groups.by} rows={rows} />;
}
