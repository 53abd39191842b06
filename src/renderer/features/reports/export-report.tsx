import type { ReportSource } from '../../../contract/export.ts';
import type { Condition } from '../../../rules/query.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** Columns of the claims behind a report of reviews. */
export const openColumns = [
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

export const decidedColumns = [...openColumns, 'review.decided_outcome', 'review.by', 'review.changed_at'];

/** Exports a report: its figures as they are shown, or the claims behind them. */
export function ExportReport(props: {
  table: ReportSource;
  /** How many rows the table has, where the engine reads them. */
  rows?: number;
  conditions: readonly Condition[];
  columns: readonly string[];
  total: number;
  /** Includes claims that the service no longer returns, where the report counts them. */
  includesMissing?: boolean;
}) {
  const { id: workspaceId } = useWorkspace();
  const { requestExport } = useAppActions();
  const { table, columns, total } = props;
  const { rows = table.rows.length } = props;
  const about = table.title.toLowerCase();
  return (
    <>
      <SmallButton
        aria-label={`Export table… (${about})`}
        disabled={rows === 0}
        onClick={() =>
          requestExport({
            workspaceId,
            source: table,
            total: rows,
            shownColumns: table.columns.map(({ path }) => path),
          })
        }
      >
        Export table…
      </SmallButton>
      <SmallButton
        aria-label={`Export claims… (${about})`}
        disabled={total === 0}
        onClick={() =>
          requestExport({
            workspaceId,
            source: {
              kind: 'list',
              query: {
                entity: 'claims',
                conditions: [...props.conditions],
                ...(props.includesMissing === true ? { includesMissing: true } : {}),
              },
            },
            total,
            shownColumns: columns,
          })
        }
      >
        Export claims…
      </SmallButton>
    </>
  );
}
