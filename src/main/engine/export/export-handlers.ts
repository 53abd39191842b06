import { randomUUID } from 'node:crypto';
import {
  type ExportSource,
  isOfPages,
  isReason,
  maxSelected,
  purposeOf,
  type ReportSource,
  type TableSource,
  tableOf,
} from '../../../contract/export.ts';
import { type ExportColumn, exportColumnsOf } from '../../../contract/export-columns.ts';
import { findLetters } from '../../../contract/letter-settings.ts';
import { toLetterRow } from '../../../contract/papers.ts';
import type { ParsedInput } from '../../../contract/procedures.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { Engine, EngineCaller } from '../engine-ports.ts';
import { type OpenLists, readSnapshot } from '../lists/open-lists.ts';
import { listViews } from '../lists/view-handlers.ts';
import type { Reviews } from '../review/reviews.ts';
import type { EngineState } from '../state/engine-state.ts';
import { checkExportPolicy } from './check-export-policy.ts';
import { chooseColumns, runExport } from './run-export.ts';

interface Running {
  readonly workspaceId: string;
  readonly controller: AbortController;
  readonly finished: Promise<void>;
}

interface ExportContext {
  /** The rows of a run's file. @throws DeskError `run.unknown` */
  readonly readRunFile: (workspaceId: string, source: RunSource) => Promise<ReportSource>;
  readonly listPapers: Reviews['listPapers'];
  readonly act: Reviews['act'];
  readonly undo: Reviews['undo'];
  readonly state: EngineState;
  readonly lists: OpenLists;
  readonly running: Map<string, Running>;
}

/** More claims than a workspace has. */
const allClaims = 100_000_000;

type RunSource = Extract<ExportSource, { kind: 'run' }>;

/**
 * The source with the keys of the selected rows, or of the claims of a removal; the rows of a run.
 *
 * @throws DeskError `export.tooManySelected`, `snapshot.expired`
 */
async function withSelected(
  { state, lists, listPapers, readRunFile }: ExportContext,
  input: ParsedInput<'export:start'>,
): Promise<TableSource> {
  const { source, selected, removal } = input;
  if (source.kind === 'run') return readRunFile(input.workspaceId, source);
  if (source.kind === 'report' && source.of === 'letters') {
    const { papers } = await listPapers(input.workspaceId, null, allClaims);
    return { ...source, rows: papers.map(toLetterRow) };
  }
  const isOfRows = source.kind !== 'groups' && source.kind !== 'changes' && source.kind !== 'report';
  if (removal !== undefined && isOfRows) {
    const store = await state.getStore(input.workspaceId);
    return { ...source, keys: await store.read('findRemovedClaims', { removal }) };
  }
  if (selected === undefined || !isOfRows) return source;
  const { shown } = await readSnapshot(lists, input.workspaceId, selected.snapshotId);
  const chosen = selected.places.flatMap(([first, last]) => Array.from(shown.subarray(first, last + 1)));
  if (chosen.length > maxSelected) throw new DeskError('export.tooManySelected');
  return { ...source, keys: chosen };
}

/** The file that contains reviews and payments, and its key; null: not needed, or the file does not exist yet. */
async function readUserData({ files }: EngineState, workspaceId: string, { kind }: TableSource) {
  const isNeeded = kind === 'payments' || kind === 'statements' || kind === 'letters';
  const file = isNeeded ? await files.getUserData(workspaceId) : null;
  if (file === null || !file.isThere()) return null;
  // Opened first by its own thread, which migrates a file of an older version.
  await file.call('readReviewEnd', null);
  return { filePath: file.filePath, key: await file.readKey() };
}

/** The columns as listed in the audit log. */
const namePaths = (columns: readonly ExportColumn[]): string =>
  columns
    .map(({ path }) => path)
    .join(' ')
    .slice(0, 300);

/** Describes what a command lists, and the columns. @throws DeskError as `chooseColumns` */
function describeListed(
  source: Parameters<Engine['auditListed']>[0]['source'],
  columns: readonly string[] | undefined,
  reason: string,
) {
  if (source.kind === 'connections') {
    if (!isReason(reason)) throw new DeskError('export.reasonMissing');
    return { list: source.kind, columns: 'all' };
  }
  const paths = columns ?? exportColumnsOf(source).map(({ path }) => path);
  const chosen = chooseColumns({ source, columns: paths, reason });
  return {
    list: tableOf(source),
    columns: columns === undefined && source.kind === 'list' ? 'all' : namePaths(chosen),
    ...(source.kind === 'groups' ? { by: source.by } : {}),
  };
}

/** Writes the audit entry for what a command lists; see `Engine`. The columns of whole records are `all`. */
export async function auditListed(
  state: Pick<EngineState, 'policy' | 'auditAction'>,
  { workspaceId, source, columns, rows, ...options }: Parameters<Engine['auditListed']>[0],
): Promise<void> {
  const { isSsnShown = false, recordId } = options;
  const reason = options.reason?.trim() ?? '';
  checkExportPolicy(state.policy, { isSsnShown, reason });
  await state.auditAction(workspaceId, 'records.listed', {
    ...describeListed(source, columns, reason),
    rows,
    isSsnShown,
    ...(recordId === undefined ? {} : { recordId }),
    ...(reason === '' ? {} : { reason }),
  });
}

