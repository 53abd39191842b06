import { formatCountOf } from '../../../rules/count.ts';
import { serviceOf } from '../../../rules/money/reimbursement.ts';
import { columnsOf, layoutOf, type RunLayout } from '../../../rules/review/run-layout.ts';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import type { OpenRun, SavedFile } from './open-run.ts';

/** All employers, or the only one. */
export const employersAtFirst = ({ totals }: OpenRun): string => (totals.employers.length > 1 ? 'all' : '0');

/** The file of a run: whose claims it has, the layout that is kept for them, and how it is saved. */
export function useRunFile(run: OpenRun, chosen: string, onSaved: (file: SavedFile) => void) {
  const workspace = useWorkspace();
  const { settings } = useWorkspaceSettings();
  const { requestExport } = useAppActions();
  const employer = run.totals.employers[Number(chosen)];
  const employerId = employer?.employerId ?? null;
  const target = { runId: run.id, ...(employer === undefined ? {} : { employerId }) };
  return {
    of: target,
    employerId,
    layout: layoutOf(settings.runLayouts, serviceOf(workspace), employerId),
    /** `rows`: how many it will have. */
    save: (layout: RunLayout, rows: number) =>
      requestExport({
        workspaceId: workspace.id,
        source: { kind: 'run', ...target, layout, acceptsMarked: run.marked },
        total: rows,
        shownColumns: [],
        onExported: ({ files: [file] }) => {
          if (file === undefined) return;
          const { path, sha256 } = file;
          onSaved({
            name: path.split(/[/\\]/).at(-1) ?? '',
            path,
            sha256,
            isOfAll: employer === undefined || run.totals.employers.length === 1,
            claims: run.claims,
          });
        },
      }),
  };
}

/** "Excel, a row per member, 4 columns". */
export function sayLayout(layout: RunLayout): string {
  const rows = { member: 'member', claim: 'claim', line: 'claim line' }[layout.rows];
  const columns = formatCountOf(columnsOf(layout).length, 'column');
  return `${layout.format === 'xlsx' ? 'Excel' : 'CSV'}, a row per ${rows}, ${columns}`;
}
