import { randomUUID } from 'node:crypto';
import { type ExportSource, maxSelected, tableOf } from '../../../contract/export.ts';
import type { ParsedInput } from '../../../contract/procedures.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { EngineCaller } from '../engine-ports.ts';
import { chooseColumns, runExport } from '../export/run-export.ts';
import type { EngineState } from './engine-state.ts';
import type { createSearchAudit } from './search-audit.ts';

interface Running {
  readonly workspaceId: string;
  readonly controller: AbortController;
  readonly finished: Promise<void>;
}

/** Starts and stops exports; each runs in a thread of its own and reports by events. */
export function createExportHandlers(
  state: EngineState,
  searches: ReturnType<typeof createSearchAudit>,
  readSnapshot: (workspaceId: string, snapshotId: string) => Promise<{ keys: Float64Array | Uint32Array }>,
) {
  const running = new Map<string, Running>();

  /** The source with the keys of the selected rows. @throws DeskError `export.tooManySelected`, `snapshot.expired` */
  const withSelected = async (input: ParsedInput<'export:start'>): Promise<ExportSource> => {
    const { source, selected } = input;
    const isOfRows = source.kind === 'list' || source.kind === 'claimLines' || source.kind === 'payments';
    if (selected === undefined || !isOfRows) return source;
    const { keys } = await readSnapshot(input.workspaceId, selected.snapshotId);
    const chosen = selected.places.flatMap(([first, last]) => Array.from(keys.subarray(first, last + 1)));
    if (chosen.length > maxSelected) throw new DeskError('export.tooManySelected');
    return { ...source, keys: chosen };
  };

  /** The file that payments are in, and its key; null: not needed, or nothing was written yet. */
  const readUserData = async (workspaceId: string, { kind }: ExportSource) => {
    const file = kind === 'payments' ? await state.files.getUserData(workspaceId) : null;
    if (file === null || !file.isThere()) return null;
    // Opened by its own thread first, which brings a file of an older version to this one's.
    await file.call('readReviewEnd', null);
    return { filePath: file.filePath, key: await file.readKey() };
  };

  const start = async (
    input: ParsedInput<'export:start'>,
    caller: EngineCaller,
  ): Promise<{ exportId: string }> => {
    const exportId = randomUUID();
    const { format, reason = null } = input;
    const columns = chooseColumns(input);
    const source = await withSelected(input);
    const outPath = await state.host.resolveSaveTarget({
      targetId: input.targetId,
      purpose: format === 'xlsx' ? 'workbook' : 'records',
    });
    await state.getStore(input.workspaceId);
    const isSsnShown = caller.isSsnShown === true;
    // Audited first: nothing is exported without an entry.
    if ('query' in source) await searches.record(input.workspaceId, source.query, null);
    await state.auditAction(input.workspaceId, 'export.begun', {
      exportId,
      list: tableOf(source),
      format,
      columns: columns
        .map(({ path }) => path)
        .join(' ')
        .slice(0, 300),
      isSsnShown,
      ...(reason === null ? {} : { reason }),
    });
    const controller = new AbortController();
    const userData = await readUserData(input.workspaceId, source);
    const key = await state.readDatabaseKey(input.workspaceId);
    const finished = runExport({
      exportId,
      filePath: await state.recordsPath(input.workspaceId),
      key,
      source,
      format,
      columns,
      sign:
        input.isSigned === true
          ? (sha512) => state.host.signFile({ workspaceId: input.workspaceId, sha512 })
          : null,
      workspaceId: input.workspaceId,
      userData,
      delimiter: input.delimiter,
      split: input.split,
      isSsnShown,
      outPath,
      by: state.actor,
      reason,
      clock: state.clock,
      signal: controller.signal,
      onProgress: (progress) => state.emit({ name: 'export:progress', payload: progress }),
    })
      .then(
        async (result) => {
          await state
            .auditAction(input.workspaceId, 'export.written', {
              exportId,
              rows: result.rows,
              files: result.files.length,
              sha256: result.files[0]?.sha256 ?? null,
            })
            .catch((thrown) => logFailure(state.log, 'export.auditFailed', thrown));
          state.log.write('export.finished', { rows: result.rows });
          running.delete(exportId);
          state.emit({ name: 'export:finished', payload: { exportId, result, error: null } });
        },
        (thrown) => {
          logFailure(state.log, 'export.failed', thrown);
          running.delete(exportId);
          state.emit({
            name: 'export:finished',
            payload: { exportId, result: null, error: toErrorReport(thrown) },
          });
        },
      )
      .finally(() => {
        key.fill(0);
        userData?.key.fill(0);
      });
    running.set(exportId, { workspaceId: input.workspaceId, controller, finished });
    return { exportId };
  };

  const stopAll = async (wanted: (entry: Running) => boolean): Promise<void> => {
    const entries = [...running.values()].filter(wanted);
    for (const entry of entries) entry.controller.abort();
    await Promise.all(entries.map((entry) => entry.finished));
  };

  return {
    handlers: {
      'export:start': start,
      'export:notePrinted': async ({
        workspaceId,
        list,
        rows,
        columns,
        reason,
      }: ParsedInput<'export:notePrinted'>) => {
        const source: ExportSource =
          list === 'claimLines'
            ? { kind: 'claimLines', query: { entity: 'claims' } }
            : { kind: 'list', query: { entity: list } };
        const paths = chooseColumns({ source, columns, reason }).map(({ path }) => path);
        await state.auditAction(workspaceId, 'list.printed', {
          list,
          rows,
          columns: paths.join(' ').slice(0, 300),
          ...(reason === undefined ? {} : { reason }),
        });
        return { isDone: true as const };
      },
      'export:cancel': async ({ exportId }: ParsedInput<'export:cancel'>) => {
        const entry = running.get(exportId);
        entry?.controller.abort();
        await entry?.finished;
        return { isDone: true as const };
      },
    },
    stop: (workspaceId: string) => stopAll((entry) => entry.workspaceId === workspaceId),
    stopAll: () => stopAll(() => true),
  };
}