/** Starts an export in its thread, which reports by events. @throws DeskError as `chooseColumns`, `app.forbidden` */
async function startExport(
  context: ExportContext,
  input: ParsedInput<'export:start'>,
  isSsnShown: boolean,
): Promise<{ exportId: string }> {
  const { state, lists, running, act } = context;
  const { workspaceId, format, reason = null, removal } = input;
  const exportId = randomUUID();
  const columns = chooseColumns(input);
  const source = await withSelected(context, input);
  const outPath = await state.main.resolveSaveTarget({
    targetId: input.targetId,
    purpose: purposeOf[format],
  });
  await state.getStore(workspaceId);
  // Audited first, so that nothing is exported without an entry.
  if ('query' in source) await lists.searches.record(workspaceId, source.query, null);
  await state.auditAction(workspaceId, 'export.begun', {
    exportId,
    list: tableOf(input.source),
    format,
    columns: namePaths(columns),
    isSsnShown,
    ...(input.source.kind === 'run' ? { run: input.source.runId } : {}),
    ...(removal === undefined ? {} : { removal: removal.kind }),
    ...(reason === null ? {} : { reason }),
  });
  const { workspace } = await state.main.findWorkspace(workspaceId);
  const pages = isOfPages(source)
    ? {
        workspace: workspace.name,
        settings: await state.main.getSettings(workspaceId),
        letters: findLetters(await listViews(state, workspaceId)),
      }
    : null;
  const controller = new AbortController();
  const userData = await readUserData(state, workspaceId, source);
  const key = await state.files.readKey(workspaceId);
  /** The IDs of the events of its letters. */
  const recorded: string[] = [];
  const exporting = runExport({
    exportId,
    filePath: await state.files.recordsPath(workspaceId),
    key,
    source,
    format,
    columns,
    sign: input.isSigned === true ? (sha512) => state.main.signFile({ workspaceId, sha512 }) : null,
    async record(letters) {
      for (const { claimId, act: letter } of letters) {
        const { eventId } = await act(workspaceId, { claimIds: [claimId] }, letter);
        if (eventId === null) throw new DeskError('record.unknown');
        recorded.push(eventId);
      }
    },
    workspaceId,
    userData,
    pages,
    delimiter: input.delimiter,
    split: input.split,
    isSsnShown,
    outPath,
    by: workspace.email,
    reason,
    clock: state.clock,
    signal: controller.signal,
    onProgress: (progress) => state.emit({ name: 'export:progress', payload: progress }),
  });
  const finished = reportEnd(context, workspaceId, exportId, { exporting, recorded }).finally(() => {
    key.fill(0);
    userData?.key.fill(0);
  });
  running.set(exportId, { workspaceId, controller, finished });
  return { exportId };
}

async function reportEnd(
  { state, running, undo }: ExportContext,
  workspaceId: string,
  exportId: string,
  { exporting, recorded }: { exporting: ReturnType<typeof runExport>; recorded: readonly string[] },
): Promise<void> {
  try {
    const result = await exporting;
    const { rows, files } = result;
    const details = { exportId, rows, files: files.length, sha256: files[0]?.sha256 ?? null };
    await state
      .auditAction(workspaceId, 'export.written', details)
      .catch((thrown) => logFailure(state.log, 'export.auditFailed', thrown));
    state.log.write('export.finished', { rows });
    running.delete(exportId);
    state.emit({ name: 'export:finished', payload: { exportId, result, error: null } });
  } catch (thrown) {
    logFailure(state.log, 'export.failed', thrown);
    // There is no file, so there are no letters.
    for (const eventId of recorded)
      await undo(workspaceId, eventId, 'The file was not saved.').catch((failure) =>
        logFailure(state.log, 'export.undoFailed', failure),
      );
    running.delete(exportId);
    const error = toErrorReport(thrown);
    state.emit({ name: 'export:finished', payload: { exportId, result: null, error } });
  }
}

/** Starts and stops exports. */
export function createExportHandlers(
  state: EngineState,
  lists: OpenLists,
  { listPapers, readRunFile, act, undo }: Pick<Reviews, 'listPapers' | 'readRunFile' | 'act' | 'undo'>,
) {
  const context: ExportContext = { state, lists, listPapers, readRunFile, act, undo, running: new Map() };
  const stopAll = async (isWanted: (entry: Running) => boolean): Promise<void> => {
    const entries = [...context.running.values()].filter(isWanted);
    for (const entry of entries) entry.controller.abort();
    await Promise.all(entries.map(({ finished }) => finished));
  };
  return {
    handlers: {
      'export:start': (input: ParsedInput<'export:start'>, caller: EngineCaller) =>
        startExport(context, input, caller.isSsnShown === true),
      async 'export:auditPrinted'({
        workspaceId,
        list,
        rows,
        ...chosen
      }: ParsedInput<'export:auditPrinted'>) {
        const source: ExportSource =
          list === 'claimLines'
            ? { kind: 'claimLines', query: { entity: 'claims' } }
            : { kind: 'list', query: { entity: list } };
        const columns = namePaths(chooseColumns({ source, ...chosen }));
        const { reason } = chosen;
        const details = { list, rows, columns, ...(reason === undefined ? {} : { reason }) };
        await state.auditAction(workspaceId, 'list.printed', details);
        return { isDone: true as const };
      },
      async 'export:cancel'({ exportId }: ParsedInput<'export:cancel'>) {
        const entry = context.running.get(exportId);
        entry?.controller.abort();
        await entry?.finished;
        return { isDone: true as const };
      },
    },
    stop: (workspaceId: string) => stopAll((entry) => entry.workspaceId === workspaceId),
    stopAll: () => stopAll(() => true),
  };
}
