import { resolve } from 'node:path';
import type { ListQuery } from '../../../../contract/query.ts';
import type { ExportResult } from '../../../../contract/sync.ts';
import { DeskError, fromErrorReport } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import { allowOptions, type Command, parseEntity, parseQuery, toPath } from '../parse-command.ts';
import { openSession, type Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk export`: the whole list as CSV; the file is there whole or not at all. */
export async function runExportCommand(command: Command, output: Output): Promise<number> {
  allowOptions(command, ['out', 'columns', 'search', 'filter', 'sort', 'active', 'missing'], 2);
  const { options } = command;
  const entity = parseEntity(command.words[1]);
  if (options.active === true && entity !== 'members')
    throw new UsageError('--active works only with members');
  if (options.out === undefined) throw new UsageError('--out FILE is required');
  const query = parseQuery(entity, options);
  const columns = options.columns?.split(',').map((name) => toPath(entity, name.trim()));
  const session = await openSession({ options, writes: false });
  try {
    const workspaceId = (await session.findWorkspace()).id;
    const result = await exportList(session, {
      workspaceId,
      query,
      columns,
      outPath: resolve(options.out),
      isSsnShown: options.reveal === true,
      onProgress: (rows, total) => output.info(`${rows} of ${total}`),
    });
    const { exportId: _exportId, ...rest } = result;
    await output.json({ event: 'done', ...rest });
    return 0;
  } finally {
    await session.close();
  }
}

export interface ExportRequest {
  readonly workspaceId: string;
  readonly query: ListQuery;
  readonly columns?: string[] | undefined;
  readonly outPath: string;
  readonly isSsnShown: boolean;
  readonly onProgress: (rows: number, total: number) => void;
}

/** Runs one export to its end; SIGINT and SIGTERM cancel it and leave no file. */
export async function exportList(session: Session, request: ExportRequest): Promise<ExportResult> {
  const engine = await session.getEngine();
  let exportId: string | null = null;
  let isCanceled = false;
  const cancel = (): void => {
    isCanceled = true;
    if (exportId !== null) void session.call('export:cancel', { exportId }).catch(() => undefined);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, cancel);
  try {
    const finished = new Promise<ExportResult>((fulfil, reject) => {
      engine.subscribe((event) => {
        if (event.name === 'export:progress') request.onProgress(event.payload.rows, event.payload.total);
        else if (event.name === 'export:finished') {
          const { result, error } = event.payload;
          if (result !== null) fulfil(result);
          else reject(error === null ? new DeskError('internal.fault') : fromErrorReport(error));
        }
      });
    });
    finished.catch(() => undefined);
    const targetId = await session.addSaveTarget(request.outPath, 'records');
    ({ exportId } = await session.call(
      'export:start',
      {
        workspaceId: request.workspaceId,
        query: request.query,
        ...(request.columns === undefined ? {} : { columns: request.columns }),
        targetId,
      },
      { isSsnShown: request.isSsnShown },
    ));
    if (isCanceled) cancel();
    return await finished;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, cancel);
  }
}
