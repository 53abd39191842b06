import { randomUUID } from 'node:crypto';
import { tableOf } from '../../../contract/export.ts';
import type { ParsedInput } from '../../../contract/procedures.ts';
import { toErrorReport } from '../../lib/errors.ts';
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
export function createExportHandlers(state: EngineState, searches: ReturnType<typeof createSearchAudit>) {
  const running = new Map<string, Running>();

  const start = async (
    input: ParsedInput<'export:start'>,
    caller: EngineCaller,
  ): Promise<{ exportId: string }> => {
    const exportId = randomUUID();
    const { source, format, reason = null } = input;
    const columns = chooseColumns(input);
    const outPath = await state.host.resolveSaveTarget({
      targetId: input.targetId,
      purpose: format === 'xlsx' ? 'workbook' : 'records',
    });
    await state.getStore(input.workspaceId);
    const isSsnShown = caller.isSsnShown === true;
    // Audited first: nothing is exported without an entry.
    if (source.kind !== 'changes') await searches.record(input.workspaceId, source.query, null);
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
    const key = await state.readDatabaseKey(input.workspaceId);
    const finished = runExport({
      exportId,
      filePath: await state.recordsPath(input.workspaceId),
      key,
      source,
      format,
      columns,
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
        async ({ exportId, rows, files, seconds }) => {
          const result = { exportId, rows, files, seconds };
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
      .finally(() => key.fill(0));
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
