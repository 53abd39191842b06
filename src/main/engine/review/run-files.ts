import { localDayOf } from '../../../contract/days.ts';
import type { ReportSource } from '../../../contract/export.ts';
import { fileColumnsOf, layoutOf, type RunLayout } from '../../../contract/run-layout.ts';
import type { ReviewPorts } from './review-ports.ts';
import { previewRows, rowsOfFile } from './run-file.ts';
import { matchResults } from './run-results.ts';
import type { Runs } from './runs.ts';
import { createSelections } from './selections.ts';

interface FileOfRun {
  readonly runId: string;
  /** Null: claims without an employer; absent: all. */
  readonly employerId?: number | null | undefined;
  readonly layout: RunLayout;
}

/** How many rows a preview shows. */
const previewed = 10;

/** What goes out of a run as a file, and what comes back. */
export function createRunFiles(
  ports: Pick<ReviewPorts, 'clock' | 'getSettings'>,
  { readRun, applyToRun }: Pick<Runs, 'readRun' | 'applyToRun'>,
) {
  const results = createSelections<
    { readonly workspaceId: string; readonly runId: string } & Pick<
      ReturnType<typeof matchResults>,
      'rejected' | 'paid'
    >
  >();
  const readRows = async (workspaceId: string, { runId, employerId, layout }: FileOfRun) => {
    const { run, rows } = await readRun(workspaceId, runId);
    const { name, account } = run;
    const some = employerId === undefined ? rows : rows.filter((row) => row.employerId === employerId);
    return rowsOfFile(some, layout, {
      ...{ name, account, today: localDayOf(new Date(ports.clock.now())) },
    });
  };
  return {
    /** @throws DeskError `run.unknown` */
    async readRunFile(workspaceId: string, wanted: FileOfRun): Promise<ReportSource> {
      const rows = await readRows(workspaceId, wanted);
      const columns = fileColumnsOf(wanted.layout);
      return { kind: 'report', title: 'Reimbursements', columns, rows, isPlain: true };
    },
    /** @throws DeskError `run.unknown` */
    async previewRun(workspaceId: string, wanted: FileOfRun) {
      const rows = await readRows(workspaceId, wanted);
      return { rows: rows.length, first: previewRows(rows.slice(0, previewed), wanted.layout) };
    },
    /** Keeps what was matched in memory until it is applied. @throws DeskError `run.unknown`, `run.badResults` */
    async readResults(workspaceId: string, runId: string, csv: string) {
      const { rows } = await readRun(workspaceId, runId);
      const { runLayouts, service } = await ports.getSettings(workspaceId);
      // A file is written for one employer or for all of them.
      const { sums, unmatched, rejected, paid } = matchResults(csv, rows, (employerId) =>
        [employerId, null].map((one) => layoutOf(runLayouts, service, one).amounts),
      );
      return { selectionId: results.add({ workspaceId, runId, rejected, paid }), ...sums, unmatched };
    },
    /** @throws DeskError `review.noSelection`, and as `stepRun` */
    async applyResults(workspaceId: string, selectionId: string, day: string | null) {
      const { runId, rejected, paid } = results.get(workspaceId, selectionId);
      results.remove(selectionId);
      return applyToRun(workspaceId, runId, { rejected, paid, day });
    },
  };
}
