import type { ReportSource } from '../../../contract/export.ts';
import type { ParsedInput } from '../../../contract/procedures.ts';
import { localDayOf } from '../../../rules/days.ts';
import { findLineParts } from '../../../rules/money/line-parts.ts';
import { fileColumnsOf, layoutOf, type RunLayout } from '../../../rules/review/run-layout.ts';
import { DeskError } from '../../lib/errors.ts';
import { readOpen } from './pay-open.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { findEarlier, type KnownOfClaims, previewRows, rowsOfFile, type SentRow } from './run-file.ts';
import { matchResults } from './run-results.ts';
import type { Runs } from './runs.ts';
import { createSelections } from './selections.ts';
import { checkMarked } from './show-runs.ts';

interface FileOfRun {
  readonly runId: string;
  /** Null: claims without an employer; absent: all. */
  readonly employerId?: number | null | undefined;
  readonly layout: RunLayout;
  readonly acceptsMarked?: number | undefined;
}

/** How many rows a preview shows. */
const previewed = 10;

/** Writes the files of runs, and reads the payer's answers. */
export function createRunFiles(
  ports: ReviewPorts,
  {
    readRun,
    listRuns,
    leaveHeld,
    applyToRun,
  }: Pick<Runs, 'readRun' | 'listRuns' | 'leaveHeld' | 'applyToRun'>,
) {
  const results = createSelections<
    { readonly workspaceId: string; readonly runId: string } & Pick<
      ReturnType<typeof matchResults>,
      'rejected' | 'paid' | 'asksAllPaid' | 'rows'
    >
  >();
  const readRows = async (workspaceId: string, { runId, employerId }: FileOfRun) => {
    const { run, rows } = await leaveHeld(workspaceId, runId);
    return {
      run,
      some: employerId === undefined ? rows : rows.filter((row) => row.employerId === employerId),
    };
  };
  const readKnown = async (
    workspaceId: string,
    runId: string,
    claimIds: readonly number[],
  ): Promise<KnownOfClaims> => {
    const lines = await (await ports.getStore(workspaceId)).read('readRunLines', { claimIds });
    const linesOf = Map.groupBy(lines, ({ claimId }) => claimId);
    const order = (await listRuns(workspaceId)).map(({ id }) => id).toReversed();
    const facts = {
      lines: linesOf,
      parts: new Map<number, readonly number[]>(),
      earlier: new Map<number, readonly SentRow[]>(),
    };
    for (let at = 0; at < claimIds.length; at += readAtOnce) {
      const open = await readOpen(ports, workspaceId, claimIds.slice(at, at + readAtOnce));
      for (const [claimId, { review, mates, eligible, rules }] of open) {
        const ownRuns = { claimId, runs: review?.runs ?? [] };
        facts.earlier.set(claimId, findEarlier([ownRuns, ...mates], runId, order));
        const { outcome = null, partly = null } = review ?? {};
        const parts = findLineParts(linesOf.get(claimId) ?? [], { outcome, partly, eligible }, rules);
        if (parts !== null) facts.parts.set(claimId, parts);
      }
    }
    return facts;
  };
  const writeRows = async (
    workspaceId: string,
    { run, some }: Awaited<ReturnType<typeof readRows>>,
    layout: RunLayout,
  ) => {
    const { id, name, account } = run;
    const claimIds = some.map(({ claimId }) => claimId);
    return rowsOfFile(
      some,
      layout,
      { id, name, account, today: localDayOf(new Date(ports.clock.now())) },
      layout.rows === 'member' ? undefined : await readKnown(workspaceId, id, claimIds),
    );
  };
  return {
    /** @throws DeskError `run.unknown`, `run.marked` */
    async readRunFile(workspaceId: string, request: FileOfRun): Promise<ReportSource> {
      const read = await readRows(workspaceId, request);
      await checkMarked(ports, workspaceId, read.some, request.acceptsMarked ?? 0);
      const rows = await writeRows(workspaceId, read, request.layout);
      const columns = fileColumnsOf(request.layout);
      return { kind: 'report', title: 'Reimbursements', columns, rows, isPlain: true };
    },
    /** @throws DeskError `run.unknown` */
    async previewRun({ workspaceId, ...request }: ParsedInput<'runs:preview'>) {
      const rows = await writeRows(workspaceId, await readRows(workspaceId, request), request.layout);
      return { rows: rows.length, first: previewRows(rows.slice(0, previewed), request.layout) };
    },
    /**
     * Keeps what was matched in memory until it is applied.
     *
     * @throws DeskError `run.unknown`, `run.badResults`, `file.*`
     */
    async readResults(
      workspaceId: string,
      runId: string,
      { file, employerId }: { readonly file: Uint8Array; readonly employerId?: number | null | undefined },
    ) {
      const { rows } = await readRun(workspaceId, runId);
      const some = employerId === undefined ? rows : rows.filter((row) => row.employerId === employerId);
      const { runLayouts, service } = await ports.getSettings(workspaceId);
      // A file is written for one employer or for all of them.
      const { sums, rejected, paid, ...matched } = matchResults(file, some, (ofEmployer) =>
        [ofEmployer, null].map((id) => layoutOf(runLayouts, service, id).amounts),
      );
      const { asksAllPaid, rows: count } = matched;
      return {
        selectionId: results.add({ workspaceId, runId, rejected, paid, asksAllPaid, rows: count }),
        ...sums,
        ...matched,
      };
    },
    /** @throws DeskError `review.noSelection`, `run.noResult`, and as `stepRun` */
    async applyResults(
      workspaceId: string,
      selectionId: string,
      answer: { day: string | null; allPaid: boolean },
    ) {
      const { runId, rejected, paid, asksAllPaid, rows } = results.get(workspaceId, selectionId);
      if (asksAllPaid && !answer.allPaid) throw new DeskError('run.noResult', { details: { rows } });
      results.remove(selectionId);
      return applyToRun(workspaceId, runId, { rejected, paid, day: answer.day });
    },
  };
}
