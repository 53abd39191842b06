import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fieldsOf, splitRanges } from '../../../contract/fields.ts';
import { defaultExportColumns } from '../../../contract/procedures.ts';
import type { ListQuery } from '../../../contract/query.ts';
import type { ExportProgress, ExportResult } from '../../../contract/sync.ts';
import type { Clock } from '../../lib/clock.ts';
import { findEntry } from '../../lib/entries.ts';
import { DeskError, fromWireError } from '../../lib/errors.ts';
import type { ExportMessage, ExportWorkerData } from './worker.ts';

export interface ExportOptions {
  readonly exportId: string;
  readonly filePath: string;
  /** The database key, 32 bytes; wiped by the thread. */
  readonly key: Uint8Array;
  readonly query: ListQuery;
  readonly columns?: readonly string[] | undefined;
  readonly isSsnShown: boolean;
  readonly outPath: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

/**
 * Exports a list as CSV: UTF-8, comma, CRLF, RFC 4180, written to a temporary file beside the target and
 * renamed. SSNs are masked unless `isSsnShown`.
 *
 * @throws DeskError `export.*`, `query.invalid`, `disk.full`, `store.*`
 */
export async function runExport(options: ExportOptions): Promise<ExportResult> {
  const { clock, signal, exportId, query } = options;
  const columns = splitRanges(query.entity, options.columns ?? defaultExportColumns(query.entity));
  const known = new Set(fieldsOf[query.entity].map((spec) => spec.path));
  const unknown = columns.find((path) => !known.has(path));
  if (unknown !== undefined)
    throw new DeskError('export.unknownColumn', { details: { column: unknown.slice(0, 60) } });

  const outPath = resolve(options.outPath);
  const beganMs = clock.now();
  const workerData: ExportWorkerData = {
    filePath: options.filePath,
    key: Uint8Array.from(options.key),
    query,
    columns,
    isSsnShown: options.isSsnShown,
    outPath,
  };
  const worker = new Worker(findEntry('export-worker'), { workerData });
  const cancel = (): void => worker.postMessage('cancel');
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const done = await new Promise<{ rows: number; sha256: string }>((fulfil, reject) => {
      worker.on('message', (message: ExportMessage) => {
        if (message.kind === 'done') fulfil(message);
        else if (message.kind === 'failed') reject(fromWireError(message.error));
        else {
          const seconds = (clock.now() - beganMs) / 1000;
          const rowsPerSecond = seconds > 0 ? Math.round(message.rows / seconds) : 0;
          options.onProgress({
            exportId,
            rows: message.rows,
            total: message.total,
            rowsPerSecond,
            secondsLeft:
              rowsPerSecond === 0 ? null : Math.ceil((message.total - message.rows) / rowsPerSecond),
          });
        }
      });
      worker.on('error', (cause) => reject(new DeskError('internal.fault', { cause })));
      worker.on('exit', () =>
        reject(new DeskError('internal.fault', { details: { reason: 'export ended' } })),
      );
    });
    return { exportId, ...pick(done), path: outPath, seconds: (clock.now() - beganMs) / 1000 };
  } finally {
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}

const pick = ({ rows, sha256 }: { rows: number; sha256: string }) => ({ rows, sha256 });
