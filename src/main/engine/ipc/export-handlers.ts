import { randomUUID } from 'node:crypto';
import {
  type ExportColumn,
  type ExportSource,
  exportColumnsOf,
  maxSelected,
  tableOf,
} from '../../../contract/export.ts';
import type { ExportReceipt, ExportVerdict } from '../../../contract/export-receipt.ts';
import type { ParsedInput } from '../../../contract/procedures.ts';
import { getProfileId } from '../../keychain/profile-identity.ts';
import { getOrCreateSecret } from '../../keychain/secret-store.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { EngineCaller } from '../engine-ports.ts';
import { headerOf } from '../export/csv.ts';
import { judgeFiles, readReceipt } from '../export/receipt.ts';
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

  const readSampleSealKey = async (): Promise<Buffer> =>
    Buffer.from(await state.host.getSampleSecret('export-receipt-key'), 'base64');
  const readSealAccount = async (): Promise<string> =>
    `export-receipt-key/${await getProfileId(state.profileDir)}`;
  /** A secret of the profile; the sample's goes with the sample. */
  const readSealKey = async (workspaceId: string): Promise<Buffer> => {
    const { workspace } = await state.host.findWorkspace(workspaceId);
    return workspace.isSample
      ? readSampleSealKey()
      : getOrCreateSecret(state.secrets, await readSealAccount(), { mayCreate: true });
  };

  /** The file that payments are in, and its key; null: not needed, or nothing was written yet. */
  const readUserData = async (workspaceId: string, { kind }: ExportSource) => {
    const file = kind === 'payments' ? await state.files.getUserData(workspaceId) : null;
    if (file === null || !file.isThere()) return null;
    // Opened by its own thread first, which brings a file of an older version to this one's.
    await file.call('readReviewEnd', null);
    return { filePath: file.filePath, key: await file.readKey() };
  };

  /** The same export from the records of now, without a file. */
  const runAgain = async ({ workspaceId, receipt }: { workspaceId: string; receipt: ExportReceipt }) => {
    const known = new Map(exportColumnsOf(receipt.source).map((column) => [headerOf(column.path), column]));
    const columns = receipt.columns.map(({ name }) => known.get(name));
    if (columns.some((column) => column === undefined)) return null;
    await state.getStore(workspaceId);
    const userData = await readUserData(workspaceId, receipt.source);
    const key = await state.readDatabaseKey(workspaceId);
    try {
      const { rows, sums, content } = await runExport({
        exportId: randomUUID(),
        filePath: await state.recordsPath(workspaceId),
        key,
        source: receipt.source,
        format: 'csv',
        columns: columns as ExportColumn[],
        isSsnShown: receipt.isSsnShown,
        outPath: null,
        sealKey: null,
        workspaceId,
        userData,
        by: null,
        reason: null,
        clock: state.clock,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      return { rows, sums, isSame: content === receipt.content };
    } finally {
      key.fill(0);
      userData?.key.fill(0);
    }
  };

  const verify = async ({ receipt: text, files }: ParsedInput<'export:verify'>): Promise<ExportVerdict> => {
    const { receipt, isSealedBy } = readReceipt(text);
    const { workspaceId, exportedAt, exportedBy, reason, rows, sums } = receipt;
    const found = await state.host.findWorkspace(workspaceId).catch(() => null);
    // By the key of its own workspace, whichever is open here. Without that key nothing can be told.
    const key =
      found?.workspace.isSample === true
        ? await readSampleSealKey()
        : await state.secrets.get(await readSealAccount());
    const isSealed = key !== null && isSealedBy(key);
    return {
      receipt: isSealed ? 'intact' : found === null || key === null ? 'elsewhere' : 'changed',
      files: judgeFiles(receipt, files),
      exportedAt,
      exportedBy,
      reason,
      exported: { rows, sums },
      // What nobody of this profile sealed is asked of no record.
      now: isSealed && found !== null ? await runAgain({ workspaceId, receipt }) : null,
    };
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
      // A receipt finds out what changed in the records since: of a report it knows nothing but its figures.
      sealKey:
        input.hasReceipt === true && source.kind !== 'report' ? await readSealKey(input.workspaceId) : null,
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
        async ({ exportId, rows, files, receiptPath, seconds }) => {
          const result = { exportId, rows, files, receiptPath, seconds };
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
      'export:verify': verify,
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
