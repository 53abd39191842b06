import { resolve } from 'node:path';
import { type ExportProgress, type ExportSource, isReason } from '../../../contract/export.ts';
import {
  type ExportColumn,
  findExportColumn,
  needsReason,
  presetColumns,
  toFileColumns,
} from '../../../contract/export-columns.ts';
import { standardOutput } from '../../../contract/save-target.ts';
import { answerBy } from '../../lib/channel.ts';
import type { Clock } from '../../lib/clock.ts';
import { findEntry } from '../../lib/entries.ts';
import { DeskError } from '../../lib/errors.ts';
import { startThread } from '../../lib/thread.ts';
import type { ExportCalls, ExportWorkerData, WrittenExport } from './export-job.ts';

type Defaulted = 'locale' | 'delimiter' | 'split' | 'pages' | 'userData';
type Defaults = { readonly [Name in Defaulted]?: ExportWorkerData[Name] | undefined };
interface ExportOptions extends Omit<ExportWorkerData, Defaulted | 'isSigned' | 'at'>, Defaults {
  readonly exportId: string;
  /** Returns the text of a signature over the SHA-512 of a file (hexadecimal); null: no file is signed. */
  readonly sign: ((sha512: string) => Promise<string>) | null;
  /** Absent where no letters are written. */
  readonly record?: ExportCalls['record'];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

/**
 * The young generation of the thread, in MB. At Node's largest size, a workbook took 50 MB more and no less processor
 * time; at half of this size, it took a sixth more processor time.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 24 } as const;

/**
 * The columns of an export, in the requested order.
 * @throws DeskError `export.unknownColumn`; `export.reasonMissing` where they identify people and no reason is given
 */
export function chooseColumns(options: {
  readonly source: ExportSource;
  readonly columns?: readonly string[] | undefined;
  readonly reason?: string | undefined;
}): ExportColumn[] {
  const { source } = options;
  const paths = toFileColumns(source, options.columns ?? presetColumns(source, 'standard'));
  const columns = paths.map((path) => {
    const column = findExportColumn(source, path);
    if (column === undefined)
      throw new DeskError('export.unknownColumn', { details: { column: path.slice(0, 60) } });
    return column;
  });
  if (needsReason(columns) && !isReason(options.reason)) throw new DeskError('export.reasonMissing');
  return columns;
}

/**
 * Writes an export in a separate thread, to temporary files in the target's folder that are then renamed, with their
 * signatures. SSNs are masked unless `isSsnShown`.
 * @throws DeskError `export.*`, `query.invalid`, `disk.full`, `store.*`; and what `sign` throws
 */
export async function runExport(
  options: ExportOptions,
): Promise<WrittenExport & { readonly exportId: string; readonly seconds: number }> {
  const { clock, signal, exportId, sign, record, onProgress, ...exported } = options;
  const beganMs = clock.now();
  const key = Uint8Array.from(options.key);
  const workerData: ExportWorkerData = {
    ...exported,
    key,
    locale: options.locale,
    delimiter: options.delimiter,
    split: options.split ?? null,
    userData: options.userData ?? null,
    pages: options.pages ?? null,
    outPath: options.outPath === standardOutput ? options.outPath : resolve(options.outPath),
    isSigned: sign !== null,
    at: new Date(beganMs).toISOString(),
  };
  const calls: ExportCalls = {
    async record(letters) {
      if (record === undefined) throw new DeskError('internal.fault');
      await record(letters);
    },
    progress({ rows, total }) {
      const seconds = (clock.now() - beganMs) / 1000;
      const rowsPerSecond = seconds > 0 ? Math.round(rows / seconds) : 0;
      const secondsLeft = rowsPerSecond === 0 ? null : Math.ceil((total - rows) / rowsPerSecond);
      onProgress({ exportId, rows, total, rowsPerSecond, secondsLeft });
    },
    async sign(digests) {
      if (sign === null) throw new DeskError('internal.fault');
      const signatures: string[] = [];
      for (const digest of digests) signatures.push(await sign(digest));
      return signatures;
    },
  };
  const { worker, call, notify } = startThread(
    findEntry('export-worker'),
    { resourceLimits },
    answerBy(calls),
  );
  const cancel = (): void => notify('cancel', null);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const written = (await call('run', workerData, [key.buffer])) as WrittenExport;
    return { exportId, ...written, seconds: (clock.now() - beganMs) / 1000 };
  } catch (thrown) {
    const { code, cause } = thrown as DeskError;
    throw code === 'engine.stopped'
      ? new DeskError('internal.fault', { details: { reason: 'export ended' }, cause })
      : thrown;
  } finally {
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}
